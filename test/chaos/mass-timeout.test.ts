// Commands of a few charge points time out together; `npm run chaos` has five hundred.

import { massTimeout } from './mass-timeout.js'
import { testSmall } from './small.js'

testSmall(massTimeout)
