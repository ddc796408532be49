// Every route of the area.

export { placeRoutes as ocpiPlaceRoutes } from './place-routes.js'
