// Every route of the area.

export { ocpiCommandRoutes } from './command-routes.js'
