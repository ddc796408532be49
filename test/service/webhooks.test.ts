// Webhooks of the built service, at real receivers: what arrives, in which form, and that two verifiers which we share no
// code with accept the signatures.

import { Webhook } from 'standardwebhooks'
import { test } from 'tap'
import { bootChargePoint } from '../support/charge-point.js'
import { hasBodySignature, startReceiver } from '../support/receiver.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

const environment = { AMPSHARD_ALLOW_INSECURE_WEBHOOKS: 'true' }

test('webhooks - an event arrives signed, in both forms', async (t) => {
  const service = await startService(t, { environment })
  const receiver = await startReceiver(t)
  const made = await service.request('POST', '/api/v1/webhooks/endpoints', {
    url: `${receiver.url}/a`,
    events: ['charge_point.connected'],
  })
  t.equal(made.status, 201, JSON.stringify(made.body))
  const { secret } = made.body
  const client = await bootChargePoint(service, 'CP-1')
  const [first] = await until(() => receiver.received.length > 0 && receiver.received)
  if (first === undefined) throw new Error('nothing came')
  t.equal(first.json.event, 'charge_point.connected')
  t.ok(hasBodySignature(first, 'x-webhook-signature', secret))
  t.ok(hasBodySignature(first, 'x-service-signature', secret))
  t.doesNotThrow(() => new Webhook(secret).verify(first.body, first.headers as Record<string, string>))
  const list = await until(async () => {
    const { body } = await service.request('GET', `/api/v1/webhooks/endpoints/${made.body.id}/deliveries`)
    return body.total > 0 && body
  })
  t.match(list.deliveries[0], { event: 'charge_point.connected', status: 'succeeded', response_code: 200, attempts: 1 })
  await client.close()
})
