// Every route of the area.

import { certificateRoutes } from './certificates.js'
import { commissionRoutes } from './commission.js'
import { configRoutes } from './config.js'
import { connectionStatusRoutes } from './connection-status.js'
import { registryRoutes } from './registry.js'
import { statusRoutes } from './status.js'
import { testConnectionRoutes } from './test-connection.js'

export const installerChargePointRoutes = [
  ...registryRoutes,
  ...statusRoutes,
  ...certificateRoutes,
  ...configRoutes,
  ...testConnectionRoutes,
  ...connectionStatusRoutes,
  ...commissionRoutes,
]
