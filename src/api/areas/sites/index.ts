// Every route of the area.

import { energyAssetRoutes } from './energy-asset-routes.js'
import { linkRoutes } from './link-routes.js'
import { siteRoutes as ownRoutes } from './site-routes.js'
import { summaryRoutes } from './summary.js'

export const siteRoutes = [...ownRoutes, ...linkRoutes, ...summaryRoutes, ...energyAssetRoutes]
