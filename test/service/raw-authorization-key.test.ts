// A password that an operator sets by a raw ChangeConfiguration: it is the charge point's from then on, and stands nowhere.

import { test } from 'tap'
import { bootChargePoint, historyOf } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'

const first = 'aabbccddeeff00112233445566778899aabbccdd'
const second = '00112233445566778899AABBCCDDEEFF00112233'

const basic = (key: string, asText = false): { headers: { authorization: string } } => {
  const password = asText ? Buffer.from(key) : Buffer.from(key, 'hex')
  const credentials = Buffer.concat([Buffer.from('RA-1:'), password]).toString('base64')
  return { headers: { authorization: `Basic ${credentials}` } }
}

test('authorization key - one that is set by ChangeConfiguration is good, and the one before until it has been used', async (t) => {
  const service = await tenantOf(await sharedService())
  const url = `${service.ocppUrl}/RA-1`
  await bootChargePoint(service, 'RA-1')
  const { body: made } = await service.request('POST', '/api/v1/chargepoints/RA-1/authorization-key')
  const client = await connectOcpp(url, basic(made.authorization_key))
  const set = (value: unknown, key = 'AuthorizationKey') =>
    service.request('POST', '/api/v1/ocpp16/send_command', {
      charge_point_id: 'RA-1',
      command: 'ChangeConfiguration',
      payload: { key, value },
    })
  const isInvalid = {
    status: 400,
    body: { error: { code: 'validation_error', details: [{ path: '/payload/value' }] } },
  }
  for (const wrong of ['', 'secret', 'aa'.repeat(15), 'aa'.repeat(21), 'zz'.repeat(20)])
    t.match(await set(wrong), isInvalid, wrong)

  const refused = set(first)
  await client.answerNext({ status: 'Rejected' })
  t.match(await refused, { status: 200, body: { status: 'Rejected' } })
  await t.rejects(connectOcpp(url, basic(first)), { message: 'HTTP 401' }, 'a key that was refused')

  const again = await connectOcpp(url, basic(made.authorization_key))
  const taken = set(first, 'authorizationkey')
  t.match(await again.answerNext({ status: 'Accepted' }), [2, String, 'ChangeConfiguration', { value: first }])
  t.match(await taken, { status: 200, body: { status: 'Accepted' } })
  const old = await connectOcpp(url, basic(made.authorization_key))
  await old.close()
  const current = await connectOcpp(url, basic(first, true))
  t.match(await current.call('Heartbeat', {}), { error: undefined })
  await t.rejects(
    connectOcpp(url, basic(made.authorization_key)),
    { message: 'HTTP 401' },
    'it has logged in with the new one',
  )

  const unanswered = set(second)
  await current.nextFrame()
  await current.close()
  t.match(await unanswered, { status: 422 })
  await (await connectOcpp(url, basic(first))).close()
  await (await connectOcpp(url, basic(second))).close()

  const stored = [
    JSON.stringify(await historyOf(service, 'RA-1')),
    JSON.stringify((await service.request('GET', '/api/v1/audit-log')).body),
    service.output(),
  ].join('\n')
  for (const key of [first, second]) t.notOk(stored.toLowerCase().includes(key.toLowerCase()), 'no secret is shown')
})
