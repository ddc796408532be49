// A charge point that only sends heartbeats costs the store a small row now and then, and is known to have been there to the minute.

import { test } from 'tap'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { lastSeenAt, signsOfLifeTable } from '../../../src/records/sign-of-life.js'
import { limits } from '../../../src/runtime/limits.js'
import { actorOverStore } from './actor-over-store.js'

const id = 'CP-1'

async function connected() {
  const actor = await actorOverStore(id)
  await actor.attach(1, 100)
  await actor.call(1, 'BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model' })
  const pass = (ms: number) => {
    actor.clock.wall += ms
    actor.clock.monotonic += ms
  }
  const row = () => actor.view().get(chargePointStatesTable, [id])
  const seenAt = () => lastSeenAt(actor.view(), row() ?? { charge_point_id: id })
  return { actor, pass, row, seenAt }
}

const isoOf = (wall: number) => new Date(wall).toISOString()

test('signs of life - a heartbeat every five minutes writes no row of what is known of the charge point', async (t) => {
  const { actor, pass, row, seenAt } = await connected()
  const before = row()
  for (let at = 0; at < 3; at++) {
    pass(300_000)
    const heard = isoOf(actor.clock.wall)
    await actor.call(1, 'Heartbeat', {})
    pass(limits.notesWithinMs)
    await actor.wake()
    t.equal(seenAt(), heard)
  }
  t.same(row(), before)
})

test('signs of life - a heartbeat is answered where the disk refuses every write', async (t) => {
  const { actor, pass } = await connected()
  actor.refuseWrites(true)
  pass(300_000)
  t.match(await actor.call(1, 'Heartbeat', {}), { currentTime: String })
})

test('signs of life - one that never comes back after a kill has ended when its last heartbeat was noted', async (t) => {
  const { actor, pass } = await connected()
  pass(300_000)
  const heard = isoOf(actor.clock.wall)
  await actor.call(1, 'Heartbeat', {})
  pass(limits.notesWithinMs)
  await actor.wake()
  actor.restart('service')
  pass(3_600_000)
  await actor.ask({ type: 'presence-lost', since: actor.clock.wall })
  t.match(actor.events('charge_point.disconnected'), [{ disconnected_at: heard }])
})

test('signs of life - the last one is the one that came last, wherever the clock has been set meanwhile', async (t) => {
  const { actor, pass, seenAt } = await connected()
  const hear = async (): Promise<void> => {
    const heard = isoOf(actor.clock.wall)
    await actor.call(1, 'Heartbeat', {})
    pass(limits.notesWithinMs)
    await actor.wake()
    t.equal(seenAt(), heard)
  }
  for (const stepMs of [300_000, 3_600_000, -7_200_000, -60_000, 300_000]) {
    actor.clock.wall += stepMs
    actor.clock.monotonic += 60_000
    await hear()
  }
})

test('signs of life - nothing is left of a charge point that is removed', async (t) => {
  const { actor, pass } = await connected()
  pass(300_000)
  await actor.call(1, 'Heartbeat', {})
  await actor.remove(chargePointsTable, [id])
  await actor.ask({ type: 'registration-changed' })
  pass(limits.notesWithinMs)
  await actor.wake()
  t.equal(actor.view().get(signsOfLifeTable, [id]), undefined)
})
