// Every route of the area.

import { webhookDeliveryRoutes } from './webhook-deliveries.js'
import { webhookEndpointRoutes } from './webhook-routes.js'

export const webhookRoutes = [...webhookEndpointRoutes, ...webhookDeliveryRoutes]
