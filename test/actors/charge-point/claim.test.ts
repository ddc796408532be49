// An organization claims the charge point of an installer: what goes on, what ends, and whose it is then.

import { test } from 'tap'
import { limits } from '../../../src/actors/charge-point/limits.js'
import { claimWakeUp } from '../../../src/actors/charge-point/messages.js'
import { alertsTable } from '../../../src/records/alert.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { sessionsTable } from '../../../src/records/session.js'
import { outboxTable } from '../../../src/runtime/actor/outbox.js'
import { wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { claimedRow, installedRow, installerId, registeredRow } from '../../support/registration.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

const id = 'CP-1'
const boot = { chargePointVendor: 'V', chargePointModel: 'M' }
const start = { connectorId: 1, idTag: 'TEST', timestamp: '2026-01-02T00:00:00Z', meterStart: 100 }
const hourMs = 3_600_000

/** Its installer's, connected and booted, with a fault that its installer was alerted of. */
async function installed(details = {}): Promise<ActorOverStore> {
  const actor = await actorOverStore(id)
  await actor.put(chargePointsTable, installedRow(id))
  await actor.attach(1, 1, details)
  await actor.call(1, 'BootNotification', boot)
  await actor.call(1, 'StatusNotification', { connectorId: 2, status: 'Faulted', errorCode: 'GroundFailure' })
  const { since } = Object.values(stateOf(actor)?.watches ?? {})[0] ?? { since: 0 }
  await actor.ask({ type: 'alert-due', watch: 'connector_faulted/2', since, off: false })
  return actor
}

async function claim(actor: ActorOverStore): Promise<void> {
  await actor.put(chargePointsTable, claimedRow(installedRow(id)))
  await actor.put(wakeUpsTable, claimWakeUp(id, 2, { steady: () => actor.clock.wall }))
}

const stateOf = (actor: ActorOverStore) => actor.view().get(chargePointStatesTable, [id])
const sessionsOf = (actor: ActorOverStore) => actor.view().list(sessionsTable, [])
const closedOf = (actor: ActorOverStore) => actor.said.filter((line) => line.includes('closed'))
/** What is published of connections, alerts and sessions, with whose it is. */
const published = (actor: ActorOverStore) =>
  actor
    .view()
    .list(outboxTable, [])
    .map(({ event, organizationId }) => `${event} ${organizationId}`)
    .filter((line) => /connected|alert|session\.(started|ended)/.test(line))

test('claim - a connected charge point stays connected, with its certificate, and is the organization’s from then on', async (t) => {
  const actor = await installed({ securityProfile: 3 })
  await claim(actor)
  for (let told = 0; told < 2; told++) await actor.ask({ type: 'registration-changed' })
  t.same(closedOf(actor), [])
  t.match(stateOf(actor), {
    organization_id: 'org_2',
    connected: true,
    registration: 'Accepted',
    presented_certificate: true,
    boot: { vendor: 'V' },
    connectors: [{ connector_id: 2, status: 'Faulted' }],
  })
  t.match(actor.view().list(alertsTable, []), [{ organization_id: installerId, status: 'resolved' }])
  t.same(published(actor), ['charge_point.connected org_2'], 'nobody could read events of an installer')
  const [watch] = Object.values(stateOf(actor)?.watches ?? {})
  t.notOk(watch?.alert_id, 'the organization is alerted of the fault in its turn')
  actor.clock.wall += hourMs
  await actor.ask({ type: 'alert-due', watch: 'connector_faulted/2', since: watch?.since, off: false })
  const open = actor.view().listBy(alertsTable, 'openOfChargePoint', [id])
  t.match(open, [{ organization_id: 'org_2', kind: 'connector_faulted' }])
  await actor.detach(1)
  t.equal(published(actor).at(-1), 'charge_point.disconnected org_2')
})

test('claim - a test transaction that runs is closed by estimate, stays the installer’s, and is corrected by its StopTransaction', async (t) => {
  const actor = await installed()
  const { transactionId } = await actor.call(1, 'StartTransaction', start)
  await claim(actor)
  await actor.ask({ type: 'registration-changed' })
  t.match(sessionsOf(actor), [{ organization_id: installerId, status: 'estimated', flags: ['estimated_close'] }])
  const again = await actor.call(1, 'StartTransaction', start)
  t.equal(again.transactionId, transactionId, 'the charge point has not heard the answer, and repeats its message')
  actor.clock.wall += hourMs
  await actor.call(1, 'StopTransaction', { transactionId, meterStop: 400, timestamp: '2026-01-02T00:30:00Z' })
  t.match(sessionsOf(actor), [{ organization_id: installerId, status: 'completed', energy_wh: 300 }])
  await actor.call(1, 'StartTransaction', { ...start, timestamp: '2026-01-02T01:00:00Z', meterStart: 400 })
  t.match(sessionsOf(actor)[1], { organization_id: 'org_2', status: 'active' })
})

test('claim - word of it may come after the end of the service, and after the charge point has gone', async (t) => {
  const actor = await installed()
  await actor.call(1, 'StartTransaction', start)
  await claim(actor)
  actor.restart('service')
  await actor.wake()
  t.match(stateOf(actor), { organization_id: 'org_2', connected: false, boot: { vendor: 'V' } })
  t.match(sessionsOf(actor), [{ organization_id: installerId, status: 'estimated' }])
  t.same(actor.view().list(wakeUpsTable, ['charge-point', id, 'registration-claimed/2']), [])
  await actor.attach(2, 2)
  t.same(published(actor), ['charge_point.connected org_2'])
})

test('claim - a socket that is announced before word of the claim has the claimed charge point', async (t) => {
  const actor = await installed()
  await claim(actor)
  await actor.attach(2, 2)
  t.match(stateOf(actor), { organization_id: 'org_2', connected: true, registration: 'Accepted' })
  t.same(closedOf(actor), ['1 closed 1000'], 'only the one that it replaces')
})

test('claim - a transaction that starts before word of the claim is the organization’s', async (t) => {
  const actor = await installed()
  await claim(actor)
  const { idTagInfo } = await actor.call(1, 'StartTransaction', start)
  t.match(idTagInfo, { status: 'Accepted' })
  t.match(sessionsOf(actor), [{ organization_id: 'org_2', status: 'active' }])
  t.same(closedOf(actor), [])

  const late = await installed()
  late.overtake(() => void claim(late))
  await late.call(1, 'StartTransaction', start)
  t.match(sessionsOf(late), [{ organization_id: 'org_2', status: 'active' }])
})

test('claim - a charge point has little room until it is claimed, and all of it from then on', async (t) => {
  const actor = await installed()
  const begin = async (at: number) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString()
    const { transactionId } = await actor.call(1, 'StartTransaction', { ...start, timestamp, meterStart: at })
    await actor.call(1, 'StopTransaction', { transactionId, meterStop: at, timestamp })
  }
  for (let at = 0; at < limits.unclaimedTransactionsAtOnce; at++) await begin(at)
  await t.rejects(begin(1_000), /InternalError/)
  await claim(actor)
  await actor.ask({ type: 'registration-changed' })
  for (let at = 2_000; at < 2_000 + limits.unclaimedTransactionsAtOnce + 1; at++) await begin(at)
})

test('claim - whoever registers the id after its installer has removed it begins anew', async (t) => {
  const actor = await installed()
  await actor.put(chargePointsTable, registeredRow(id, { organization_id: 'org_2' }))
  await actor.ask({ type: 'registration-changed' })
  t.equal(stateOf(actor), undefined)
  t.same(closedOf(actor), ['1 closed 1000'])
})
