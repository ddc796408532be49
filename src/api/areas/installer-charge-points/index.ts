// Every route of the area.

import { certificateRoutes } from './certificates.js'
import { commissionRoutes } from './commission.js'
import { configRoutes } from './config.js'
import { registryRoutes } from './registry.js'
import { statusRoutes } from './status.js'

export const installerChargePointRoutes = [
  ...registryRoutes,
  ...statusRoutes,
  ...certificateRoutes,
  ...configRoutes,
  ...commissionRoutes,
]
