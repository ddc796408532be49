// Makes the store of schema version 1: three weeks of a small installation, lived through by the program at commit a63025d with a
// wall clock that is set, and what its API answered about them in the end. How to run it is in README.md.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync, constants } from 'node:zlib'

const program = resolve(process.argv[2] ?? '.')
const target = import.meta.dirname
const load = (path) => import(join(program, 'dist', path))
const { startService } = await load('test/support/service.js')
const { connectOcpp } = await load('test/support/ocpp-client.js')
const { startReceiver } = await load('test/support/receiver.js')
const { until } = await load('test/support/until.js')
const { settableClock } = await load('test/chaos/shims.js')
const { answersOf } = await import(join(target, 'answers.mjs'))

const ends = []
const teardowns = { teardown: (end) => ends.push(end) }
process.on('uncaughtException', async (error) => {
  process.stderr.write(`${error.stack}\n`)
  for (const end of ends) await end()
  process.exit(1)
})
const work = mkdtempSync(join(tmpdir(), 'ampshard-version-1-'))
const data = join(work, 'data')
mkdirSync(data)
const clock = settableClock(work)
const setTo = (time) => clock.set(Date.parse(time) - Date.now())
const at = (time) => new Date(time).toISOString()
const bootstrapKey = 'version-1-operator-0123456789abcdefghijklmn'
const flags = ['--unknown-charge-points', 'accept', '--alert-settle-seconds', '0', '--provisional-close-seconds', '1']
const environment = { ...clock.environment, AMPSHARD_ALLOW_INSECURE_WEBHOOKS: 'true' }

setTo('2026-10-20T08:00:00Z')
let service = await startService(teardowns, { data, key: bootstrapKey, flags, environment })

function caller(key) {
  const authorization = `Bearer ${key}`
  const request = (method, path, body, headers = {}) =>
    service.request(method, `/api/v1${path}`, body, { authorization, ...headers })
  return {
    key,
    request,
    async make(method, path, body, headers) {
      const answer = await request(method, path, body, headers)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    },
  }
}

function tokenOfMail(email) {
  const folder = join(data, 'mail')
  if (!existsSync(folder)) return undefined
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8')
    if (!text.includes(email)) continue
    const token = /^ {4}([A-Za-z0-9_-]{43})\r?$/m.exec(text.replaceAll(/=\r?\n/g, ''))?.[1]
    if (token !== undefined) return token
  }
  return undefined
}

/** A charge point that answers as `answers` says, by action; what it is asked is in `asked`. */
async function connect(id, answers = {}) {
  const client = await connectOcpp(`${service.ocppUrl}/${id}`)
  const asked = []
  void (async () => {
    for (;;) {
      const [, messageId, action, payload] = await client.nextFrame()
      asked.push({ action, payload })
      const usual = { UnlockConnector: { status: 'Unlocked' }, GetConfiguration: {}, UpdateFirmware: {} }[action]
      const answer = action in answers ? answers[action] : (usual ?? { status: 'Accepted' })
      if (answer !== 'silence') client.raw(JSON.stringify([3, messageId, answer]))
    }
  })()
  await client.boot({ chargePointModel: 'Model 7', chargePointSerialNumber: `SN-${id}`, firmwareVersion: '1.2.3' })
  for (const connectorId of [1, 2]) await status({ client }, connectorId, 'Available')
  return { id, client, asked }
}

const status = ({ client }, connectorId, what, errorCode = 'NoError') =>
  client.call('StatusNotification', { connectorId, status: what, errorCode, timestamp: at(clock.now()) })

async function start({ client }, connectorId, idTag, timestamp, meterStart = 1000, more = {}) {
  const { payload } = await client.call('StartTransaction', { connectorId, idTag, meterStart, timestamp, ...more })
  return payload.transactionId
}

const meter = ({ client }, connectorId, transactionId, timestamp, wattHours, power = 11_000) =>
  client.call('MeterValues', {
    connectorId,
    transactionId,
    meterValue: [
      {
        timestamp,
        sampledValue: [
          { value: `${wattHours}`, measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
          { value: `${power}`, measurand: 'Power.Active.Import', unit: 'W' },
        ],
      },
    ],
  })

const stop = ({ client }, transactionId, timestamp, meterStop, reason = 'Local') =>
  client.call('StopTransaction', { transactionId, timestamp, meterStop, reason, idTag: 'TAG-A' })

const operator = caller(bootstrapKey)
const { id: ownId } = (await operator.make('GET', '/organizations')).data[0]
await operator.make('PUT', `/organizations/${ownId}/settings`, {
  timezone: 'Europe/Amsterdam',
  notification_preferences: { weekly_report: true },
  alert_thresholds: { connector_faulted_minutes: 0, charge_point_offline_minutes: 600 },
})
await operator.make('PUT', `/organizations/${ownId}`, {
  name: 'Zuidlaad',
  country: 'NL',
  contact_email: 'operations@example.com',
})
const north = await operator.make('POST', '/organizations', {
  name: 'Nordladen',
  country: 'DE',
  contact_email: 'nord@example.com',
  timezone: 'Europe/Berlin',
})
const northern = caller(north.api_key)
await operator.make('PUT', `/organizations/${north.id}/plan`, { plan: 'pro' })

// Members, their keys, and keys of other kinds.
const invite = (email, role) => operator.make('POST', `/organizations/${ownId}/invitations`, { email, role })
await invite('anna@example.com', 'admin')
await invite('bram@example.com', 'viewer')
await invite('open@example.com', 'member')
const revoked = await invite('revoked@example.com', 'member')
await operator.make('DELETE', `/organizations/${ownId}/invitations/${revoked.id}`)
const members = {}
for (const email of ['anna@example.com', 'bram@example.com']) {
  const token = await until(() => tokenOfMail(email))
  const name = email.slice(0, 4)
  members[name] = await operator.make('POST', '/organizations/invitations/accept', { token, name })
}
const makeKey = (name, scopes, more = {}) => operator.make('POST', '/org/api-keys', { name, scopes, ...more })
const { data: firstKeys } = await operator.make('GET', '/org/api-keys')
const everyScope = firstKeys[0].scopes
const keys = {
  anna: await makeKey('Anna', everyScope, { user_id: members.anna.user_id }),
  bram: await makeKey('Bram', ['read:sessions', 'read:charge_points'], { user_id: members.bram.user_id }),
  limited: await makeKey('Reporting', ['read:sessions', 'read:billing']),
  second: await makeKey('Second owner', everyScope),
  ending: await makeKey('Until June', ['write:charge_points'], { expires_at: '2030-06-30T22:00:00Z' }),
  rotated: await makeKey('Rotated', ['write:commands', 'read:webhooks']),
  removed: await makeKey('Removed', ['read:sessions']),
}
const rotated = await operator.make('POST', `/org/api-keys/${keys.rotated.id}/rotate`, { overlap_seconds: 3600 })
await operator.make('DELETE', `/org/api-keys/${keys.removed.id}`)
const anna = caller(keys.anna.key)
const limited = caller(keys.limited.key)

// A site owner, approved, and one who is invited; requests for integration.
await operator.make('POST', '/site-owner/invitations', {
  email: 'owner@example.com',
  name: 'Olga Owner',
  project_id: 'site_1',
  project_name: 'Station Street car park',
})
await operator.make('POST', '/site-owner/invitations', { email: 'later@example.com', name: 'Later Owner' })
const ownerToken = await until(() => tokenOfMail('owner@example.com'))
await northern.make('POST', `/site-owner/accept-invitation/${ownerToken}`)
await northern.make('PUT', '/site-owner/profile', {
  name: 'Olga Owner',
  street: 'Station Street 1',
  postal_code: '1012 AB',
  city: 'Amsterdam',
  country: 'NL',
})
await northern.make('PUT', '/site-owner/onboarding/bank-details', {
  account_holder: 'Olga Owner',
  iban: 'NL91 ABNA 0417 1643 00',
})
await northern.make('POST', '/site-owner/onboarding/documents', {
  type: 'proof_of_ownership',
  name: 'Land register.pdf',
  url: 'https://files.example.com/land-register.pdf',
})
await northern.make('POST', '/site-owner/onboarding/complete')
const owners = await operator.make('GET', '/site-owners')
const { site_owner_id: ownerId, submitted_at } = owners.data[0]
await operator.make('POST', `/site-owners/${ownerId}/approval`, { approved: true, submitted_at })
const asked = await northern.make('POST', '/integration-requests', {
  type: 'roaming_hub',
  partner_name: 'Example Hub',
  description: 'For guests from abroad.',
})
await operator.make('PATCH', `/integration-requests/${asked.request_id ?? asked.id}`, {
  status: 'connected',
  note: 'Connected over OCPI 2.2.1.',
})
await operator.make('POST', '/integration-requests', { type: 'roaming_hub', partner_name: 'Second Hub' })

// Receivers of webhooks: one that takes everything, one that always fails, one that is switched off.
const receiver = await startReceiver(teardowns, ({ path }) => ({ status: path === '/failing' ? 500 : 200 }))
const endpoint = (path, more = {}) =>
  operator.make('POST', '/webhooks/endpoints', { url: `${receiver.url}${path}`, events: ['*'], ...more })
await endpoint('/all')
await endpoint('/failing', { payload_format: 'b', events: ['session.ended', 'alert.triggered'] })
const paused = await endpoint('/paused', { events: ['session.*'] })
await operator.make('PATCH', `/webhooks/endpoints/${paused.id}`, { active: false })

// Tariffs: one with bands, one with everything, one in another currency, one that nobody uses.
const tariff = (by, fields) => by.make('POST', '/billing/tariffs', fields)
const energy = (price, more = {}) => ({ type: 'energy', price, ...more })
const banded = await tariff(operator, {
  name: 'Night and day',
  currency: 'EUR',
  tax_percentage: 21,
  components: [energy(0.49), { type: 'flat', price: 0.35 }],
})
await operator.make('POST', `/tariffs/${banded.tariff_id}/rates`, [
  { band: 'night', components: [energy(0.29)] },
  { band: 'day', components: [energy(0.55), { type: 'idle', price: 6, grace_minutes: 10 }] },
])
await operator.make('PUT', `/tariffs/${banded.tariff_id}/schedule`, [
  { band: 'night', start_time: '22:00', end_time: '06:00' },
  { band: 'day', days: ['mon', 'tue', 'wed', 'thu', 'fri'], start_time: '06:00', end_time: '22:00' },
])
const whole = await tariff(operator, {
  name: 'Everything',
  currency: 'EUR',
  tax_percentage: 9,
  components: [
    energy(0.41, { step_size: 100 }),
    { type: 'time', price: 1.2, step_size: 60 },
    { type: 'idle', price: 4.5, grace_minutes: 5 },
    { type: 'flat', price: 0.5 },
  ],
})
await tariff(operator, { name: 'Unused', currency: 'CHF', components: [energy(0.6)] })
const northernTariff = await tariff(northern, {
  name: 'Nordpreis',
  currency: 'EUR',
  tax_percentage: 19,
  components: [energy(0.52)],
})
await operator.make('POST', '/billing/rules', {
  name: 'Long charges',
  priority: 10,
  conditions: [{ field: 'energy_kwh', operator: 'gte', value: 10 }],
  actions: [{ type: 'discount_percent', value: 15 }],
})
const rule = await operator.make('POST', '/billing/rules', {
  name: 'At night',
  priority: 20,
  conditions: [{ field: 'start_hour', operator: 'between', value: [22, 5] }],
  actions: [{ type: 'surcharge_fixed', value: 0.25 }],
})

// Charge points, id tags.
const register = (by, id, more = {}) =>
  by.make('POST', '/chargepoints', {
    charge_point_id: id,
    name: `Bay ${id}`,
    latitude: 52.37,
    longitude: 4.9,
    address: 'Example street 1, Amsterdam',
    connector_count: 2,
    max_power_kw: 22,
    ...more,
  })
for (const id of ['AMS-1', 'AMS-2', 'AMS-3', 'AMS-4', 'AMS-OLD']) await register(operator, id)
await register(northern, 'BER-1', { latitude: 52.5, longitude: 13.4, address: 'Beispielweg 2, Berlin' })
await operator.make('PATCH', '/chargepoints/AMS-3', { name: 'Bay three', ping_interval_seconds: 0 })
const assign = (by, id, { tariff_id }) => by.make('PUT', `/chargepoints/${id}/tariff`, { tariff_id })
await assign(operator, 'AMS-1', banded)
await assign(operator, 'AMS-2', whole)
await assign(operator, 'AMS-OLD', whole)
await assign(northern, 'BER-1', northernTariff)
await operator.make('DELETE', '/chargepoints/AMS-OLD')
await operator.make('POST', '/chargepoints/AMS-4/authorization-key', {})
const tag = (id_tag, more = {}) => operator.make('POST', '/id-tags', { id_tag, ...more })
await tag('TAG-A', { label: 'Fleet card 7', parent_id_tag: 'FLEET' })
await tag('TAG-B', { expiry_date: '2031-01-01T00:00:00Z' })
await tag('TAG-C')
await operator.make('PATCH', '/id-tags/TAG-C', { status: 'Blocked' })

// The first day.
let one = await connect('AMS-1')
let two = await connect('AMS-2', { Reset: { status: 'Rejected' }, TriggerMessage: 'silence' })
let three = await connect('AMS-3')
let berlin = await connect('BER-1')
let stray = await connect('STRAY-1')
async function charge(charger, connectorId, idTag, { from, minutes, wattHours, idleMinutes = 0 }) {
  const end = Date.parse(from) + minutes * 60_000
  await status(charger, connectorId, 'Charging')
  const id = await start(charger, connectorId, idTag, at(from), 5_000)
  await meter(charger, connectorId, id, at(Date.parse(from) + minutes * 30_000), 5_000 + Math.round(wattHours / 2))
  if (idleMinutes > 0)
    await charger.client.call('StatusNotification', {
      connectorId,
      status: 'SuspendedEV',
      errorCode: 'NoError',
      timestamp: at(end - idleMinutes * 60_000),
    })
  await meter(charger, connectorId, id, at(end), 5_000 + wattHours, 0)
  await stop(charger, id, at(end), 5_000 + wattHours)
  await status(charger, connectorId, 'Available')
  return id
}

await charge(one, 1, 'TAG-A', { from: '2026-10-20T05:10:00Z', minutes: 65, wattHours: 12_345, idleMinutes: 25 })
await charge(one, 2, 'TAG-B', { from: '2026-10-19T20:30:00Z', minutes: 240, wattHours: 40_010 })
await charge(two, 1, 'TAG-A', { from: '2026-10-20T06:00:00Z', minutes: 47, wattHours: 7_777, idleMinutes: 17 })
await charge(berlin, 1, 'NORD', { from: '2026-10-20T06:00:00Z', minutes: 90, wattHours: 15_150 })
await charge(three, 1, 'TAG-A', { from: '2026-10-20T06:30:00Z', minutes: 30, wattHours: 3_000 })
await charge(stray, 1, 'STRANGER', { from: '2026-10-20T06:30:00Z', minutes: 20, wattHours: 2_000 })
await one.client.call('Authorize', { idTag: 'NOBODY-KNOWS' })
await one.client.call('Authorize', { idTag: 'TAG-C' })

// Ended by estimate: another start on the same connector. Its own StopTransaction comes next month.
await status(two, 2, 'Charging')
const estimated = await start(two, 2, 'TAG-B', '2026-10-20T06:00:00Z')
await meter(two, 2, estimated, '2026-10-20T06:40:00Z', 6_400)
const after = await start(two, 2, 'TAG-A', '2026-10-20T07:00:00Z', 7_000)
await stop(two, after, '2026-10-20T07:30:00Z', 9_500)
await status(two, 2, 'Available')
// Ended by estimate: Available, and no StopTransaction.
const forgotten = await start(three, 2, 'TAG-B', '2026-10-20T07:00:00Z')
await meter(three, 2, forgotten, '2026-10-20T07:20:00Z', 4_400)
await status(three, 2, 'Charging')
await status(three, 2, 'Available')
// Ended by estimate for good.
const given = await start(stray, 2, 'TAG-B', '2026-10-20T07:10:00Z')
await meter(stray, 2, given, '2026-10-20T07:25:00Z', 2_400)
await start(stray, 2, 'TAG-A', '2026-10-20T07:30:00Z').then((id) => stop(stray, id, '2026-10-20T07:35:00Z', 3_000))
// A stop that no start explains; one is attached to the session that it is of.
await stop(three, 2_000_000_001, '2026-10-20T07:40:00Z', 9_000)
await stop(three, 2_000_000_002, '2026-10-20T07:50:00Z', 5_400)
await until(async () => {
  const { sessions } = await operator.make('GET', '/sessions?status=estimated')
  return sessions.length === 3
}, 20_000)
const { unmatched } = await operator.make('GET', '/sessions/unmatched')
const estimates = (await operator.make('GET', '/sessions?charge_point_id=AMS-3&status=estimated')).sessions
const late = unmatched.find(({ payload }) => payload.transactionId === 2_000_000_002)
await operator.make('POST', `/sessions/unmatched/${late.unmatched_id}/attach`, {
  session_id: estimates[0].session_id,
})

// Commands of every end.
const command = (id, name, parameters = {}, more = {}) =>
  operator.request('POST', `/cpo/commands/${id}`, { command: name, parameters, ...more })
await command('AMS-1', 'unlock_connector', { connector_id: 1 })
await command('AMS-1', 'set_power_limit', { connector_id: 0, limit_watts: 7400 })
await command('AMS-2', 'soft_reset')
await command('AMS-4', 'soft_reset')
await operator.request('POST', '/ocpp16/trigger_message', {
  charge_point_id: 'AMS-2',
  requested_message: 'Heartbeat',
  timeout_seconds: 1,
})
await operator.make('POST', '/cpo/commands/bulk', {
  charge_point_ids: ['AMS-1', 'AMS-3', 'AMS-4', 'NONE-1'],
  command: 'set_available',
  parameters: { connector_id: 1 },
})
await operator.make('POST', '/ocpp16/send_command', {
  charge_point_id: 'AMS-1',
  action: 'GetConfiguration',
  command: 'GetConfiguration',
  payload: { key: ['HeartbeatInterval'] },
})
await northern.make('POST', '/ocpp16/reset', { charge_point_id: 'BER-1', type: 'Soft' })

// Guests: one who pays, one whose capture is refused for good, one who is declined.
async function guest(connectorId, method) {
  const { status: answered, body } = await operator.request('POST', '/sessions/guest/authorize', {
    charge_point_id: 'AMS-2',
    connector_id: connectorId,
    payment_method_id: method,
  })
  if (answered !== 201) return undefined
  const idTag = two.asked.findLast(({ action }) => action === 'RemoteStartTransaction').payload.idTag
  return { token: body.session_token, transactionId: await start(two, connectorId, idTag, at(clock.now()), 100) }
}
const guestTokens = []
for (const method of ['pm_card_ok', 'pm_card_capture_refused', 'pm_card_declined']) {
  const made = await guest(1, method)
  if (made === undefined) continue
  await stop(two, made.transactionId, at(clock.now() + 1_000), 4_600)
  guestTokens.push(made.token)
  await until(async () => {
    const { payment_status } = await operator.make('GET', `/sessions/guest/${made.token}/status`)
    return payment_status === 'captured' || payment_status === 'failed'
  }, 20_000)
}

// Disputes, receipts, reservations, and a fault.
const { sessions } = await operator.make('GET', '/sessions?per_page=100')
const paid = sessions.filter((session) => session.cost > 0 && session.status === 'completed')
await operator.make('POST', `/portal/sessions/${paid[0].session_id}/dispute`, {
  reason: 'I was charged for idle time while the charger had failed.',
  expected_cost: 2.4,
})
for (const { session_id } of paid.slice(0, 3)) await operator.make('GET', `/portal/sessions/${session_id}/receipt`)
await limited.make('GET', '/sessions')
const reserve = (connector_id, id_tag, expiry_date) =>
  operator.make('POST', '/reservations', { charge_point_id: 'AMS-3', connector_id, id_tag, expiry_date })
const cancelled = await reserve(1, 'TAG-B', '2026-10-20T12:00:00Z')
await operator.make('DELETE', `/reservations/${cancelled.reservation_id}`)
const used = await reserve(1, 'TAG-A', '2026-10-20T12:00:00Z')
const reserved = await start(three, 1, 'TAG-A', at(clock.now()), 0, { reservationId: used.ocpp_reservation_id })
await stop(three, reserved, at(clock.now() + 1_000), 1_500)
await reserve(2, 'TAG-B', '2026-10-20T09:00:00Z')
await status(one, 2, 'Faulted', 'GroundFailure')
const alert = await until(async () => (await operator.make('GET', '/alerts')).alerts[0], 20_000)
await operator.make('POST', `/alerts/${alert.alert_id}/acknowledge`)

// Monday morning: a weekly report. Then November: the invoice of October.
async function restartAt(time) {
  await service.stop('SIGTERM')
  setTo(time)
  service = await startService(teardowns, { data, key: bootstrapKey, flags, environment })
}
await restartAt('2026-10-26T06:30:00Z')
await until(() => readdirSync(join(data, 'mail')).some((name) => hasWords(name, 'weekly', 'Week')), 60_000)
function hasWords(name, ...words) {
  const text = readFileSync(join(data, 'mail', name), 'utf8')
  return words.some((word) => text.includes(word))
}
one = await connect('AMS-1')
await charge(one, 1, 'TAG-B', { from: '2026-10-25T00:30:00Z', minutes: 180, wattHours: 22_222 })
await restartAt('2026-11-01T02:00:00Z')
await until(async () => (await operator.make('GET', '/billing/invoices')).total > 0, 60_000)
await until(async () => (await northern.make('GET', '/billing/invoices')).total > 0, 60_000)

// A correction of what is invoiced, a new price, and a day that is still going on. Mails wait: there is nobody who takes them.
flags.push('--smtp-url', 'smtp://127.0.0.1:9', '--mail-from', 'noreply@example.com')
await restartAt('2026-11-03T09:00:00Z')
two = await connect('AMS-2')
await stop(two, estimated, '2026-10-20T06:50:00Z', 7_900)
one = await connect('AMS-1')
three = await connect('AMS-3')
berlin = await connect('BER-1')
stray = await connect('STRAY-1')
await operator.make('PUT', `/billing/tariffs/${whole.tariff_id}`, {
  name: 'Everything, dearer',
  currency: 'EUR',
  tax_percentage: 9,
  components: [energy(0.45), { type: 'time', price: 1.2 }],
})
await operator.make('PUT', `/billing/rules/${rule.rule_id}`, {
  name: 'At night',
  priority: 20,
  conditions: [{ field: 'start_hour', operator: 'between', value: [22, 5] }],
  actions: [{ type: 'surcharge_fixed', value: 0.3 }],
  active: false,
})
await charge(two, 1, 'TAG-A', { from: '2026-11-03T07:00:00Z', minutes: 100, wattHours: 18_181 })
await status(one, 1, 'Charging')
const running = await start(one, 1, 'TAG-A', '2026-11-03T08:20:00Z', 30_000)
await meter(one, 1, running, '2026-11-03T08:50:00Z', 35_500)
await status(berlin, 1, 'Charging')
const northernRunning = await start(berlin, 1, 'NORD', '2026-11-03T08:40:00Z')
await meter(berlin, 1, northernRunning, '2026-11-03T08:55:00Z', 4_000)
const guestRunning = await guest(2, 'pm_card_ok')
guestTokens.push(guestRunning.token)
await meter(two, 2, guestRunning.transactionId, at(clock.now()), 1_100)
await operator.make('POST', '/reservations', {
  charge_point_id: 'AMS-3',
  connector_id: 1,
  id_tag: 'TAG-B',
  expiry_date: '2026-11-03T18:00:00Z',
})
await connectOcpp(`${service.ocppUrl}/AMS-4`).catch(() => undefined)
await invite('waiting@example.com', 'viewer')
await command('AMS-3', 'unlock_connector', { connector_id: 1 })
const idempotencyKey = 'version-1-hard-reset'
const repeated = { command: 'hard_reset', parameters: {} }
const first = await operator.make('POST', '/cpo/commands/AMS-3', repeated, { 'idempotency-key': idempotencyKey })
await anna.make('PATCH', '/chargepoints/AMS-1', { name: 'Bay one' })
await status(stray, 1, 'Faulted', 'OtherError')
await until(async () => (await operator.make('GET', '/alerts')).alerts.length >= 2, 20_000)
// What is in memory for a moment (the last use of a key, a webhook's place) is written.
await delay(3_000)
for (const charger of [one, two, three, berlin, stray]) await charger.client.close()
await delay(1_000)
await service.stop('SIGTERM')

const backup = join(work, 'backup')
execFileSync(process.execPath, [join(program, 'dist/src/backup.js'), backup, '--data', data], {
  env: { ...process.env, ...clock.environment },
  stdio: 'inherit',
})
const { now, callers } = {
  now: Date.parse('2026-11-03T09:10:00Z'),
  callers: {
    operator: bootstrapKey,
    northern: northern.key,
    anna: anna.key,
    bram: keys.bram.key,
    limited: limited.key,
    second: keys.second.key,
    rotated: rotated.key,
  },
}
const answers = await answersOf({ program, data, now, callers, guestTokens })
const repeat = { path: '/api/v1/cpo/commands/AMS-3', body: repeated, idempotencyKey, answer: first }
const brotli = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } })
cpSync(join(backup, 'manifest.json'), join(target, 'manifest.json'))
writeFileSync(join(target, 'data.mdb.br'), brotli(readFileSync(join(backup, 'data.mdb'))))
const recorded = { now: at(now), organizations: { operator: ownId, northern: north.id }, callers, repeat, answers }
writeFileSync(join(target, 'answers.json.br'), brotli(Buffer.from(JSON.stringify(recorded))))
process.stdout.write(`${Object.keys(answers).length} answers of ${Object.keys(callers).length} callers\n`)
for (const end of ends) await end()
rmSync(work, { recursive: true, force: true })
process.exit(0)
