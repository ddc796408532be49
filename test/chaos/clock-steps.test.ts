// The clock is set four times; `npm run chaos` does it forty times, with more charge points.

import { clockSteps } from './clock-steps.js'
import { testSmall } from './small.js'

testSmall(clockSteps)
