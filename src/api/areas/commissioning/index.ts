// Every route of the area.

import { changeRoutes } from './change-routes.js'
import { readRoutes } from './read-routes.js'

export const commissioningRoutes = [...changeRoutes, ...readRoutes]
