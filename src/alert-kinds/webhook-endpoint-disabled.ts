// The service has switched a webhook endpoint off.

import { defineAlertKind } from './define-kind.js'

interface DisabledFacts {
  readonly endpointId: string
  readonly reason: 'gone' | 'failing'
}

const reasons = {
  gone: 'the receiver answered 410 Gone',
  failing: 'every delivery has failed for five days',
}

export const webhookEndpointDisabled = defineAlertKind({
  name: 'webhook_endpoint_disabled',
  severity: 'critical',
  meaning:
    'A webhook endpoint was switched off, because its receiver answered 410 Gone or every delivery has failed for five days.',
  lasts: false,
  nextStep: 'Repair the receiver, and switch the endpoint on again; then replay what it has missed.',
  look: '/api/v1/webhooks/endpoints/{webhook_endpoint_id}',
  find: ({ endpointId, reason }: DisabledFacts) => ({
    message: `webhook endpoint ${endpointId} was switched off: ${reasons[reason]}`,
  }),
})
