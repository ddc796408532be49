// Every route of the area.

import { activeTransactionRoutes } from './active-transactions.js'
import { closeSessionRoutes } from './close-session.js'
import { sessionRoutes as ownRoutes } from './session-routes.js'
import { unmatchedRoutes } from './unmatched.js'

export const sessionRoutes = [...ownRoutes, ...activeTransactionRoutes, ...unmatchedRoutes, ...closeSessionRoutes]
