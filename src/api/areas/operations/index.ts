// Every route of the area.

export { operationRoutes } from './operations.js'
