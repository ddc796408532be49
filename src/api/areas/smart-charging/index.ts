// Every route of the area.

import { allocationRoutes } from './allocation-routes.js'
import { configurationRoutes } from './configuration-routes.js'
import { historyRoutes } from './history-routes.js'

export const smartChargingRoutes = [...configurationRoutes, ...allocationRoutes, ...historyRoutes]
