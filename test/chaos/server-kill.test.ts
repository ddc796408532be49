// The service is killed a few times; `npm run chaos` does it a few hundred times.

import { serverKill } from './server-kill.js'
import { testSmall } from './small.js'

testSmall(serverKill)
