// Every route of the area.

import { fleetRoutes as routes } from './fleet-routes.js'
import { seriesRoutes } from './series-route.js'

export const fleetRoutes = [...routes, ...seriesRoutes]
