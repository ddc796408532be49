// Every route of the area.

export { ocpiTariffRoutes } from './tariff-routes.js'
