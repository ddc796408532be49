// Every route of the area.

import { exchangeRoutes } from './exchange-routes.js'
import { hubPartyRoutes } from './hub-party-routes.js'
import { partnerRoutes } from './partner-routes.js'
import { partyRoutes } from './party-routes.js'
import { registrationRoutes } from './registration-routes.js'
import { offeredTariffRoutes } from './tariff-routes.js'
import { partnerTokenRoutes } from './token-routes.js'

export const ocpiPartnerRoutes = [
  ...partyRoutes,
  ...partnerRoutes,
  ...registrationRoutes,
  ...exchangeRoutes,
  ...hubPartyRoutes,
  ...partnerTokenRoutes,
  ...offeredTariffRoutes,
]
