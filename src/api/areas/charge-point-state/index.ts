// Every route of the area.

import { chargePointSeriesRoutes } from './series.js'
import { chargePointStateRoute } from './state.js'

export const chargePointStateRoutes = [chargePointStateRoute, ...chargePointSeriesRoutes]
