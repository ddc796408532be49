// The service is told to end under load, twice; `npm run chaos` does it more often, with more charge points.

import { drain } from './drain.js'
import { testSmall } from './small.js'

testSmall(drain)
