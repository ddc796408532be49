// A few seconds on a slow disk; `npm run chaos` takes two minutes, with more charge points.

import { lateFsync } from './late-fsync.js'
import { testSmall } from './small.js'

testSmall(lateFsync)
