// Every route of the area.

export { installerRoutes } from './installer-routes.js'
