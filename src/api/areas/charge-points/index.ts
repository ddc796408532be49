// Every route of the area.

import { chargePointListRoutes } from './charge-point-list.js'
import { registryRoutes } from './charge-point-routes.js'
import { chargePointSearchRoutes } from './charge-point-search.js'
import { chargePointStatusRoutes } from './charge-point-status.js'
import { connectionAttemptRoutes } from './connection-attempts.js'
import { endInstallationRoutes } from './end-installation.js'
import { fleetRoutes } from './fleet.js'

export const chargePointRoutes = [
  ...registryRoutes,
  ...chargePointListRoutes,
  ...chargePointSearchRoutes,
  ...chargePointStatusRoutes,
  ...connectionAttemptRoutes,
  ...endInstallationRoutes,
  ...fleetRoutes,
]
