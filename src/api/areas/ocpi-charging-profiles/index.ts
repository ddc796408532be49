// Every route of the area.

export { ocpiChargingProfileRoutes } from './profile-routes.js'
