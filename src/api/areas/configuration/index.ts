// Every route of the area.

import { chargePointConfigurationRoutes } from './configuration-routes.js'
import { templateRoutes } from './template-routes.js'

export const configurationRoutes = [...templateRoutes, ...chargePointConfigurationRoutes]
