// Every route of the area.

import { apiKeyChangeRoutes } from './api-key-changes.js'
import { apiKeyRoutes as ownRoutes } from './api-key-routes.js'

export const apiKeyRoutes = [...ownRoutes, ...apiKeyChangeRoutes]
