// Power is lost ten times; `npm run chaos` does it two hundred times, with more charge points.

import { lostWrites } from './lost-writes.js'
import { testSmall } from './small.js'

testSmall(lostWrites)
