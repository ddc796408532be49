// Every route of the area.

import { applyTemplateRoutes } from './apply-template-route.js'
import { changeRoutes } from './change-routes.js'
import { closeIssueRoutes } from './close-issue-routes.js'
import { diagnosticsRoutes } from './diagnostics-route.js'
import { issueRoutes } from './issue-routes.js'
import { operatorRoutes } from './operator-routes.js'
import { readRoutes } from './read-routes.js'
import { reportRoutes } from './report-routes.js'

export const commissioningRoutes = [
  ...changeRoutes,
  ...applyTemplateRoutes,
  ...readRoutes,
  ...issueRoutes,
  ...closeIssueRoutes,
  ...diagnosticsRoutes,
  ...operatorRoutes,
  ...reportRoutes,
]
