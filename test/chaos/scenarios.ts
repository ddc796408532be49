// Every fault that is tried, in the order in which they run.

import type { Scenario } from './scenario.js'
import { serverKill } from './server-kill.js'
import { shardKill } from './shard-kill.js'

export const scenarios: readonly Scenario[] = [serverKill, shardKill]
