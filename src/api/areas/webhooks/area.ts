// The area of webhooks: where an organization has its events sent, and what became of each. Endpoints and deliveries are written by the
// actor of the endpoint alone: routes read them, and ask the actor for changes.

import { webhookEndpointsTable } from '../../../records/webhook-endpoint.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Webhooks',
  about: 'Endpoints that receive events, their secrets, their deliveries and replays.',
  path: '/api/v1/webhooks/endpoints',
  read: 'read:webhooks',
  write: 'write:webhooks',
})

export const endpoints = defineOwned({
  table: webhookEndpointsTable,
  id: 'endpoint_id',
  idPrefix: 'whe',
  called: 'webhook endpoint',
})
