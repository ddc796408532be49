// Every route of the area.

export { reservationRoutes } from './reservation-routes.js'
