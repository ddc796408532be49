// Commands of roaming partners (OCPI 2.2.1, 13): what is answered at once, what the charge point is sent, and which result the partner gets.

import { test } from 'tap'
import { sessionSchema } from '../../src/ocpi/schemas/session.js'
import { faultsOfSent } from '../../src/ocpi/validators.js'
import { bootChargePoint, sessionOf, sessionsOf } from '../support/charge-point.js'
import {
  asPartner,
  credentialsOf,
  invitePartner,
  type OcpiPartnerStub,
  party,
  startPartner,
} from '../support/ocpi-partner.js'
import type { OcppClient } from '../support/ocpp-client.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { roamingFlags } from '../support/roaming-stage.js'
import { type Service, startService, type Teardowns } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const laboratory = await sharedService(roamingFlags)
const path = '/ocpi/cpo/2.2.1/commands'
let count = 0

interface Stage {
  readonly tenant: Tenant
  readonly id: string
  readonly client: OcppClient
  readonly stub: OcpiPartnerStub
  readonly partner: ReturnType<typeof asPartner>
}

/** A partner of an organization with one charge point of two connectors, which partners see. */
async function stage(
  t: Teardowns,
  fields: Readonly<Record<string, unknown>> = {},
  service: Service = laboratory,
): Promise<Stage> {
  const tenant = await tenantOf(service)
  const party_id = `C${(++count).toString().padStart(2, '0')}`
  await tenant.request('PUT', '/api/v1/ocpi/party', { ...party, party_id })
  const id = `OCPI-C${count}`
  const client = await bootChargePoint(tenant, id, { connector_count: 2 })
  await tenant.request('PUT', `/api/v1/chargepoints/${id}/ocpi`, { publish: true, city: 'Utrecht' })
  const joined = await join(t, tenant, 'EMP', fields)
  await until(async () => (await joined.partner('GET', `/ocpi/cpo/2.2.1/locations/${id}`)).status === 200)
  return { tenant, id, client, ...joined }
}

async function join(t: Teardowns, tenant: Tenant, party_id: string, fields: Readonly<Record<string, unknown>> = {}) {
  const stub = await startPartner(t)
  const invited = await invitePartner(tenant, fields)
  const role = { role: 'EMSP', country_code: 'NL', party_id, business_details: { name: party_id } }
  const { body } = await asPartner(tenant, invited.token)(
    'POST',
    '/ocpi/cpo/2.2.1/credentials',
    credentialsOf(stub, `b-${invited.id}`, [role]),
  )
  if (body.status_code !== 1000) throw new Error(`the partner was not registered: ${JSON.stringify(body)}`)
  return { stub, partner: asPartner(tenant, body.data.token) }
}

const tokenOf = (uid: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  uid,
  type: 'APP_USER',
  contract_id: `NL-EMP-${uid.slice(0, 20)}`,
  ...fields,
})

function resultAt({ requests }: OcpiPartnerStub, at: string): Promise<string> {
  return until(() => requests.find((one) => one.path === at)?.json.result)
}

const start = ({ stub, id }: Stage, at: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  response_url: `${stub.url}${at}`,
  token: tokenOf('DRIVER-1'),
  location_id: id,
  evse_uid: `${id}_1`,
  connector_id: '1',
  ...fields,
})

test('ocpi commands - START_SESSION starts a charge of the partner, and STOP_SESSION ends it', async (t) => {
  const all = await stage(t)
  const { partner, client, stub, tenant, id } = all
  const answer = await partner('POST', `${path}/START_SESSION`, start(all, '/r1'))
  t.equal(answer.status, 200)
  t.match(answer.body, { status_code: 1000, data: { result: 'ACCEPTED', timeout: 30 } })
  t.match(await client.answerNext({ status: 'Accepted' }), [
    2,
    String,
    'RemoteStartTransaction',
    { idTag: 'DRIVER-1', connectorId: 1 },
  ])
  t.equal(await resultAt(stub, '/r1'), 'ACCEPTED')
  const posted = stub.requests.find((one) => one.path === '/r1')
  t.match(posted?.headers, { 'ocpi-to-party-id': 'EMP', 'ocpi-from-country-code': 'NL' })
  const timestamp = new Date().toISOString()
  const started = await client.call('StartTransaction', { connectorId: 1, idTag: 'DRIVER-1', meterStart: 0, timestamp })
  t.equal(started.payload.idTagInfo.status, 'Accepted')
  const [session] = await sessionsOf(tenant, id)

  const stop = (session_id: string, at: string) => ({ response_url: `${stub.url}${at}`, session_id })
  t.equal((await partner('POST', `${path}/STOP_SESSION`, stop('ses_0', '/r2'))).body.data.result, 'UNKNOWN_SESSION')
  const other = await join(t, tenant, 'OTH')
  const foreign = await other.partner('POST', `${path}/STOP_SESSION`, stop(session.session_id, '/r3'))
  t.equal(foreign.body.data.result, 'REJECTED', 'a session of another partner')
  await client.call('StatusNotification', { connectorId: 1, status: 'Charging', errorCode: 'NoError' })
  const place = { location_id: id, evse_uid: `${id}_1`, connector_id: '1' }
  const unlock = (at: string) => ({ response_url: `${stub.url}${at}`, ...place })
  const theirs = await other.partner('POST', `${path}/UNLOCK_CONNECTOR`, unlock('/u1'))
  t.equal(theirs.body.data.result, 'REJECTED', 'to unlock would end the charge of another driver')
  t.equal((await partner('POST', `${path}/UNLOCK_CONNECTOR`, unlock('/u2'))).body.data.result, 'ACCEPTED')
  t.match(await client.answerNext({ status: 'UnlockFailed' }), [2, String, 'UnlockConnector', { connectorId: 1 }])
  const ours = await partner('POST', `${path}/STOP_SESSION`, stop(session.session_id, '/r4'))
  t.equal(ours.body.data.result, 'ACCEPTED')
  const { transactionId } = started.payload
  t.match(await client.answerNext({ status: 'Accepted' }), [2, String, 'RemoteStopTransaction', { transactionId }])
  t.equal(await resultAt(stub, '/r4'), 'ACCEPTED')
  await client.call('StopTransaction', { transactionId, meterStop: 5_000, timestamp: new Date().toISOString() })
  await client.call('StatusNotification', { connectorId: 1, status: 'Finishing', errorCode: 'NoError' })
  const stuck = await other.partner('POST', `${path}/UNLOCK_CONNECTOR`, unlock('/u3'))
  t.equal(stuck.body.data.result, 'ACCEPTED', 'the charge has ended')
  await client.answerNext({ status: 'Unlocked' })
  const late = await partner('POST', `${path}/STOP_SESSION`, stop(session.session_id, '/r5'))
  t.equal(late.body.data.result, 'REJECTED', 'it has ended')
  t.notOk(
    stub.requests.some((one) => ['/r2', '/r3', '/r5'].includes(one.path)),
    'what was not accepted has no result',
  )
})

const outcomes: Readonly<Record<string, object>> = { REJECTED: { status: 'Rejected' }, FAILED: { status: 'Perhaps' } }

test('ocpi commands - the answer of the charge point is the result', async (t) => {
  const all = await stage(t)
  for (const [result, answer] of Object.entries(outcomes)) {
    const at = `/${result}`
    t.equal((await all.partner('POST', `${path}/START_SESSION`, start(all, at))).body.data.result, 'ACCEPTED')
    await all.client.answerNext(answer)
    t.equal(await resultAt(all.stub, at), result)
  }
  for (const [status, result] of Object.entries({
    Unlocked: 'ACCEPTED',
    UnlockFailed: 'FAILED',
    NotSupported: 'NOT_SUPPORTED',
  })) {
    const { token: _, ...body } = start(all, `/${status}`)
    await all.partner('POST', `${path}/UNLOCK_CONNECTOR`, body)
    t.match(await all.client.answerNext({ status }), [2, String, 'UnlockConnector', { connectorId: 1 }])
    t.equal(await resultAt(all.stub, `/${status}`), result)
  }
  await all.client.call('StatusNotification', { connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure' })
  await all.partner('POST', `${path}/START_SESSION`, start(all, '/faulted'))
  t.equal(await resultAt(all.stub, '/faulted'), 'EVSE_INOPERATIVE', 'without asking the charge point')
  await all.client.call('StatusNotification', { connectorId: 1, status: 'Charging', errorCode: 'NoError' })
  await all.partner('POST', `${path}/START_SESSION`, start(all, '/busy'))
  t.equal(await resultAt(all.stub, '/busy'), 'EVSE_OCCUPIED')
})

test('ocpi commands - a driver whom the charge point has refused to start for is not let in by the command later', async (t) => {
  const all = await stage(t)
  const token = tokenOf('APP-1', { type: 'APP_USER' })
  const ask = async (at: string, status: string) => {
    await all.partner('POST', `${path}/START_SESSION`, start(all, at, { token }))
    await all.client.answerNext({ status })
    await resultAt(all.stub, at)
  }
  for (const [meterStart, at, status] of [
    [0, '/refused', 'Rejected'],
    [1, '/taken', 'Accepted'],
  ] as const) {
    await ask(at, status)
    // A refusal takes back its own command, and none that was taken before.
    if (status === 'Accepted') await ask(`${at}-and-refused`, 'Rejected')
    const began = { connectorId: 1, idTag: 'APP-1', meterStart, timestamp: new Date().toISOString() }
    const { transactionId } = (await all.client.call('StartTransaction', began)).payload
    const { roaming } = await sessionOf(all.tenant, all.id, transactionId)
    t.equal(roaming === null, status === 'Rejected', at)
    const timestamp = new Date().toISOString()
    await all.client.call('StopTransaction', { transactionId, meterStop: 1, timestamp })
  }
})

test('ocpi commands - a command that comes again is not carried out again', async (t) => {
  const all = await stage(t)
  const body = start(all, '/once')
  const answers = await Promise.all([1, 2, 3].map(() => all.partner('POST', `${path}/START_SESSION`, body)))
  t.same(
    answers.map((one) => one.body.data.result),
    ['ACCEPTED', 'ACCEPTED', 'ACCEPTED'],
  )
  await all.client.answerNext({ status: 'Accepted' })
  t.equal(await resultAt(all.stub, '/once'), 'ACCEPTED')
  await all.partner(
    'POST',
    `${path}/START_SESSION`,
    start(all, '/second', { evse_uid: `${all.id}_2`, connector_id: '2' }),
  )
  t.match(await all.client.answerNext({ status: 'Accepted' }), [
    2,
    String,
    'RemoteStartTransaction',
    { connectorId: 2 },
  ])
  t.equal(await resultAt(all.stub, '/second'), 'ACCEPTED')
  t.equal(all.stub.requests.filter((one) => one.path === '/once').length, 1)
})

test('ocpi commands - what cannot be is refused at once, and nothing is sent', async (t) => {
  const all = await stage(t)
  const { partner, id } = all
  const send = async (fields: Readonly<Record<string, unknown>>, command = 'START_SESSION') =>
    (await partner('POST', `${path}/${command}`, start(all, '/never', fields))).body
  t.equal((await send({ token: undefined })).status_code, 2001)
  t.equal((await send({ response_url: undefined })).status_code, 2001)
  t.equal((await send({ token: tokenOf('X', { country_code: 'DE', party_id: 'ZZZ' }) })).data.result, 'REJECTED')
  t.equal((await partner('POST', `${path}/MAKE_COFFEE`, start(all, '/never'))).status, 404)
  await all.client.close()
  await until(async () => (await all.tenant.request('GET', `/api/v1/chargepoints/${id}`)).body.status === 'offline')
  const away = await send({})
  t.equal(away.data.result, 'REJECTED')
  t.match(away.data.message[0], { language: 'en', text: /not connected/ })
  const quiet = await stage(t, { commands: false })
  const refused = await quiet.partner('POST', `${path}/START_SESSION`, start(quiet, '/never'))
  t.equal(refused.body.data.result, 'NOT_SUPPORTED')
  for (const { stub } of [all, quiet]) t.notOk(stub.requests.some((one) => one.path === '/never'))
})

test('ocpi commands - nobody starts a charge with the card of another party or of the operator, nor takes its driver', async (t) => {
  const all = await stage(t)
  const { tenant, client, stub } = all
  const other = await join(t, tenant, 'OTH')
  const card = {
    uid: 'CARD-OTH',
    type: 'RFID',
    contract_id: 'NL-OTH-1',
    issuer: 'OTH',
    valid: true,
    whitelist: 'ALWAYS',
  }
  const sent = { ...card, country_code: 'NL', party_id: 'OTH', last_updated: new Date().toISOString() }
  t.equal((await other.partner('PUT', '/ocpi/cpo/2.2.1/tokens/NL/OTH/CARD-OTH', sent)).body.status_code, 1000)
  await tenant.request('POST', '/api/v1/id-tags', { id_tag: 'OWN-CARD' })
  const expiry_date = new Date(Date.now() + 3_600_000).toISOString()
  for (const uid of ['CARD-OTH', 'card-oth', 'OWN-CARD', 'own-card'])
    for (const [command, more] of Object.entries({
      START_SESSION: {},
      RESERVE_NOW: { expiry_date, reservation_id: `R-${uid}` },
    })) {
      const body = start(all, `/${command}/${uid}`, { token: tokenOf(uid), ...more })
      const answer = await all.partner('POST', `${path}/${command}`, body)
      t.match(answer.body, { status_code: 1000, data: { result: 'REJECTED', message: [{ text: /another party/ }] } })
    }
  const theirs = {
    ...start(all, '/their-own', { token: tokenOf('CARD-OTH') }),
    response_url: `${other.stub.url}/their-own`,
  }
  t.equal((await other.partner('POST', `${path}/START_SESSION`, theirs)).body.data.result, 'ACCEPTED')
  t.match(await client.answerNext({ status: 'Accepted' }), [2, String, 'RemoteStartTransaction', { idTag: 'CARD-OTH' }])
  const timestamp = new Date().toISOString()
  await client.call('StartTransaction', { connectorId: 1, idTag: 'CARD-OTH', meterStart: 0, timestamp })
  const ours = await until(async () => (await other.partner('GET', '/ocpi/cpo/2.2.1/sessions')).body.data[0])
  t.match(ours, { cdr_token: { uid: 'CARD-OTH', party_id: 'OTH' } })
  t.notOk(
    stub.requests.some((one) => /START_SESSION|RESERVE_NOW/.test(one.path)),
    'what was rejected has no result',
  )
})

test('ocpi commands - a token that is longer than an id tag charges under one that stands for it', async (t) => {
  const all = await stage(t)
  const uid = 'a-token-of-thirty-six-characters-long'.slice(0, 36)
  await all.partner('POST', `${path}/START_SESSION`, start(all, '/long', { token: tokenOf(uid) }))
  const [, , , payload] = (await all.client.answerNext({ status: 'Accepted' })) as [
    number,
    string,
    string,
    { idTag: string },
  ]
  t.match(payload.idTag, /^O[0-9A-F]{19}$/)
  t.equal(await resultAt(all.stub, '/long'), 'ACCEPTED')
})

test('ocpi commands - RESERVE_NOW reserves, and CANCEL_RESERVATION takes it back', async (t) => {
  const all = await stage(t)
  const { partner, client, stub } = all
  const reserve = (at: string, fields: Readonly<Record<string, unknown>> = {}) => {
    const { connector_id: _, ...body } = start(all, at)
    return { ...body, reservation_id: 'Res-1', expiry_date: new Date(Date.now() + 600_000).toISOString(), ...fields }
  }
  const past = await partner('POST', `${path}/RESERVE_NOW`, reserve('/p', { expiry_date: '2020-01-01T00:00:00Z' }))
  t.equal(past.body.status_code, 2001)
  await partner('POST', `${path}/RESERVE_NOW`, reserve('/r1'))
  const [, , action, payload] = (await client.answerNext({ status: 'Accepted' })) as [
    number,
    string,
    string,
    { reservationId: number },
  ]
  t.equal(action, 'ReserveNow')
  t.match(payload, { connectorId: 1, idTag: 'DRIVER-1' })
  t.equal(await resultAt(stub, '/r1'), 'ACCEPTED')
  await partner('POST', `${path}/RESERVE_NOW`, reserve('/r2', { reservation_id: 'Res-2' }))
  t.equal(await resultAt(stub, '/r2'), 'EVSE_OCCUPIED', 'it is reserved already')
  const cancel = (reservation_id: string, at: string) =>
    partner('POST', `${path}/CANCEL_RESERVATION`, { response_url: `${stub.url}${at}`, reservation_id })
  t.equal((await cancel('res-9', '/c0')).body.data.result, 'REJECTED')
  t.equal((await cancel('RES-1', '/c1')).body.data.result, 'ACCEPTED', 'ids have no case')
  t.match(await client.answerNext({ status: 'Accepted' }), [
    2,
    String,
    'CancelReservation',
    { reservationId: payload.reservationId },
  ])
  t.equal(await resultAt(stub, '/c1'), 'ACCEPTED')
  await cancel('Res-1', '/c2')
  t.equal(await resultAt(stub, '/c2'), 'UNKNOWN_RESERVATION')
})

test('ocpi commands - a command that was accepted is answered also when the service is killed before its end', async (t) => {
  const flags = roamingFlags
  const first = await startService(t, { flags })
  const all = await stage(t, {}, first)
  const answer = await all.partner('POST', `${path}/START_SESSION`, start(all, '/killed'))
  t.equal(answer.body.data.result, 'ACCEPTED')
  t.match(await all.client.nextFrame(), [2, String, 'RemoteStartTransaction'])
  await first.stop('SIGKILL')
  t.notOk(all.stub.requests.some((one) => one.path === '/killed'))
  await startService(t, { data: first.data, key: first.key, flags })
  t.equal(await resultAt(all.stub, '/killed'), 'TIMEOUT')
})

test('ocpi commands - a reservation that another has ended is told to the partner as CANCELED_RESERVATION', async (t) => {
  const all = await stage(t)
  const { partner, client, stub, tenant, id } = all
  const reserve = async (at: string, reservation_id: string) => {
    const { connector_id: _, ...body } = start(all, at)
    const expiry_date = new Date(Date.now() + 600_000).toISOString()
    await partner('POST', `${path}/RESERVE_NOW`, { ...body, reservation_id, expiry_date })
    await client.answerNext({ status: 'Accepted' })
    t.equal(await resultAt(stub, at), 'ACCEPTED')
  }
  const told = (at: string) => stub.requests.filter((one) => one.path === at).map(({ json }) => json.result)
  await reserve('/operator', 'R1')
  const { body } = await tenant.request('GET', `/api/v1/reservations?charge_point_id=${id}&status=active`)
  t.equal((await tenant.request('DELETE', `/api/v1/reservations/${body.data[0].reservation_id}`)).status, 204)
  await client.answerNext({ status: 'Accepted' })
  await until(() => told('/operator').length === 2)
  t.same(told('/operator'), ['ACCEPTED', 'CANCELED_RESERVATION'])

  await reserve('/fault', 'R2')
  await client.call('StatusNotification', { connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure' })
  await until(() => told('/fault').length === 2)
  t.same(told('/fault'), ['ACCEPTED', 'CANCELED_RESERVATION'])
  await client.call('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' })

  await reserve('/own', 'R3')
  await partner('POST', `${path}/CANCEL_RESERVATION`, { response_url: `${stub.url}/cancel`, reservation_id: 'R3' })
  await client.answerNext({ status: 'Accepted' })
  t.equal(await resultAt(stub, '/cancel'), 'ACCEPTED')
  t.same(told('/own'), ['ACCEPTED'], 'what the partner has cancelled, it knows')
})

test('ocpi commands - a reservation is a session of the driver until it is used, cancelled or over, and what is cancelled here is said', async (t) => {
  const all = await stage(t)
  const { partner, client, stub, tenant, id } = all
  let made = 0
  /** Its id here, and its number towards the charge point. */
  async function reserve(connector: number, lastsMs = 600_000) {
    const at = `/reserve-${++made}`
    const { connector_id: _, ...body } = start(all, at, {
      evse_uid: `${id}_${connector}`,
      authorization_reference: 'ref',
    })
    const expiry_date = new Date(Date.now() + lastsMs).toISOString()
    await partner('POST', `${path}/RESERVE_NOW`, { ...body, reservation_id: `R${made}`, expiry_date })
    const [, , , payload] = (await client.answerNext({ status: 'Accepted' })) as [
      number,
      string,
      string,
      { reservationId: number },
    ]
    t.equal(await resultAt(stub, at), 'ACCEPTED')
    const { body: list } = await tenant.request('GET', '/api/v1/reservations?status=active')
    const [{ reservation_id }] = list.data
    const results = () => stub.requests.filter((one) => one.path === at).map(({ json }) => json.result)
    return { at, results, reservationId: reservation_id as string, number: payload.reservationId, name: `R${made}` }
  }
  const told = (session: string) =>
    stub.requests.filter((one) => one.method === 'PUT' && one.path.endsWith(`/${session}`)).map(({ json }) => json)
  const ended = (session: string) => until(() => told(session).find(({ status }) => status !== 'RESERVATION'))

  const used = await reserve(1)
  const begun = await until(() => told(used.reservationId)[0])
  t.same(faultsOfSent(sessionSchema, begun), [])
  t.match(begun, {
    status: 'RESERVATION',
    kwh: 0,
    auth_method: 'COMMAND',
    authorization_reference: 'ref',
    cdr_token: { uid: 'DRIVER-1', party_id: 'EMP' },
    location_id: id,
    evse_uid: `${id}_1`,
    charging_periods: [],
  })
  const timestamp = new Date().toISOString()
  const charge = { connectorId: 1, idTag: 'DRIVER-1', meterStart: 0, timestamp, reservationId: used.number }
  await client.call('StartTransaction', charge)
  t.match(await ended(used.reservationId), { status: 'COMPLETED', end_date_time: /Z$/ })
  const [session] = await sessionsOf(tenant, id)
  await until(() => told(session.session_id).some(({ status }) => status === 'ACTIVE'))
  t.same(used.results(), ['ACCEPTED'])

  const byOperator = await reserve(2)
  t.equal((await tenant.request('DELETE', `/api/v1/reservations/${byOperator.reservationId}`)).status, 204)
  await client.answerNext({ status: 'Accepted' })
  t.match(await ended(byOperator.reservationId), { status: 'INVALID' })
  await until(() => byOperator.results().length === 2)
  t.same(byOperator.results(), ['ACCEPTED', 'CANCELED_RESERVATION'])

  const byPartner = await reserve(2)
  const response_url = `${stub.url}/cancelled`
  await partner('POST', `${path}/CANCEL_RESERVATION`, { response_url, reservation_id: byPartner.name })
  await client.answerNext({ status: 'Accepted' })
  t.match(await ended(byPartner.reservationId), { status: 'INVALID' })
  t.equal(await resultAt(stub, '/cancelled'), 'ACCEPTED')

  const expired = await reserve(2, 2_000)
  t.match(await ended(expired.reservationId), { status: 'INVALID' })

  const faulty = await reserve(2)
  await client.call('StatusNotification', { connectorId: 2, status: 'Faulted', errorCode: 'GroundFailure' })
  t.match(await ended(faulty.reservationId), { status: 'INVALID' })
  await until(() => faulty.results().includes('CANCELED_RESERVATION'))
  t.same([byPartner.results(), expired.results()], [['ACCEPTED'], ['ACCEPTED']], 'what is not ours to say is not said')
  const { body: shown } = await tenant.request('GET', '/api/v1/reservations')
  const reasons = shown.data.map((one: { cancel_reason: string | null }) => one.cancel_reason)
  t.same(reasons.sort(), ['connector_faulted', 'operator', 'roaming_partner', null, null].sort())
  const { body: cdrs } = await partner('GET', '/ocpi/cpo/2.2.1/cdrs')
  t.same(cdrs.data, [], 'a reservation is not billed')
})

test('ocpi commands - ids have no case: a partner that keeps them in lower case commands and reads all the same', async (t) => {
  const all = await stage(t)
  const { partner, client, stub, tenant } = all
  const id = all.id.toLowerCase()
  const place = { location_id: id, evse_uid: `${id}_1`, connector_id: '1' }
  const command = async (name: string, body: object) =>
    (await partner('POST', `${path}/${name}`, { response_url: `${stub.url}/${name}`, ...body })).body.data?.result
  t.equal(await command('UNLOCK_CONNECTOR', place), 'ACCEPTED')
  await client.answerNext({ status: 'Unlocked' })
  const expiry_date = new Date(Date.now() + 3_600_000).toISOString()
  const reservation = {
    ...place,
    evse_uid: `${id}_2`,
    connector_id: '2',
    token: tokenOf('driver-9'),
    reservation_id: 'r9',
    expiry_date,
  }
  t.equal(await command('RESERVE_NOW', reservation), 'ACCEPTED')
  await client.answerNext({ status: 'Rejected' })
  t.equal(await command('START_SESSION', { ...place, token: tokenOf('driver-9') }), 'ACCEPTED')
  await client.answerNext({ status: 'Accepted' })
  const timestamp = new Date().toISOString()
  const started = { connectorId: 1, idTag: 'driver-9', meterStart: 0, timestamp }
  t.equal((await client.call('StartTransaction', started)).payload.idTagInfo.status, 'Accepted')
  const [{ session_id }] = await sessionsOf(tenant, all.id)
  const url = `?response_url=${encodeURIComponent(`${stub.url}/profile`)}`
  const profile = await partner('DELETE', `/ocpi/cpo/2.2.1/chargingprofiles/${session_id.toLowerCase()}${url}`)
  t.equal(profile.body.data.result, 'ACCEPTED')
  await client.answerNext({ status: 'Accepted' })
  t.equal(await command('STOP_SESSION', { session_id: session_id.toLowerCase() }), 'ACCEPTED')
  await client.answerNext({ status: 'Accepted' })
  for (const read of [id, `${id}/${id}_1`, `${id}/${id}_1/1`])
    t.equal((await partner('GET', `/ocpi/cpo/2.2.1/locations/${read}`)).status, 200, read)
})

test('ocpi commands - a partner that may see some locations sees those, however their ids are written', async (t) => {
  const all = await stage(t)
  const { body } = await all.tenant.request('GET', '/api/v1/ocpi/partners')
  const { id: partnerId, name } = body.data[0]
  const seen = async () => {
    const list = await all.partner('GET', '/ocpi/cpo/2.2.1/locations')
    const one = await all.partner('GET', `/ocpi/cpo/2.2.1/locations/${all.id}`)
    const unlock = {
      response_url: `${all.stub.url}/u`,
      location_id: all.id,
      evse_uid: `${all.id}_9`,
      connector_id: '1',
    }
    const { status_message } = (await all.partner('POST', `${path}/UNLOCK_CONNECTOR`, unlock)).body
    return [list.body.data.length, one.status, /no location/.test(status_message)]
  }
  const confine = (location_ids: string[]) =>
    all.tenant.request('PUT', `/api/v1/ocpi/partners/${partnerId}`, { name, location_ids })
  await confine([all.id.toLowerCase(), all.id])
  t.same(await seen(), [1, 200, false])
  await confine(['ELSEWHERE'])
  t.same(await seen(), [0, 404, true])
})
