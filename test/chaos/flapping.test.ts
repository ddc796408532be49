// One charge point flaps for seconds; `npm run chaos` lets it for a minute.

import { flapping } from './flapping.js'
import { testSmall } from './small.js'

testSmall(flapping)
