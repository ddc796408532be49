// Every route of the area.

import { authorizeGuestRoutes } from './authorize-guest.js'
import { guestSessionRoutes as ownRoutes } from './guest-session-routes.js'

export const guestSessionRoutes = [...authorizeGuestRoutes, ...ownRoutes]
