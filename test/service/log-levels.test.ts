// The log as support reads it: at debug what happened, at trace what was said too, and never a secret.

import { type Test, test } from 'tap'
import { connectOcpp, refusedFor } from '../support/ocpp-client.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

type Line = Readonly<Record<string, unknown>>

const password = 'a1b2c3d4e5'.repeat(4)

/** What the log says of a charge point that is refused, comes, is given a password and goes, and of requests that fail. */
async function logOf(t: Test, level: string): Promise<{ readonly text: string; readonly lines: readonly Line[] }> {
  const service = await startService(t, { flags: ['--log-level', level] })
  await refusedFor(`${service.ocppUrl}/NOBODY`)
  await service.register('CP-1')
  await service.request('POST', '/api/v1/chargepoints', { charge_point_id: 'no good' })
  await service.request('GET', '/api/v1/sessions/guest/gst_secret-token/status')
  await service.request('DELETE', '/api/v1/sessions/guest/gst_secret-token/status')
  await service.request('OPTIONS', '/api/v1/sessions/guest/gst_secret-token/stop')
  await service.request('GET', '/api/v1/sessions/guest/gst_secret-token')
  await service.request('GET', '/api/v1/sesions/guest/gst_secret-token')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await client.boot()
  await client.call('Authorize', { idTag: 'TAG-SECRET' })
  client.raw('{ not json')
  const asked = service.request('POST', '/api/v1/ocpp16/send_command', {
    charge_point_id: 'CP-1',
    command: 'ChangeConfiguration',
    payload: { key: 'AuthorizationKey', value: password },
  })
  await client.answerNext({ status: 'NotSupported' })
  await asked
  await client.close()
  await service.request('GET', '/api/v1/nowhere')
  const text = await until(() => (service.output().includes('/api/v1/nowhere') ? service.output() : undefined))
  const lines = text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
  return { text, lines }
}

test('log - debug has each request, connection, refusal and message, without what they carry', async (t) => {
  const { text, lines } = await logOf(t, 'debug')
  const has = (wanted: Line): boolean =>
    t.ok(
      lines.some((line) => Object.entries(wanted).every(([name, value]) => line[name] === value)),
      JSON.stringify(wanted),
    )
  has({ msg: 'connection refused', charge_point_id: 'NOBODY', status: 404, reason: 'unknown_charge_point' })
  has({ msg: 'request', method: 'POST', path: '/api/v1/chargepoints', operation: 'registerChargePoint', status: 201 })
  has({ msg: 'request', method: 'POST', path: '/api/v1/chargepoints', status: 400, code: 'validation_error' })
  has({ msg: 'request', path: '/api/v1/nowhere', status: 404, code: 'not_found' })
  has({ msg: 'request', method: 'DELETE', path: '/api/v1/sessions/guest/{}/status', status: 405 })
  has({ msg: 'request', path: '/api/v1/sessions/guest/{}', status: 404 })
  has({ msg: 'request', path: '/api/v1/sesions/...', status: 404 })
  has({ msg: 'connected', charge_point_id: 'CP-1', remote_address: '127.0.0.1', security_profile: 0 })
  has({ msg: 'message received', charge_point_id: 'CP-1', type: 'CALL', action: 'BootNotification' })
  has({ msg: 'message sent', charge_point_id: 'CP-1', type: 'CALLRESULT' })
  has({ msg: 'message received', charge_point_id: 'CP-1', unreadable: true, characters: 10 })
  has({ msg: 'message sent', type: 'CALL', action: 'ChangeConfiguration' })
  has({ msg: 'disconnected', charge_point_id: 'CP-1' })
  t.notMatch(text, 'payload')
  t.notMatch(text, 'gst_secret-token')
  t.notMatch(text, password)
})

test('log - trace has what messages and requests carry, with secrets masked', async (t) => {
  const { text, lines } = await logOf(t, 'trace')
  const sent = lines.find((line) => line.msg === 'message sent' && line.action === 'ChangeConfiguration')
  t.match(sent?.payload, '"AuthorizationKey"')
  const authorize = lines.find((line) => line.action === 'Authorize')
  t.equal(authorize?.payload, '{"idTag":"(redacted)"}')
  const request = lines.find((line) => line.msg === 'request' && line.path === '/api/v1/ocpp16/send_command')
  t.match(request?.body, '"ChangeConfiguration"')
  for (const secret of [password, 'TAG-SECRET', 'gst_secret-token']) t.notMatch(text, secret)
})

test('log - a message that is nested as deep as it has room is told by its length, one that is less deep is written in part, and none ends anything', async (t) => {
  const service = await startService(t, { flags: ['--log-level', 'trace'] })
  await service.register('CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await client.boot()
  for (const [open, close, depth] of [
    ['{"a":', '}', 9_000],
    ['[', ']', 30_000],
    ['[', ']', 1_900],
  ] as const) {
    client.raw(
      `[2,"${open}","DataTransfer",{"vendorId":"v","data":${open.repeat(depth)}1${close.repeat(depth)}}]`.replace(
        `"${open}"`,
        '"deep"',
      ),
    )
    const [, id] = await client.nextFrame()
    t.equal(id, 'deep')
  }
  await until(() => service.output().includes('"payload":"{\\"vendorId\\":\\"v\\",\\"data\\":[[['))
  t.equal(service.output().split('"unread":true').length - 1, 2)
  t.equal((await client.call('Heartbeat', {})).payload.currentTime?.slice(0, 2), '20')
})

test('log - info has none of them', async (t) => {
  const service = await startService(t, { flags: ['--log-level', 'info'] })
  await service.register('CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await client.boot()
  await service.stop('SIGTERM')
  t.match(service.output(), '"msg":"ended"')
  for (const message of ['request', 'connected', 'message received']) t.notMatch(service.output(), `"msg":"${message}"`)
})
