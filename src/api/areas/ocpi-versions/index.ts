// Every route of the area.

export { ocpiVersionRoutes } from './version-routes.js'
