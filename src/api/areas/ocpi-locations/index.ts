// Every route of the area.

export { locationRoutes as ocpiLocationRoutes } from './location-routes.js'
