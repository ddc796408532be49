// Every route of the area.

import { activeTransactionRoutes } from './active-transactions.js'
import { closeSessionRoutes } from './close-session.js'
import { costExplanationRoutes } from './cost-explanation.js'
import { meterValueRoutes } from './meter-values.js'
import { sessionRoutes as ownRoutes } from './session-routes.js'
import { storyRoutes } from './story-route.js'
import { unmatchedRoutes } from './unmatched.js'
import { whatIfRoutes } from './what-if.js'

export const sessionRoutes = [
  ...ownRoutes,
  ...activeTransactionRoutes,
  ...unmatchedRoutes,
  ...closeSessionRoutes,
  ...costExplanationRoutes,
  ...meterValueRoutes,
  ...storyRoutes,
  ...whatIfRoutes,
]
