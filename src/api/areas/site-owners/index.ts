// Every route of the area.

import { onboardingRoutes } from './onboarding-routes.js'
import { siteOwnerInvitationRoutes } from './site-owner-invitations.js'
import { siteOwnerRoutes as ownRoutes } from './site-owner-routes.js'

export const siteOwnerRoutes = [...siteOwnerInvitationRoutes, ...onboardingRoutes, ...ownRoutes]
