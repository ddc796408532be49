// Shards are killed, each way twice; `npm run chaos` does it a few hundred times.

import { shardKill } from './shard-kill.js'
import { testSmall } from './small.js'

testSmall(shardKill)
