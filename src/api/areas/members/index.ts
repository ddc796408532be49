// Every route of the area.

import { invitationRoutes } from './invitation-routes.js'
import { memberRoutes as ownRoutes } from './member-routes.js'

export const memberRoutes = [...ownRoutes, ...invitationRoutes]
