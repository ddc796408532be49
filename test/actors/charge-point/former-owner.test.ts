// What whoever had a charge point before can still do after another organization has registered its id.

import { test } from 'tap'
import { commandRouterAddress } from '../../../src/actors/messages/command.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { messagesTable } from '../../../src/records/message.js'
import { type Reservation, reservationsTable } from '../../../src/records/reservation.js'
import { sessionsTable, unmatchedTransactionsTable } from '../../../src/records/session.js'
import { registeredRow } from '../../support/registration.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

const id = 'CP-1'
const boot = { chargePointVendor: 'V', chargePointModel: 'M' }
const start = { connectorId: 1, idTag: 'TAG1', timestamp: '2026-01-02T00:00:00Z', meterStart: 0 }
const hourMs = 3_600_000

/** A second organization registers the id, with connectors of 1 kW. */
async function handOver(actor: ActorOverStore): Promise<void> {
  await actor.put(chargePointsTable, registeredRow(id, { organization_id: 'org_2', max_power_kw: 1 }))
  await actor.ask({ type: 'registration-changed' })
  await actor.attach(2, 2)
  await actor.call(2, 'BootNotification', boot)
}

test('former owner - attaches what the charge point said before, judged by the power that it had then', async (t) => {
  const actor = await actorOverStore(id)
  await actor.attach(1, 1)
  await actor.call(1, 'BootNotification', boot)
  await actor.call(1, 'StartTransaction', start)
  actor.clock.wall += hourMs
  const stop = { transactionId: 999, meterStop: 20_000, timestamp: '2026-01-02T01:00:00Z' }
  await actor.call(1, 'StopTransaction', stop)
  const [session] = actor.view().list(sessionsTable, [])
  const [unmatched] = actor.view().list(unmatchedTransactionsTable, [])
  if (session === undefined || unmatched === undefined) throw new Error('nothing to attach')
  await actor.ask({ type: 'close-session', sessionId: session.session_id, reason: 'Other' })
  await handOver(actor)
  await actor.call(2, 'StartTransaction', { ...start, timestamp: '2026-01-02T01:00:00Z' })
  const { connected_at: _, ...before } = actor.view().get(chargePointStatesTable, [id]) ?? {}
  const message = { unmatchedId: unmatched.unmatched_id, sessionId: session.session_id, by: 'api_key:1' }
  const reply = await actor.ask({ type: 'attach-unmatched', ...message })
  t.match(reply, { type: 'attached', session: { status: 'completed', energy_wh: 20_000, organization_id: 'org_1' } })
  const { session: attached } = reply as { readonly session: { readonly flags: readonly string[] } }
  t.notOk(attached.flags.includes('energy_implausible'), 'the new owner has said 1 kW, the former one 22')
  t.match(actor.view().get(chargePointStatesTable, [id]), before, 'nothing changes for the new owner')
})

test('former owner - sends no command any more, and cancels no reservation at the charge point', async (t) => {
  const actor = await actorOverStore(id)
  await actor.attach(1, 1)
  await actor.call(1, 'BootNotification', boot)
  await handOver(actor)
  const command = (organization: string) =>
    actor.ask({
      type: 'call',
      commandId: `cmd_${organization}`,
      action: 'Reset',
      payload: { type: 'Hard' },
      remainingMs: 10_000,
      router: commandRouterAddress(organization),
    })
  await command('org_1')
  await command('org_2')
  const sent = actor.said.filter((line) => line.includes('"Reset"'))
  t.match(sent, [/^2 \[2,"cmd_org_2","Reset"/])
  t.equal(sent.length, 1)
  const reservation: Reservation = {
    reservation_id: 'res_1',
    ocpp_reservation_id: 1,
    organization_id: 'org_1',
    charge_point_id: id,
    connector_id: 1,
    id_tag: 'TAG1',
    status: 'active',
    expiry_date: '2026-01-03T00:00:00.000Z',
    created_at: '2026-01-02T00:00:00.000Z',
  }
  const stored = () => actor.view().get(reservationsTable, ['res_1'])
  await actor.ask({ type: 'reserved', reservation })
  t.match(stored(), { status: 'cancelled', cancel_reason: 'charge_point_removed' }, 'made too late')
  await actor.put(reservationsTable, reservation)
  await actor.ask({ type: 'cancel-reservation', reservationId: 'res_1', by: 'api_key:1' })
  t.match(stored(), { status: 'cancelled', cancel_owed_by: undefined })
})

test('former owner - what it has sent and heard is in no log of the new one', async (t) => {
  const actor = await actorOverStore(id)
  await actor.attach(1, 1)
  await actor.call(1, 'BootNotification', boot)
  await actor.call(1, 'Heartbeat', {})
  // A call that is not answered yet.
  void actor.ask({
    type: 'call',
    commandId: 'cmd_1',
    action: 'ChangeConfiguration',
    payload: { key: 'Display', value: 'OF-THE-FORMER-OWNER' },
    remainingMs: 10_000,
    router: commandRouterAddress('org_1'),
  })
  await handOver(actor)
  await actor.call(2, 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' })
  const logged = actor.view().list(messagesTable, [])
  const own = logged.filter(({ organization_id }) => organization_id === 'org_2')
  t.same(
    own.map(({ action }) => action),
    ['BootNotification', 'StatusNotification'],
  )
  t.match(own[0]?.before, { heartbeats: 0, connections: [{ remote_address: /./ }] })
  t.equal(own[0]?.before?.connections?.length, 1, 'but only of its own connection')
  t.notMatch(JSON.stringify(own), 'FORMER-OWNER')
})
