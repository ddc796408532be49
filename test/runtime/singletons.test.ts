// What exists once in the installation: one shard does it at a time, and what a former owner still writes is refused.

import { test } from 'tap'
import type { AnyActorDefinition } from '../../src/runtime/actor/actor-host-ports.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { linkThreads, until } from './linked-threads.js'
import { countersTable, scriptedActor } from './scripted-actors.js'

const definitions = [scriptedActor()] as unknown as readonly AnyActorDefinition[]
const put = (count: number) => [
  { type: 'put' as const, table: countersTable.name, key: ['clock'], row: encodeRow({ id: 'clock', count }) },
]

test('singletons - of all shards one owns each, its successor after it, and only the owner writes', async (t) => {
  const linked = linkThreads(t, definitions, 3)
  for (const shard of [0, 1, 2]) linked.start(shard)
  const names = Array.from({ length: 40 }, (_, at) => `clock-${at}`)
  const ownersOf = (name: string) => [0, 1, 2].filter((shard) => linked.shard(shard).singleton(name).owned())
  for (const name of names) t.equal(ownersOf(name).length, 1)
  t.equal(new Set(names.flatMap(ownersOf)).size, 3, 'they are spread')

  const [owner] = ownersOf('clock-0') as [number]
  const former = linked.shard(owner).singleton('clock-0')
  t.match(await former.commit(put(1)), { ok: true })
  linked.kill(owner)
  linked.start(owner)
  const successor = linked.shard(owner).singleton('clock-0')
  t.same([former.owned(), successor.owned()], [false, true])
  t.match(await former.commit(put(2)), { ok: false, reason: 'stale_epoch' })
  t.match(await successor.commit(put(3)), { ok: true })
  await until(() => linked.shard(owner).quiet)
})
