// A few clients never read; `npm run chaos` has many.

import { slowReader } from './slow-reader.js'
import { testSmall } from './small.js'

testSmall(slowReader)
