// Every route of the area.

export { feedRoutes as eventRoutes } from './feed-routes.js'
