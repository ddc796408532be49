// A webhook endpoint fails. Its actor looks after each attempt.

import { parseUrl } from '../runtime/parse-url.js'
import { defineAlertKind } from './define-kind.js'
import { failing_since } from './details.js'

interface FailingFacts {
  readonly url: string
  readonly since: string
}

export const webhookEndpointFailing = defineAlertKind({
  name: 'webhook_endpoint_failing',
  severity: 'warning',
  meaning: 'Every delivery to a webhook endpoint has failed for longer than the threshold.',
  lasts: true,
  threshold: {
    name: 'webhook_failing_minutes',
    fallback: 60,
    minimum: 1,
    maximum: 7_200,
    meaning: 'For how long every delivery to a webhook endpoint has to fail.',
  },
  resolution: 'the webhook endpoint accepts deliveries again',
  nextStep:
    'Check the receiver. Events are kept and sent again; after five days of failures the endpoint is switched off.',
  look: '/api/v1/webhooks/endpoints/{webhook_endpoint_id}/deliveries',
  details: { failing_since },
  find: ({ url, since }: FailingFacts) => ({
    message: `every delivery to the webhook endpoint at ${hostOf(url)} has failed since ${since}`,
    details: { failing_since: since },
  }),
})

/** The rest of a URL may hold a secret. */
function hostOf(url: string): string {
  return parseUrl(url)?.host ?? 'an unknown address'
}
