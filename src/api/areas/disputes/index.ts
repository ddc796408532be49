// Every route of the area.

export { disputeRoutes } from './dispute-routes.js'
