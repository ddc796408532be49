// Every route of the area.

export { modelRoutes } from './model-routes.js'
