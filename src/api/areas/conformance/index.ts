// Every route of the area.

export { conformanceRoutes } from './conformance.js'
