// Every route of the area.

import { partnerRoutes } from './partner-routes.js'
import { partyRoutes } from './party-routes.js'
import { registrationRoutes } from './registration-routes.js'

export const ocpiPartnerRoutes = [...partyRoutes, ...partnerRoutes, ...registrationRoutes]
