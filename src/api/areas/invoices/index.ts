// Every route of the area.

import { invoiceRoutes as ownRoutes } from './invoice-routes.js'
import { revenueRoutes } from './revenue.js'

export const invoiceRoutes = [...ownRoutes, ...revenueRoutes]
