// Every attack, in the order in which they run.

import type { Attack } from '../attack.js'
import { pingFlood } from './ping-flood.js'

export const attacks: readonly Attack[] = [pingFlood]
