// Refused attempts in the store: all of them counted, so many a second written.

import { test } from 'tap'
import { createAttemptLog, type Refusal } from '../../src/edge/attempts.js'
import { limits } from '../../src/edge/limits.js'
import { type ConnectionAttempt, connectionAttemptsTable, hourOf } from '../../src/records/connection-attempt.js'
import { installationTable } from '../../src/records/organization.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { createFakeClock } from '../support/fake-clock.js'

const refusal: Refusal = {
  chargePointId: 'CP-1',
  organizationId: 'org_1',
  remoteAddress: '198.51.100.7',
  reason: 'wrong_password',
  advice: 'Set the password.',
  status: 401,
}

function make() {
  const store = openMemoryStore([connectionAttemptsTable, installationTable])
  const clock = createFakeClock()
  const attempts = createAttemptLog({ ...store, flush: () => {}, onAppended: () => {}, pending: 0 }, clock, Math.random)
  const written = async (organizationId = 'org_1'): Promise<ConnectionAttempt[]> => {
    await new Promise((resolve) => setImmediate(resolve))
    return store.view().listBy(connectionAttemptsTable, 'byOrganization', [organizationId])
  }
  return { store, clock, attempts, written }
}

test('attempts - a refusal is kept with its reason, its advice and its time', async (t) => {
  const { attempts, written } = make()
  attempts.record(refusal)
  t.match(await written(), [
    {
      charge_point_id: 'CP-1',
      remote_address: '198.51.100.7',
      reason: 'wrong_password',
      advice: 'Set the password.',
      http_status: 401,
      attempted_at: '2026-11-01T00:00:00.000Z',
    },
  ])
})

test('attempts - so many a second are written, all are counted', async (t) => {
  const { attempts, clock, written } = make()
  const bound = limits.refusedAttemptsPerSecond
  const each = limits.refusedAttemptsPerOrganization
  for (let at = 0; at < bound; at++) attempts.record(refusal)
  t.equal((await written()).length, each, 'of one organization, so that others have room for theirs')
  for (let other = 2; other < 12; other++)
    for (let at = 0; at < each; at++) attempts.record({ ...refusal, organizationId: `org_${other}` })
  const counts = await Promise.all(Array.from({ length: 11 }, (_, at) => written(`org_${at + 1}`)))
  t.equal(counts.flat().length, bound)
  t.equal(attempts.counts.get('wrong_password'), bound + 10 * each)
  clock.advance(1_000)
  attempts.record({ ...refusal, chargePointId: 'CP-2' })
  t.equal((await written()).length, each + 1)
})

test('attempts - those that find no room are put together, and none of them is missing in the sum', async (t) => {
  const { store, attempts, clock, written } = make()
  const each = limits.refusedAttemptsPerOrganization
  for (let at = 0; at < 100; at++) attempts.record(refusal)
  clock.advance(1_000)
  attempts.record(refusal)
  attempts.tick()
  const rows = await written()
  t.match(rows.at(-1), { times: 101 - each, attempted_at: '2026-11-01T00:00:01.000Z' })
  const hour = hourOf(clock.now())
  for (const group of [
    ['id', 'org_1', 'CP-1'],
    ['id', 'org_1', 'CP-1', hour],
    ['shape', 'org_1', 'cp1', hour],
  ])
    t.equal(rows.length + store.view().total(connectionAttemptsTable, 'repeated', group), 101)
  attempts.tick()
  t.equal((await written()).length, rows.length, 'once')
})

test('attempts - of very many ids those beyond a bound are only counted', async (t) => {
  const { attempts, clock, written } = make()
  const all = limits.refusedAttemptsPerOrganization + 2 * limits.attemptsPutTogether
  for (let at = 0; at < all; at++) attempts.record({ ...refusal, chargePointId: `X-${at}` })
  for (let second = 0; second < 1_000; second++) {
    clock.advance(1_000)
    attempts.tick()
  }
  t.equal((await written()).length, limits.refusedAttemptsPerOrganization + limits.attemptsPutTogether)
  t.equal(attempts.counts.get('wrong_password'), all)
})

test('attempts - an organization pays for those alone that are written', async (t) => {
  const { attempts, clock, written } = make()
  const each = limits.refusedAttemptsPerOrganization
  const others = limits.refusedAttemptsPerSecond / each
  for (let other = 2; other < others + 2; other++)
    for (let at = 0; at < each; at++) attempts.record({ ...refusal, organizationId: `org_${other}` })
  for (let at = 0; at < each; at++) attempts.record(refusal)
  t.equal((await written()).length, 0, 'there is no room left at the front')
  clock.advance(1_000)
  attempts.tick()
  t.equal((await written())[0]?.times, each)
  for (let at = 1; at < each; at++) attempts.record(refusal)
  t.equal((await written()).length, each)
})

test('attempts - one that stands for many is stored when the flood before it has used up the share of its organization', async (t) => {
  const { attempts, written } = make()
  for (let at = 0; at < limits.refusedAttemptsPerSecond; at++) attempts.record(refusal)
  const before = (await written()).length
  attempts.record({ ...refusal, reason: 'too_many_refusals', rare: true })
  const reasons = (await written()).map(({ reason }) => reason)
  t.same([reasons.length, reasons.includes('too_many_refusals')], [before + 1, true])
})

test("attempts - those of an unknown id are the installation's; before there is one they are only counted", async (t) => {
  const { store, attempts, written } = make()
  const { organizationId: _, ...unknown } = refusal
  attempts.record({ ...unknown, reason: 'unknown_charge_point' })
  t.equal(attempts.counts.get('unknown_charge_point'), 1)
  const row = { id: 'installation', default_organization_id: 'org_main' }
  const change = { type: 'put' as const, table: installationTable.name, key: ['installation'], row: encodeRow(row) }
  await store.commit({ partition: -1, epoch: 0, sequence: 0, changes: [change] })
  attempts.record({ ...unknown, reason: 'unknown_charge_point' })
  t.equal((await written('org_main')).length, 1)
})

test('attempts - whoever knocks with unknown ids from one address leaves room for those from others', async (t) => {
  const { store, attempts, written } = make()
  const row = { id: 'installation', default_organization_id: 'org_main' }
  const change = { type: 'put' as const, table: installationTable.name, key: ['installation'], row: encodeRow(row) }
  await store.commit({ partition: -1, epoch: 0, sequence: 0, changes: [change] })
  const { organizationId: _, ...unknown } = refusal
  for (let at = 0; at < 100; at++)
    attempts.record({
      ...unknown,
      chargePointId: `X-${at}`,
      remoteAddress: `2001:db8:0:${at}::1`,
      reason: 'unknown_charge_point',
    })
  attempts.record({ ...unknown, reason: 'unknown_charge_point' })
  const rows = await written('org_main')
  t.equal(rows.length, limits.unknownAttemptsPerAddress + 1)
  t.match(
    rows.find(({ remote_address }) => remote_address === unknown.remoteAddress),
    { is_unknown: true },
  )
})
