// Every route of the area.

export { alertRoutes } from './alert-routes.js'
