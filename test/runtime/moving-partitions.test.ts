// Partitions that move between shards in threads, by the contract of any owners.

import { test } from 'tap'
import type { ActorDefinition } from '../../src/runtime/actor/actor.js'
import type { AnyActorDefinition } from '../../src/runtime/actor/actor-host-ports.js'
import { ownedBy, sharedPartitionTable } from '../../src/runtime/actor/partition-table.js'
import { systemClock } from '../../src/runtime/clock.js'
import { limits } from '../../src/runtime/limits.js'
import { createShard } from '../../src/runtime/link/shard.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { movingPartitionsContract } from '../contract/moving-partitions.js'
import { neverSet } from '../support/fake-clock.js'
import { linkThreads, until } from './linked-threads.js'
import { scriptedTables, silent } from './scripted-actors.js'

movingPartitionsContract('shards', linkThreads)

const follower: ActorDefinition<object, unknown> = {
  kind: 'counter',
  load: () => ({}),
  handle: () => [],
  idle: () => true,
}

test('moving partitions - of very many followers, a new owner looks at some in each turn of its event loop', async (t) => {
  const partitions = sharedPartitionTable()
  partitions.begin(1, [])
  const store = openMemoryStore(scriptedTables)
  let looked = 0
  const shard = createShard({
    index: 0,
    definitions: [follower as unknown as AnyActorDefinition],
    store: { view: store.view, commit: store.commit, flush: store.flush, onAppended() {}, pending: 0 },
    partitions,
    clock: neverSet(systemClock),
    random: Math.random,
    log: silent,
    passivateAfterMs: 60_000,
    runJob: () => Promise.resolve({ ok: false, message: 'there are no jobs here' }),
    owns: new Map(),
    followers: {
      of: () => [],
      *all() {
        for (; looked < 5 * limits.rowsPerWalkStep; looked++) yield { kind: 'counter', id: `c${looked}` }
      },
    },
  })
  shard.acquire(ownedBy(partitions, 0), [])
  t.ok(looked <= limits.rowsPerWalkStep, `${looked} in one turn`)
  await until(() => looked === 5 * limits.rowsPerWalkStep)
  t.equal(shard.host.statistics().actors, looked, 'each is told in the end')
})
