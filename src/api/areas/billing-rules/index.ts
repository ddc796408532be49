// Every route of the area.

import { ruleRoutes } from './rule-routes.js'
import { simulateRulesRoutes } from './simulate-rules-route.js'

export const billingRuleRoutes = [...ruleRoutes, ...simulateRulesRoutes]
