// What files that run in one process share, which outlives each of them (test/run-together.ts).

import { t } from 'tap'
import type { Teardowns } from './service.js'

export const wholeProcess: Teardowns = { teardown: t.teardown.bind(t) }
