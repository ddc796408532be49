// Every route of the area.

export { referenceRoutes } from './reference.js'
