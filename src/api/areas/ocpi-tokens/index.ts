// Every route of the area.

export { tokenRoutes as ocpiTokenRoutes } from './token-routes.js'
