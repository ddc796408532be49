// Each connection that is told to have begun is told to have ended, to the organization that was told of it, and once.

import { type Test, test } from 'tap'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { outboxTable } from '../../../src/runtime/actor/outbox.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

const id = 'CP-1'
const changed = { type: 'registration-changed' }

const stateOf = (actor: ActorOverStore) => actor.view().get(chargePointStatesTable, [id]) as ChargePointState

/** Connected when the service was killed, and another run of it has begun. */
async function connectedBeforeKill() {
  const actor = await actorOverStore(id)
  await actor.attach(1, 100)
  await actor.put(chargePointStatesTable, { ...stateOf(actor), run: 0 })
  actor.restart()
  return actor
}

async function handOver(actor: ActorOverStore) {
  const registration = actor.view().get(chargePointsTable, [id])
  if (registration === undefined) throw new Error('it is not registered')
  await actor.put(chargePointsTable, { ...registration, organization_id: 'org_2' })
}

/** What is told of connections, oldest first, with whom it is told to. */
const told = (actor: ActorOverStore) =>
  actor
    .view()
    .list(outboxTable, [])
    .map(({ event, organizationId }) => `${event} ${organizationId}`)

function beganAndEnded(t: Test, actor: ActorOverStore) {
  t.same(told(actor), ['charge_point.connected org_1', 'charge_point.disconnected org_1'])
}

test('connection events - one that never comes back after a kill has ended when it was last heard of', async (t) => {
  const actor = await connectedBeforeKill()
  const { last_seen_at } = stateOf(actor)
  actor.clock.wall += 3_600_000
  for (let look = 0; look < 2; look++) await actor.ask({ type: 'presence-lost', since: actor.clock.wall })
  beganAndEnded(t, actor)
  const [lost] = actor.events('charge_point.disconnected')
  t.match(lost, { disconnected_at: last_seen_at, code: 1006, reason: 'the service was interrupted' })
  t.match(stateOf(actor), { connected: false, disconnected_at: last_seen_at })
})

test('connection events - one that is removed before it comes back after a kill has ended', async (t) => {
  const actor = await connectedBeforeKill()
  await actor.remove(chargePointsTable, [id])
  for (let told = 0; told < 2; told++) await actor.ask(changed)
  beganAndEnded(t, actor)
})

test('connection events - one whose id is registered elsewhere while its shard is away has ended for its former owner', async (t) => {
  const killed = await connectedBeforeKill()
  await handOver(killed)
  for (let told = 0; told < 2; told++) await killed.ask(changed)
  beganAndEnded(t, killed)

  const connected = await actorOverStore(id)
  await connected.attach(1, 100)
  connected.restart()
  await handOver(connected)
  for (let told = 0; told < 2; told++) await connected.attach(1, 100)
  t.ok(connected.said.includes('1 closed 1000'), 'its socket was let in by the registration of the former owner')
  beganAndEnded(t, connected)
  await connected.attach(2, 101)
  t.same(told(connected).slice(2), ['charge_point.connected org_2'])
})

test('connection events - a connection that is replaced has ended, and the newer one has begun; once, over the end of its shard', async (t) => {
  const actor = await actorOverStore(id)
  await actor.attach(1, 100)
  actor.clock.wall += 60_000
  await actor.attach(17, 200)
  const both = ['charge_point.connected org_1', 'charge_point.disconnected org_1', 'charge_point.connected org_1']
  t.same(told(actor), both)
  const [replaced] = actor.events('charge_point.disconnected')
  t.match(replaced, { code: 1000, reason: 'replaced by a newer connection' })
  t.match(actor.events('charge_point.connected')[1], { connected_at: replaced.disconnected_at })
  actor.restart()
  await actor.attach(1, 100)
  await actor.attach(17, 200)
  t.same(told(actor), both)
})

test('connection events - one that ends and begins again while its shard is away is told of', async (t) => {
  const actor = await actorOverStore(id)
  await actor.attach(1, 100)
  actor.restart()
  await actor.attach(17, 200)
  t.equal(told(actor).length, 3)
})

test('connection events - one whose end was on disk when its shard died is told of once', async (t) => {
  const actor = await actorOverStore(id)
  await actor.attach(1, 100)
  await actor.detach(1)
  beganAndEnded(t, actor)
  actor.restart()
  // The front tells again what nobody has said to have done.
  await actor.attach(1, 100)
  await actor.detach(1)
  beganAndEnded(t, actor)
  t.equal(stateOf(actor).connected, false)
  await actor.attach(2, 101)
  t.same(told(actor).slice(2), ['charge_point.connected org_1'])
})
