// Every route of the area.

export { hubClientInfoRoutes as ocpiHubClientInfoRoutes } from './client-info-routes.js'
