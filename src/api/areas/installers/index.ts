// Every route of the area.

import { installerRoutes as accountRoutes } from './installer-routes.js'
import { unclaimedRoutes } from './unclaimed-routes.js'

export const installerRoutes = [...accountRoutes, ...unclaimedRoutes]
