// A few connections die; `npm run chaos` has hundreds.

import { halfOpen } from './half-open.js'
import { testSmall } from './small.js'

testSmall(halfOpen)
