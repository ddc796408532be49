// Which of two sockets stays when both are announced to an actor that has just been loaded.

import { test } from 'tap'
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
