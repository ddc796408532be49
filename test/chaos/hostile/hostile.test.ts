// Some attacks for seconds each; `npm run chaos -- hostile` has all of them.

import { testSmall } from '../small.js'
import { hostile } from './hostile.js'

testSmall(hostile)
