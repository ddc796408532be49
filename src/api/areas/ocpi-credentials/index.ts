// Every route of the area.

export { ocpiCredentialsRoutes } from './credentials-routes.js'
