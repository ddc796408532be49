// Partitions that move between shards in threads, by the contract of any owners.

import { movingPartitionsContract } from '../contract/moving-partitions.js'
import { linkThreads } from './linked-threads.js'

movingPartitionsContract('shards', linkThreads)
