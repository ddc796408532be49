// Every route of the area.

export { ocpiSessionRoutes } from './session-routes.js'
