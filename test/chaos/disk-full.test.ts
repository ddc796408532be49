// A small disk is filled once; `npm run chaos` fills it twenty times, with more charge points.

import { diskFull } from './disk-full.js'
import { testSmall } from './small.js'

testSmall(diskFull)
