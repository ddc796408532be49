// The actor that pulls a partner's tokens, over the store in memory, a clock that moves when told, and a partner that answers when told.

import { pino } from 'pino'
import { test } from 'tap'
import { ocpiTokensAddress, partnerChangedWakeUp } from '../../../src/actors/ocpi-tokens/messages.js'
import { createOcpiTokensActor, nextMinuteOf } from '../../../src/actors/ocpi-tokens/ocpi-tokens.js'
import { textsOf } from '../../../src/jobs/ocpi/list-texts.js'
import type { OcpiCall, OcpiOutcome } from '../../../src/ocpi/call.js'
import { tokenOf } from '../../../src/ocpi/token-row.js'
import { tables } from '../../../src/records/index.js'
import { type OcpiPartner, ocpiPartnersTable } from '../../../src/records/ocpi-partner.js'
import { ocpiPartiesTable } from '../../../src/records/ocpi-party.js'
import { type OcpiToken, ocpiTokensTable } from '../../../src/records/ocpi-token.js'
import { ocpiTokenPullsTable } from '../../../src/records/ocpi-token-pull.js'
import type { JobOutcome } from '../../../src/runtime/actor/actor.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { createWakeUpSweep, wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { encodeRow } from '../../../src/runtime/codec.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { unowned } from '../../../src/runtime/store/store.js'
import type { Key, Table } from '../../../src/runtime/store/table.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'
import { partnerRow, partyRow, tokenRow } from '../../support/roaming-rows.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const partner = partnerRow('org_1')
const id = partner.partner_id

async function stage() {
  const clock = createFakeClock()
  const store = openMemoryStore(tables)
  const partitions = ownPartitions()
  let asked: { readonly call: OcpiCall; readonly answer: (outcome: JobOutcome) => void }[] = []
  let overtake: (() => void) | undefined
  const start = () => {
    const host = createActorHost({
      definitions: [createOcpiTokensActor()] as unknown as readonly AnyActorDefinition[],
      store: {
        view: store.view,
        commit(batch) {
          const others = overtake
          overtake = undefined
          others?.()
          return store.commit(batch)
        },
      },
      partitions: ownPartitions(),
      clock,
      random: () => 0.5,
      log: pino({ level: 'silent' }),
      passivateAfterMs: hourMs,
      ports: {
        send() {},
        reply() {},
        frame() {},
        close() {},
        done() {},
        runJob: (_, input) => new Promise((resolve) => asked.push({ call: input as OcpiCall, answer: resolve })),
        connectionOf: () => undefined,
      },
    })
    return { host, sweep: createWakeUpSweep({ view: store.view, clock, partitions, owner: 0, host }) }
  }
  let running = start()
  async function settle(): Promise<void> {
    for (let turns = 0; turns < 40; turns++) {
      running.host.runTimers()
      running.host.run()
      await new Promise((resolve) => setImmediate(resolve))
      clock.advance(1)
    }
  }
  async function put<Row>(table: Table<Row>, row: Row): Promise<void> {
    await store.commit(unowned([{ type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }]))
  }
  await put(ocpiPartiesTable, partyRow(partner.organization_id))
  await put(ocpiPartnersTable, { ...partner, registered_at: new Date(clock.now()).toISOString() })
  await put(wakeUpsTable, partnerChangedWakeUp(id, clock))
  return {
    clock,
    put,
    async remove<Row>(table: Table<Row>, key: Key) {
      await store.commit(unowned([{ type: 'remove', table: table.name, key }]))
    },
    tokens: () => store.view().list(ocpiTokensTable, []),
    row: () => store.view().get(ocpiTokenPullsTable, [id]),
    wakeUps: () => store.view().list(wakeUpsTable, []),
    asked: () => asked.map(({ call }) => call),
    overtake(others: () => void) {
      overtake = others
    },
    async pass(ms: number) {
      clock.advance(ms)
      running.sweep.sweep()
      await settle()
    },
    async answer(outcome: JobOutcome) {
      for (const one of asked.splice(0)) one.answer(outcome)
      await settle()
    },
    restart() {
      asked = []
      running = start()
    },
  }
}

const shown = { request: { headers: {} } }

function page(data: unknown, more: object = {}): JobOutcome {
  const value: OcpiOutcome = {
    type: 'delivered',
    httpStatus: 200,
    statusCode: 1000,
    ...(Array.isArray(data) && { list: textsOf(data) }),
    milliseconds: 5,
    shown,
    ...more,
  }
  return { ok: true, value }
}

const failed: JobOutcome = {
  ok: true,
  value: { type: 'failed', reason: 'timeout', message: 'it took too long', milliseconds: 5, shown },
}

const sent = (uid: string, changes: Partial<OcpiToken> = {}) => tokenOf(tokenRow(partner, { uid, ...changes }))

test('ocpi token pull - all tokens at first, then every hour what has changed, and all of them again after a day', async (t) => {
  const { pass, answer, asked, row, tokens, wakeUps, clock } = await stage()
  await pass(1)
  const [first] = asked()
  t.match(first, { method: 'GET', url: 'https://emsp.example.com/2.2.1/tokens?offset=0&limit=500', owner: id })
  const begun = clock.now()
  await answer(page([sent('A'), sent('B')], { totalCount: 2 }))
  t.equal(tokens().length, 2)
  t.match(row(), { partner_total: 2, next_at: nextMinuteOf(id, clock.now()) })
  t.ok(Math.abs((row()?.completed_from ?? 0) - begun) < 1_000)
  t.same(
    wakeUps().map(({ reason }) => reason),
    ['pull'],
  )
  let wholes = 0
  for (let hour = 0; hour < 25; hour++) {
    await pass(hourMs)
    const [next] = asked()
    const since = new URL(next?.url ?? '').searchParams.get('date_from')
    if (since === null) wholes++
    else t.ok(Date.parse(since) < clock.now() - hourMs, 'with some overlap')
    await answer(page([]))
  }
  t.equal(wholes, 1)
  t.equal(tokens().length, 2, 'what is not in a list is not removed')
})

test('ocpi token pull - partners have their turn at minutes of their own', (t) => {
  const turns = Array.from({ length: 60 }, (_, at) => nextMinuteOf(`ptn_${at}`, 0) / minuteMs)
  t.ok(turns.every((minute) => minute > 0 && minute <= 60))
  t.ok(new Set(turns.map(Math.floor)).size > 20)
  t.equal(nextMinuteOf('ptn_1', 10 * hourMs) - nextMinuteOf('ptn_1', 9 * hourMs), hourMs)
  t.end()
})

test('ocpi token pull - one that fails is made again, later and later, and what was stored of it stays', async (t) => {
  const { pass, answer, asked, row, tokens } = await stage()
  await pass(1)
  await answer(page([sent('A')], { next: 'https://emsp.example.com/2.2.1/tokens?offset=1' }))
  t.equal(asked()[0]?.url, 'https://emsp.example.com/2.2.1/tokens?offset=1')
  await answer(failed)
  t.equal(tokens().length, 1)
  t.match(row(), { failures: 1, error: 'it took too long' })
  t.equal(row()?.completed_from, undefined)
  await pass(minuteMs / 2)
  t.equal(asked().length, 0)
  await pass(minuteMs)
  t.equal(asked().length, 1)
  await answer(failed)
  await pass(minuteMs * 1.5)
  t.equal(asked().length, 0)
  await pass(minuteMs)
  await answer(page([sent('A'), sent('B')]))
  t.equal(tokens().length, 2)
  t.equal(row()?.error, undefined)
})

test('ocpi token pull - what is not a list, links elsewhere or never ends is a failure that says so', async (t) => {
  for (const [outcome, error] of [
    [page({ token: 'A' }), /no list/],
    [page([], { next: 'https://evil.example.com/tokens' }), /same server/],
    [page([], { next: 'nonsense' }), /same server/],
    [page([], { next: 'https://emsp.example.com/2.2.1/tokens?offset=0&limit=500' }), /same server/],
  ] as const) {
    const { pass, answer, row } = await stage()
    await pass(1)
    await answer(outcome)
    t.match(row(), { error, failures: 1 })
  }
})

test('ocpi token pull - a long page is stored in parts, and a token that is pushed meanwhile is not overwritten', async (t) => {
  const { pass, answer, put, tokens, overtake } = await stage()
  const all = Array.from({ length: 1_000 }, (_, at) => sent(`T${String(at).padStart(4, '0')}`))
  const pushed = tokenRow(partner, { uid: 'T0007', valid: false, version: 9, last_updated: '2026-01-02T00:00:00.000Z' })
  await pass(1)
  overtake(() => void put(ocpiTokensTable, pushed))
  await answer(page([...all, sent('T0008', { valid: false, last_updated: '2026-01-03T00:00:00.000Z' })]))
  t.equal(tokens().length, 1_000)
  const of = (uid: string) => tokens().find((token) => token.uid === uid)
  t.match(of('T0007'), { valid: false, version: 9 })
  t.match(of('T0008'), { valid: false }, 'the newer of two in one list')
})

test('ocpi token pull - a pull that is lost with its shard begins again, and its late page changes nothing', async (t) => {
  const { pass, asked, restart, answer, tokens } = await stage()
  await pass(1)
  t.equal(asked().length, 1)
  restart()
  await pass(minuteMs)
  t.equal(asked().length, 0)
  await pass(10 * minuteMs)
  t.equal(asked().length, 1)
  await answer(page([sent('A')]))
  t.equal(tokens().length, 1)
})

test('ocpi token pull - whoever renews the credentials is asked what has changed, and whoever registers anew for all', async (t) => {
  const { pass, answer, asked, put, clock } = await stage()
  await pass(1)
  await answer(page([sent('A')]))
  await put(wakeUpsTable, partnerChangedWakeUp(id, clock))
  await pass(1)
  t.equal(asked().length, 0, 'not again within a minute')
  // Before its turn in the hour.
  const untilTurn = nextMinuteOf(id, clock.now()) - clock.now()
  await pass(untilTurn > 2 * minuteMs ? minuteMs : untilTurn + minuteMs)
  await answer(page([]))
  await pass(minuteMs)
  await put(wakeUpsTable, partnerChangedWakeUp(id, clock))
  await pass(1)
  t.match(asked()[0]?.url, /date_from/)
  const again: OcpiPartner = { ...partner, version: 2, registered_at: new Date(clock.now()).toISOString() }
  await put(ocpiPartnersTable, again)
  await put(wakeUpsTable, partnerChangedWakeUp(id, clock))
  await pass(1)
  t.equal(asked().length, 1, 'once the pull under way has ended')
  await answer(page([]))
  await pass(2 * minuteMs)
  t.notMatch(asked()[0]?.url, /date_from/)
  t.equal(asked().length, 1)
})

test('ocpi token pull - a partner that renews its credentials again and again after failures is asked once a minute', async (t) => {
  const { pass, answer, asked, put, clock } = await stage()
  await pass(1)
  t.equal(asked().length, 1)
  await answer(failed)
  const renew = () => put(wakeUpsTable, partnerChangedWakeUp(id, clock))
  for (let times = 0; times < 5; times++) {
    await renew()
    await pass(1_000)
  }
  t.equal(asked().length, 0)
  await pass(minuteMs)
  t.equal(asked().length, 1, 'the pause after the failure is over')
  await answer(failed)
  await pass(minuteMs)
  t.equal(asked().length, 0, 'the second pause is longer')
  await renew()
  await pass(1)
  t.equal(asked().length, 1, 'new credentials are tried after a minute all the same')
})

test('ocpi token pull - the tokens of a partner that is deleted go, and those of one that has ended stay', async (t) => {
  const { pass, answer, asked, put, remove, tokens, row, wakeUps, clock } = await stage()
  await pass(1)
  await answer(page(Array.from({ length: 600 }, (_, at) => sent(`T${at}`))))
  await put(ocpiPartnersTable, { ...partner, version: 2, status: 'ended' })
  await pass(2 * hourMs)
  t.equal(asked().length, 0)
  t.equal(tokens().length, 600)
  await remove(ocpiPartnersTable, [id])
  await put(wakeUpsTable, partnerChangedWakeUp(id, clock))
  for (let sweeps = 0; sweeps < 5; sweeps++) await pass(31_000)
  t.same(tokens(), [])
  t.equal(row(), undefined)
  t.same(wakeUps(), [])
  t.match(ocpiTokensAddress(id), { kind: 'ocpi-tokens' })
})

test('ocpi token pull - after the clock was a year ahead, all tokens are pulled as soon as it is right', async (t) => {
  const here = await stage()
  const start = here.clock.now()
  here.clock.set(start + 365 * 24 * hourMs)
  await here.pass(2_000)
  await here.answer(page([]))
  here.clock.set(start + hourMs)
  await here.pass(2 * hourMs)
  const [call] = here.asked()
  t.notMatch(call?.url, /date_from/, 'all of them: what has changed since a time that has not come is not known')
  await here.answer(page([]))
  t.ok((here.row()?.next_at ?? 0) <= here.clock.steady() + 2 * hourMs)
})
