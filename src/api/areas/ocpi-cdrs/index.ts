// Every route of the area.

export { ocpiCdrRoutes } from './cdr-routes.js'
