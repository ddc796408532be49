// Every route of the area.

import { integrationRequestRoutes } from './integration-requests.js'
import { organizationKeyRoutes } from './organization-keys.js'
import { organizationPlanRoutes } from './organization-plans.js'
import { organizationRoutes as ownRoutes } from './organization-routes.js'
import { organizationSettingsRoutes } from './organization-settings.js'

export const organizationRoutes = [
  ...ownRoutes,
  ...organizationPlanRoutes,
  ...organizationKeyRoutes,
  ...organizationSettingsRoutes,
  ...integrationRequestRoutes,
]
