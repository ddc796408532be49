// Every route of the area.

import { simulateTariffRoutes } from './simulate-tariff.js'
import { tariffAssignmentRoutes } from './tariff-assignment.js'
import { tariffRateRoutes } from './tariff-rates.js'
import { tariffRoutes as ownRoutes } from './tariff-routes.js'

export const tariffRoutes = [...ownRoutes, ...tariffRateRoutes, ...tariffAssignmentRoutes, ...simulateTariffRoutes]
