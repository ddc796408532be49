// Every route of the area.

export { diagnosisRoutes } from './operator-routes.js'
