// Why a charge point does not come online, on real sockets: its attempts are told to its organization as they happen.

import { type Test, test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const service = await sharedService()

test('connection status - a misspelt id and a wrong path are told before the first connect, and it says so once connected', async (t) => {
  const tenant = await tenantOf(service)
  await tenant.register('DIAGNOSIS-0001')
  const status = async () => (await tenant.request('GET', '/api/v1/chargepoints/DIAGNOSIS-0001/connection-status')).body
  const root = service.ocppUrl.replace('/ocpp16', '')
  for (const path of ['/ocpp16/DIAGNOSIS_0001', '/DIAGNOSIS-0001'])
    await t.rejects(connectOcpp(`${root}${path}`), /HTTP 404/)
  const told = await until(async () => {
    const found = await status()
    return found.attempts.length === 2 && found
  })
  t.match(told, {
    connected: false,
    websocket_state: 'never_opened',
    explanation: /never been connected\. Its attempt at/,
    attempts: [
      { match: 'id', reason: 'wrong_path', cause: /ocpp16/, remote_address: '127.0.0.1' },
      { match: 'spelling', charge_point_id: 'DIAGNOSIS_0001', remedy: /DIAGNOSIS-0001/ },
    ],
  })
  const client = await connectOcpp(`${service.ocppUrl}/DIAGNOSIS-0001`)
  t.match(
    await until(async () => {
      const found = await status()
      return found.connected && found
    }),
    { websocket_state: 'open', ip_address: '127.0.0.1', explanation: /has not sent a BootNotification/ },
  )
  await client.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  t.match(await status(), { registration: 'Accepted', explanation: 'The charge point is connected.' })
  client.socket.close()
  const gone = await until(async () => {
    const found = await status()
    return !found.connected && found
  })
  t.match(gone, {
    websocket_state: 'closed',
    explanation: /has not been connected since .* Nothing that could be[^.]*\.$/,
  })
})

test('connection status - a charge point that was connected and is not any more says why, and what to do', async (t) => {
  const tenant = await tenantOf(service)
  const id = 'DROPPED-0001'
  await tenant.register(id)
  const connect = () => connectOcpp(`${service.ocppUrl}/${id}`)
  const path = `/api/v1/chargepoints/${id}`
  const statusOnce = (isConnected: boolean, before = '') =>
    until(async () => {
      const { body } = await tenant.request('GET', `${path}/connection-status`)
      return body.connected === isConnected && (isConnected ? body.connected_at : body.disconnected_at) > before && body
    })
  const silent = await connect()
  t.match(await statusOnce(true), { last_close: null })
  silent.socket.terminate()
  const first = await statusOnce(false)
  t.match(first, {
    last_close: {
      code: 1006,
      at: first.disconnected_at,
      cause: /without a word.* had sent no BootNotification/,
      remedy: /OCPP 1\.6-J.* restart it/,
    },
    explanation: /has not been connected since .* had sent no BootNotification.* restart it.* Nothing that could be/,
  })

  const large = await connect()
  await large.boot()
  large.raw(JSON.stringify([2, '1', 'DataTransfer', { vendorId: 'V', data: 'x'.repeat(100_000) }]))
  const second = await statusOnce(false, first.disconnected_at)
  t.match(second.last_close, { code: 1009, cause: /larger than the service takes/, remedy: /less in one message/ })
  const { body: tested } = await tenant.request('POST', `${path}/test-connection`)
  t.match(tested, { result: 'offline', last_close: second.last_close, explanation: /larger than the service takes/ })

  const [older, newer] = [await connect(), await connect()]
  await older.closed
  t.match(await statusOnce(true, second.disconnected_at), {
    last_close: { code: 1000, cause: /has taken the place of an earlier one/ },
    explanation: /The charge point is connected.* two charge points have the same id/,
  })
  newer.socket.close(1001, 'rebooting')
  t.match(await statusOnce(false, second.disconnected_at), {
    last_close: { code: 1001, reason: 'rebooting', cause: /going away.* "rebooting"/ },
    explanation: /it restarted, or was switched off/,
  })
})

/** As its page is asked for, once it says what is looked for. */
function diagnosed(of: Pick<typeof service, 'request'>, id: string, isWanted: (body: Diagnosed) => boolean) {
  return until(async () => {
    const path = `/api/v1/chargepoints/${encodeURIComponent(id)}/connection-diagnosis`
    const { status, body } = await of.request('GET', path)
    return status === 200 && isWanted(body) && (body as Diagnosed)
  })
}

interface Diagnosed {
  readonly cause: string
  readonly steps: readonly string[]
  readonly last: readonly { readonly reason: string }[]
  readonly stages: readonly { readonly stage: string; readonly outcome: string }[]
  readonly online: boolean
  readonly since: string | null
}

const refusedAs =
  (reason: string) =>
  ({ last, online }: Diagnosed): boolean =>
    !online && last[0]?.reason === reason

/** What somebody who operates charge points reads: no word of the settings of the service, and nothing of mark-up. */
const forOperators = (t: Test, { cause, steps }: Diagnosed): void => {
  t.notMatch([cause, ...steps].join(' '), /`|--|\/api\/|undefined|null/)
}

test('connection diagnosis - what is refused says in plain words what is wrong and the one thing to do', async (t) => {
  const tenant = await tenantOf(service)
  const root = service.ocppUrl.replace('/ocpp16', '')
  const refusedOnce = (path: string, options = {}) => t.rejects(connectOcpp(`${root}${path}`, options), /HTTP 4/)

  await tenant.register('WHY-KEY')
  await tenant.request('POST', '/api/v1/chargepoints/WHY-KEY/authorization-key', {})
  await refusedOnce('/ocpp16/WHY-KEY', { headers: { authorization: `Basic ${btoa('WHY-KEY:not-that-one')}` } })
  await tenant.register('WHY-PATH')
  await refusedOnce('/ocpp/WHY-PATH')
  await tenant.register('WHY-VERSION')
  await refusedOnce('/ocpp16/WHY-VERSION', { subprotocols: ['ocpp2.0.1'] })
  await service.register('WHY-0083')
  await refusedOnce('/ocpp16/WHY-083')
  await refusedOnce('/ocpp16/LEIPZIG-WHY-77')
  await refusedOnce('/ocpp16')
  await tenant.register('WHY-NEVER')

  const password = await diagnosed(tenant, 'WHY-KEY', refusedAs('wrong_password'))
  t.match(password, { cause: /wrong password/, steps: [/^Set its password in the charge point again\./] })
  const path = await diagnosed(tenant, 'WHY-PATH', refusedAs('wrong_path'))
  t.match(path, { cause: /address .* is wrong/, steps: [new RegExp(`^Set the address .*${root}/ocpp16/WHY-PATH\\.$`)] })
  const version = await diagnosed(tenant, 'WHY-VERSION', refusedAs('wrong_subprotocol'))
  t.match(version, { cause: /another version of OCPP/, steps: [/^Set the charge point to OCPP 1\.6-J/] })
  const mistyped = await diagnosed(service, 'WHY-083', refusedAs('unknown_charge_point'))
  t.match(mistyped, {
    cause: 'Nobody has registered WHY-083, but WHY-0083 differs in one character, and is not connected.',
    steps: [/^If this is WHY-0083, correct the id .* to WHY-0083\. If it is another charge point, register it\.$/],
    differs_from: [{ charge_point_id: 'WHY-0083', match: 'one_character' }],
  })
  const unknown = await diagnosed(service, 'LEIPZIG-WHY-77', refusedAs('unknown_charge_point'))
  t.match(unknown, { cause: /Nobody has registered/, steps: [/^Register it/], differs_from: [] })
  const withoutId = await diagnosed(service, '/ocpp16', refusedAs('no_identity'))
  t.match(withoutId, {
    cause: /lacks the id of the charge point/,
    steps: [new RegExp(`^Set the address in the charge point to ${root}/ocpp16/ with its id`)],
  })
  const never = await diagnosed(tenant, 'WHY-NEVER', () => true)
  t.match(never, { cause: /Nothing of the charge point arrives/, steps: [/power/, /begins with ws/, /firewall/] })
  for (const told of [password, path, version, mistyped, unknown, withoutId, never]) forOperators(t, told)

  const { body } = await service.request('GET', '/api/v1/cpo/refused-charge-points?limit=200')
  const ids = body.data.map(({ charge_point_id }: { charge_point_id: string }) => charge_point_id)
  t.ok(ids.includes('/ocpp16') && !ids.includes('ocpp16'), 'what lacks an id is not called by a part of the address')

  const known = await connectOcpp(`${service.ocppUrl}/WHY-0083`)
  const later = await diagnosed(service, 'WHY-083', ({ cause }) => !cause.includes('WHY-0083'))
  t.match(later, { differs_from: [] }, 'who is connected has no wrong id')
  await known.close()
})

test('connection diagnosis - one that is let in and closes again is told to arrive, and what it lacks', async (t) => {
  const tenant = await tenantOf(service)
  await tenant.register('WHY-SILENT')
  const client = await connectOcpp(`${service.ocppUrl}/WHY-SILENT`, { subprotocols: [] })
  await client.close()
  const told = await diagnosed(tenant, 'WHY-SILENT', ({ online, since }) => !online && since !== null)
  t.match(told, {
    cause:
      /^The charge point arrives and is let in.* closed the connection itself.* no BootNotification.* no subprotocol/,
    steps: [/^Set the charge point to OCPP 1\.6-J/],
  })
  forOperators(t, told)
  const failed = told.stages.filter(({ outcome }) => outcome === 'failed').map(({ stage }) => stage)
  t.same(failed, ['online'])
  t.match(
    told.stages.find(({ stage }) => stage === 'subprotocol'),
    { outcome: 'passed', detail: /offers no subprotocol/ },
  )
  t.notMatch(JSON.stringify(told), /Nothing of it arrives|firewall/)
})

test('connection diagnosis - one whose line breaks before it has said what it is has its line looked at first', async (t) => {
  const tenant = await tenantOf(service)
  await tenant.register('WHY-CUT')
  const client = await connectOcpp(`${service.ocppUrl}/WHY-CUT`)
  client.socket.terminate()
  const told = await diagnosed(tenant, 'WHY-CUT', ({ online, since }) => !online && since !== null)
  t.match(told, {
    cause: /^The charge point arrives and is let in.* ended without a word.* no BootNotification/,
    steps: [
      /the cable and the router/,
      /its display goes dark/,
      /no other charge point has the id WHY-CUT/,
      /^If all of that is good: Set the charge point to OCPP 1\.6-J/,
    ],
  })
  forOperators(t, told)
})

test('connection diagnosis - an O in the place of a 0 is named, as nobody sees it', async (t) => {
  await service.register('SEEN-001')
  await t.rejects(connectOcpp(`${service.ocppUrl}/SEEN-0O1`), /HTTP 4/)
  const which = /Character 7 is the letter O, and has to be the digit 0 \(zero\)\./
  const unknown = await diagnosed(service, 'SEEN-0O1', refusedAs('unknown_charge_point'))
  t.match(unknown.steps[0], which)
  const known = await diagnosed(service, 'SEEN-001', ({ cause }) => cause.includes('SEEN-0O1'))
  t.match(known.steps[0], which)
  for (const told of [unknown, known]) forOperators(t, told)
})

test('connection diagnosis - one that reconnects too often is told to have a bad link, and all of its refusals are counted', async (t) => {
  const tenant = await tenantOf(service)
  await tenant.register('WHY-OFTEN')
  let refusals = 0
  for (let at = 0; at < 60; at++)
    await connectOcpp(`${service.ocppUrl}/WHY-OFTEN`).then(
      (client) => client.socket.terminate(),
      () => refusals++,
    )
  t.ok(refusals > 25, 'more than are stored one by one')
  const told = await diagnosed(tenant, 'WHY-OFTEN', refusedAs('flapping'))
  t.match(told, { cause: /reconnects again and again/, steps: [/^Check its network link/] })
  forOperators(t, told)
  const row = await until(async () => {
    const { body } = await tenant.request('GET', '/api/v1/cpo/refused-charge-points')
    return body.data[0]?.attempts === refusals && body.data[0]
  })
  t.match(row, { charge_point_id: 'WHY-OFTEN', reason: 'flapping' })
  const { attempts_24h } = (await tenant.request('GET', '/api/v1/chargepoints/WHY-OFTEN/connection-diagnosis')).body
  t.equal(
    attempts_24h.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
    refusals,
  )
})

test('connection diagnosis - those of a site that go together are told so, and what was done to them before is not blamed', async (t) => {
  const tenant = await tenantOf(service)
  const place = { name: 'Airport', address: 'Apron 1', max_grid_power_kw: 50, latitude: 52, longitude: 4 }
  const { site_id } = (await tenant.request('POST', '/api/v1/sites', place)).body
  const clients = new Map<string, Awaited<ReturnType<typeof connectOcpp>>>()
  for (const id of ['WHY-LOST-1', 'WHY-LOST-2', 'WHY-LOST-3', 'WHY-STAYS']) {
    await tenant.register(id)
    await tenant.request('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`)
    const client = await connectOcpp(`${service.ocppUrl}/${id}`)
    await client.boot()
    clients.set(id, client)
  }
  const lost = ({ online }: Diagnosed): boolean => !online
  clients.get('WHY-LOST-1')?.socket.terminate()
  const alone = await diagnosed(tenant, 'WHY-LOST-1', lost)
  t.match(alone, {
    cause: /without a word/,
    lost_together: null,
    probable_cause: null,
    steps: [/power/, /network/, /restart it/],
  })
  for (const id of ['WHY-LOST-2', 'WHY-LOST-3']) clients.get(id)?.socket.terminate()
  await diagnosed(tenant, 'WHY-LOST-2', lost)
  await diagnosed(tenant, 'WHY-LOST-3', lost)
  const some = await diagnosed(tenant, 'WHY-LOST-1', ({ cause }) => cause.startsWith('3 of 4'))
  t.match(some, {
    cause: /^3 of 4 charge points at Airport went away within the same minute: .* not this charge point\.$/,
    lost_together: { charge_points: 3, still_connected: 1, shared: 'site', name: 'Airport', first_at: alone.since },
    probable_cause: null,
  })
  clients.get('WHY-STAYS')?.socket.terminate()
  const all = await diagnosed(tenant, 'WHY-LOST-1', ({ cause }) => cause.startsWith('All 4'))
  t.match(all, {
    cause: /at Airport .*: it is the network or the power of the site, not this charge point\.$/,
    steps: [/^Ask at the site whether it has power/, /router/, /by themselves/],
    neighbours: [{ online: false }, { online: false }, { online: false }],
  })
  for (const told of [alone, some, all]) forOperators(t, told)
  t.notMatch(JSON.stringify([all.cause, all.steps]), /WebSocketPingInterval|wss/)
})
