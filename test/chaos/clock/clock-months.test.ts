// The clock is wrong for some seconds each time; `npm run chaos` leaves it so for more than a minute.

import { testSmall } from '../small.js'
import { clockMonths } from './clock-months.js'

testSmall(clockMonths)
