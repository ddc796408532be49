// What a shard is made to do again and again, from its start on: to tell its actors what is due by now, and to let go of those that have
// been idle.

import type { Shard } from './shard.js'

const passivateEveryMs = 5_000
const wakeEveryMs = 1_000

/** Runs as long as the shard's thread does. */
export function tendShard(shard: Shard): void {
  setInterval(() => shard.host.passivate(), passivateEveryMs)
  shard.catchUp()
  shard.wake()
  setInterval(() => shard.wake(), wakeEveryMs)
}
