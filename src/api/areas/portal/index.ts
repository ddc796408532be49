// Every route of the area.

import { portalSessionRoutes } from './portal-sessions.js'
import { receiptRoutes } from './receipt-routes.js'

export const portalRoutes = [...portalSessionRoutes, ...receiptRoutes]
