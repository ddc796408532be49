// Which of two sockets stays when both are announced to an actor that has just been loaded.

import { test } from 'tap'
import { createSocketEpochs } from '../../../src/edge/socket-epochs.js'
import { chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { actorOverStore } from './actor-over-store.js'

test('newest socket - after a restart of its shard the older one is announced first, and is the one that is closed', async (t) => {
  const actor = await actorOverStore('CP-1')
  await actor.attach(1, 100)
  await actor.attach(17, 200)
  t.same(actor.said.splice(0), ['1 closed 1000'], 'the close of the older socket may be lost with the shard')
  actor.restart()
  // The fronts announce theirs in any order.
  await actor.attach(1, 100)
  await actor.attach(17, 200)
  t.same(new Set(actor.said), new Set(['1 closed 1000']))
})

test('newest socket - it wins wherever it is opened: on a machine that was booted later, and on one whose clock is behind', async (t) => {
  const actor = await actorOverStore('CP-1')
  const clock = (now: number, monotonic: number) => ({ now: () => now, monotonic: () => monotonic })
  const first = createSocketEpochs(clock(actor.clock.wall, 90 * 86_400_000), actor.view)
  const bootedLater = createSocketEpochs(clock(actor.clock.wall + 1_000, 5), actor.view)
  const clockBehind = createSocketEpochs(clock(actor.clock.wall - 3_600_000, 6), actor.view)
  await actor.attach(1, first('CP-1'))
  await actor.attach(17, bootedLater('CP-1'))
  t.same(actor.said.splice(0), ['1 closed 1000'])
  actor.restart('service')
  await actor.attach(33, clockBehind('CP-1'))
  await actor.attach(49, clockBehind('CP-1'))
  t.same(actor.said.splice(0), ['33 closed 1000'])
  t.match(actor.view().get(chargePointStatesTable, ['CP-1']), { connected: true, connection: 49 })
})

test('newest socket - of two that come to one front at once, before the store has heard of either, the later wins', async (t) => {
  const actor = await actorOverStore('CP-1')
  const wall = { now: actor.clock.wall }
  const epochOf = createSocketEpochs({ now: () => wall.now }, actor.view)
  const older = epochOf('CP-1')
  wall.now -= 60_000
  const newer = epochOf('CP-1')
  await actor.attach(17, newer)
  await actor.attach(1, older)
  t.same(actor.said, ['1 closed 1000'])
})
