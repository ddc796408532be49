// Hubs say which of their parties can be reached (OCPI 2.2.1, 15), and what follows from it, at the built service.

import { test } from 'tap'
import { bootChargePoint, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
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

const flags = roamingFlags
const laboratory = await sharedService(roamingFlags)
const base = '/ocpi/cpo/2.2.1'
let organizations = 0

interface Hub extends OcpiPartnerStub {
  readonly id: string
  readonly call: ReturnType<typeof asPartner>
  /** The token by which the service knows it. */
  readonly token: string
  /** What it was sent of a module, for a party. */
  sent(module: string, partyId: string): OcpiPartnerStub['requests']
}

async function operatorOf(service: Service): Promise<Tenant> {
  const tenant = await tenantOf(service)
  const party_id = `H${(++organizations).toString().padStart(2, '0')}`
  await tenant.request('PUT', '/api/v1/ocpi/party', { ...party, party_id })
  return tenant
}

const roleOf = (role: string, party_id: string) => ({
  role,
  country_code: 'NL',
  party_id,
  business_details: { name: party_id },
})

/** A hub with two eMSPs behind it. */
async function hubOf(
  t: Teardowns,
  tenant: Tenant,
  roles = [roleOf('HUB', 'HUB'), roleOf('EMSP', 'ONE'), roleOf('EMSP', 'TWO')],
) {
  const [stub, invited] = [await startPartner(t), await invitePartner(tenant)]
  const credentials = credentialsOf(stub, `b-${invited.id}`, roles)
  const { body } = await asPartner(tenant, invited.token)('POST', `${base}/credentials`, credentials)
  if (body.status_code !== 1000) throw new Error(`the hub was not registered: ${JSON.stringify(body)}`)
  const hub: Hub = {
    ...stub,
    id: invited.id,
    call: asPartner(tenant, body.data.token),
    token: body.data.token,
    sent: (module, partyId) =>
      stub.requests.filter(
        ({ path, headers }) => path.startsWith(`/${module}`) && headers['ocpi-to-party-id'] === partyId,
      ),
  }
  return hub
}

const info = (party_id: string, status: string, last_updated = new Date().toISOString()) => ({
  country_code: 'NL',
  party_id,
  role: 'EMSP',
  status,
  last_updated,
})

const put = ({ call }: Pick<Hub, 'call'>, party_id: string, status: string, at?: string) =>
  call('PUT', `${base}/hubclientinfo/NL/${party_id}`, info(party_id, status, at))

const tokenOf = (party_id: string, uid: string, whitelist = 'ALWAYS') => ({
  country_code: 'NL',
  party_id,
  uid,
  type: 'RFID',
  contract_id: `NL-${party_id}-${uid}`,
  issuer: party_id,
  valid: true,
  whitelist,
  last_updated: '2026-01-01T10:00:00Z',
})

async function sendToken({ call }: Hub, party_id: string, uid: string, whitelist = 'ALWAYS'): Promise<void> {
  const { body } = await call(
    'PUT',
    `${base}/tokens/NL/${party_id}/${uid}?type=RFID`,
    tokenOf(party_id, uid, whitelist),
  )
  if (body.status_code !== 1000) throw new Error(`the token was not taken: ${JSON.stringify(body)}`)
}

test('ocpi hub - a hub sends and reads its parties, and its operator alone sees them', async (t) => {
  const [tenant, other] = [await operatorOf(laboratory), await operatorOf(laboratory)]
  const [hub, foreign] = [await hubOf(t, tenant), await hubOf(t, other)]
  const emsp = await hubOf(t, tenant, [roleOf('EMSP', 'EMP')])
  const { body: details } = await hub.call('GET', '/ocpi/versions/2.2.1')
  t.match(
    details.data.endpoints.find(({ identifier }: { identifier: string }) => identifier === 'hubclientinfo'),
    { role: 'RECEIVER', url: `${laboratory.url}${base}/hubclientinfo` },
  )

  const created = await put(hub, 'ONE', 'PLANNED', '2026-01-01T10:00:00Z')
  t.match([created.status, created.body], [201, { status_code: 1000, data: undefined }])
  t.equal((await put(hub, 'one', 'CONNECTED', '2026-01-02T10:00:00Z')).status, 200, 'parties have no case')
  t.equal((await put(hub, 'ONE', 'OFFLINE', '2026-01-01T11:00:00Z')).status, 200)
  const kept = await hub.call('GET', `${base}/hubclientinfo/nl/ONE`)
  t.same(kept.body.data, info('ONE', 'CONNECTED', '2026-01-02T10:00:00Z'), 'what is older changes nothing')
  await put(hub, 'TWO', 'SUSPENDED')

  t.equal((await hub.call('GET', `${base}/hubclientinfo/NL/NEW`)).status, 404)
  const misnamed = await hub.call('PUT', `${base}/hubclientinfo/NL/ONE`, info('TWO', 'OFFLINE'))
  t.match([misnamed.status, misnamed.body.status_code], [200, 2001])
  const unknown = await put(hub, 'ONE', 'ASLEEP')
  t.match([unknown.status, unknown.body.status_code], [200, 2001])
  t.equal((await foreign.call('GET', `${base}/hubclientinfo/NL/ONE`)).status, 404)
  for (const method of ['GET', 'PUT']) {
    const refused = await emsp.call(
      method,
      `${base}/hubclientinfo/NL/ONE`,
      method === 'PUT' ? info('ONE', 'OFFLINE') : undefined,
    )
    t.match([refused.status, refused.body.status_code], [404, 2000], `${method} of a partner that is no hub`)
  }

  const path = (id: string) => `/api/v1/ocpi/partners/${id}/parties`
  const seen = (await tenant.request('GET', `${path(hub.id)}?per_page=1&page=2`)).body
  t.match(seen, { data: [{ country_code: 'NL', party_id: 'TWO', role: 'EMSP', status: 'SUSPENDED' }] })
  t.equal((await tenant.request('GET', path(hub.id))).body.data.length, 2)
  t.same((await tenant.request('GET', path(emsp.id))).body.data, [])
  t.equal((await other.request('GET', path(hub.id))).status, 404)
})

interface Charge {
  readonly transactionId: number
  readonly sessionId: string
}

async function start(
  tenant: Tenant,
  client: OcppClient,
  id: string,
  idTag: string,
  connectorId: number,
  meterStart = 0,
): Promise<Charge> {
  const { payload } = await client.call('StartTransaction', startRequest({ idTag, connectorId, meterStart }))
  const { session_id: sessionId } = await sessionOf(tenant, id, payload.transactionId)
  return { transactionId: payload.transactionId, sessionId }
}

const stop = (client: OcppClient, { transactionId }: Charge) =>
  client.call('StopTransaction', { transactionId, meterStop: 11_000, timestamp: secondsAgo(0), reason: 'Local' })

test('ocpi hub - a party that is offline is sent nothing, and is brought up to date when it is connected', async (t) => {
  const first = await startService(t, { flags })
  const tenant = await operatorOf(first)
  const hub = await hubOf(t, tenant)
  const id = 'HUB-1'
  const client = await bootChargePoint(tenant, id, { connector_count: 3, max_power_kw: 22 })
  await tenant.request('PUT', `/api/v1/chargepoints/${id}/ocpi`, { publish: true, city: 'Utrecht' })
  await sendToken(hub, 'ONE', 'DRIVER-1')
  await sendToken(hub, 'TWO', 'DRIVER-2')

  const running = await start(tenant, client, id, 'DRIVER-1', 1)
  await until(() => hub.sent('sessions', 'ONE').length > 0)
  t.equal((await put(hub, 'ONE', 'OFFLINE')).status, 201)
  const before = hub.sent('sessions', 'ONE').length
  await stop(client, running)
  const begun = await start(tenant, client, id, 'DRIVER-1', 2)
  // What comes later is sent to the other party: what came before it was held.
  await stop(client, await start(tenant, client, id, 'DRIVER-2', 3))
  await until(() => hub.sent('cdrs', 'TWO').length === 1)
  t.equal(hub.sent('sessions', 'ONE').length, before)
  t.equal(hub.sent('cdrs', 'ONE').length, 0)

  await first.stop('SIGKILL')
  const second = await startService(t, { data: first.data, key: tenant.key, flags })
  const again = { ...hub, call: asPartner(second, hub.token) }
  t.equal((await put(again, 'ONE', 'SUSPENDED')).status, 200)
  t.equal((await put(again, 'ONE', 'CONNECTED')).status, 200)
  const cdr = await until(() => hub.sent('cdrs', 'ONE')[0])
  t.equal(cdr.json.session_id, running.sessionId)
  const told = await until(() => {
    const since = hub.sent('sessions', 'ONE').slice(before)
    const statuses = new Map(since.map(({ method, json }) => [json.id, `${method} ${json.status}`]))
    return statuses.size === 2 ? statuses : undefined
  })
  t.equal(told.get(running.sessionId), 'PUT COMPLETED')
  t.equal(told.get(begun.sessionId), 'PUT ACTIVE')
  client.close()
})

test('ocpi hub - nobody is asked about the driver of a party that is offline', async (t) => {
  const tenant = await operatorOf(laboratory)
  const hub = await hubOf(t, tenant)
  const client = await bootChargePoint(tenant, 'HUB-2', { connector_count: 1 })
  const asked = () => hub.requests.filter(({ path }) => path.includes('/authorize')).length
  await sendToken(hub, 'ONE', 'DRIVER-3', 'ALLOWED_OFFLINE')
  await client.call('Authorize', { idTag: 'DRIVER-3' })
  t.equal(asked(), 1)
  await put(hub, 'ONE', 'OFFLINE')
  const { payload } = await client.call('Authorize', { idTag: 'DRIVER-3' })
  t.match(payload.idTagInfo, { status: 'Accepted' }, 'by what was heard last')
  t.equal(asked(), 1)
  client.close()
})

const fromParty = (party_id: string) => ({ 'OCPI-from-country-code': 'NL', 'OCPI-from-party-id': party_id })

test('ocpi hub - each party reads and changes what is of its own drivers alone, and the hub what is of all', async (t) => {
  const tenant = await operatorOf(laboratory)
  const hub = await hubOf(t, tenant)
  const id = 'HUB-3'
  const client = await bootChargePoint(tenant, id, { connector_count: 3, max_power_kw: 22 })
  t.teardown(() => client.close())
  await tenant.request('PUT', `/api/v1/chargepoints/${id}/ocpi`, { publish: true, city: 'Utrecht' })
  await until(async () => (await hub.call('GET', `${base}/locations/${id}`)).status === 200)
  await sendToken(hub, 'ONE', 'PARTY-1')
  await sendToken(hub, 'TWO', 'PARTY-2')
  const running: Record<string, Charge> = {}
  for (const [connector, [name, driver]] of [
    ['ONE', 'PARTY-1'],
    ['TWO', 'PARTY-2'],
  ].entries()) {
    await stop(client, await start(tenant, client, id, driver as string, connector + 1))
    running[name as string] = await start(tenant, client, id, driver as string, connector + 1, 11_000)
    await until(() => hub.sent('cdrs', name as string).length === 1)
  }
  const as = (party_id: string) => (method: string, path: string, body?: unknown) =>
    hub.call(method, `${base}${path}`, body, fromParty(party_id))

  const partiesIn = async (call: ReturnType<typeof as>, path: string) => {
    const { body, headers } = await call('GET', path)
    const parties: string[] = body.data.map((one: { cdr_token: { party_id: string } }) => one.cdr_token.party_id)
    return [Number(headers.get('x-total-count')), ...parties]
  }
  const since = encodeURIComponent(new Date(0).toISOString())
  for (const period of ['', `?date_from=${since}`]) {
    t.same(await partiesIn(as('ONE'), `/cdrs${period}`), [1, 'ONE'])
    t.same(await partiesIn(as('two'), `/cdrs${period}`), [1, 'TWO'], 'parties have no case')
    t.same(await partiesIn(as('HUB'), `/cdrs${period}`), [2, 'ONE', 'TWO'])
    t.same(await partiesIn(as('ONE'), `/sessions${period}`), [2, 'ONE', 'ONE'])
    t.same((await partiesIn(as('HUB'), `/sessions${period}`)).sort(), [4, 'ONE', 'ONE', 'TWO', 'TWO'])
    const first = await as('ONE')('GET', `/sessions${period}${period === '' ? '?' : '&'}limit=1`)
    const [, link = ''] = /<[^>]*(\/sessions[^>]*)>/.exec(first.headers.get('link') ?? '') ?? []
    t.same(await partiesIn(as('ONE'), link), [2, 'ONE'], 'also on the next page')
  }

  const token = (party_id: string, uid: string) => `/tokens/NL/${party_id}/${uid}`
  t.equal((await as('ONE')('GET', token('ONE', 'PARTY-1'))).status, 200)
  const patch = { valid: false, last_updated: new Date().toISOString() }
  for (const [method, body] of [['GET'], ['PATCH', patch], ['PUT', tokenOf('TWO', 'PARTY-2')]] as const)
    t.equal((await as('ONE')(method, token('TWO', 'PARTY-2'), body)).status, 404, `${method} of another party's token`)
  const asked = await as('ONE')('POST', '/tokens/PARTY-2/authorize')
  t.match([asked.status, asked.body.status_code], [404, 2004])
  t.match((await as('TWO')('POST', '/tokens/PARTY-2/authorize')).body.data, { allowed: 'ALLOWED' })

  const response_url = `${hub.url}/result`
  const place = { location_id: id, evse_uid: `${id}_3`, connector_id: '3' }
  const driver = (party_id: string, uid: string) => ({
    country_code: 'NL',
    party_id,
    uid,
    type: 'RFID',
    contract_id: `NL-${party_id}-${uid}`,
  })
  const command = async (party_id: string, name: string, body: object) =>
    (await as(party_id)('POST', `/commands/${name}`, { response_url, ...body })).body.data.result
  const theirs = { ...place, token: driver('TWO', 'PARTY-2') }
  const unnamed = { uid: 'PARTY-2', type: 'RFID', contract_id: 'NL-TWO-PARTY-2' }
  const until_ = { reservation_id: 'R1', expiry_date: new Date(Date.now() + 3_600_000).toISOString() }
  t.equal(await command('ONE', 'START_SESSION', theirs), 'REJECTED')
  t.equal(
    await command('ONE', 'START_SESSION', { ...place, token: unnamed }),
    'REJECTED',
    'the card is of another party',
  )
  t.equal(await command('ONE', 'RESERVE_NOW', { ...theirs, ...until_ }), 'REJECTED')
  const { sessionId: session_id = '' } = running.TWO ?? {}
  t.equal(await command('ONE', 'STOP_SESSION', { session_id }), 'REJECTED')
  await client.call('StatusNotification', { connectorId: 2, status: 'Charging', errorCode: 'NoError' })
  t.equal(await command('ONE', 'UNLOCK_CONNECTOR', { ...place, evse_uid: `${id}_2`, connector_id: '2' }), 'REJECTED')
  const profile = `/chargingprofiles/${session_id}?response_url=${encodeURIComponent(response_url)}`
  t.equal((await as('ONE')('DELETE', profile)).body.data.result, 'REJECTED')

  t.equal(await command('TWO', 'RESERVE_NOW', { ...theirs, ...until_ }), 'ACCEPTED')
  t.match(await client.answerNext({ status: 'Accepted' }), [2, String, 'ReserveNow', { connectorId: 3 }])
  await until(() => hub.requests.some(({ path, json }) => path === '/result' && json.result === 'ACCEPTED'))
  t.equal(await command('ONE', 'CANCEL_RESERVATION', { reservation_id: 'r1' }), 'REJECTED', 'one that it does not have')
  t.equal(await command('TWO', 'CANCEL_RESERVATION', { reservation_id: 'r1' }), 'ACCEPTED')
  t.match(await client.answerNext({ status: 'Accepted' }), [2, String, 'CancelReservation', {}])
  t.equal(await command('TWO', 'STOP_SESSION', { session_id }), 'ACCEPTED')
  t.match(await client.answerNext({ status: 'Accepted' }), [2, String, 'RemoteStopTransaction', {}])
  const results = await until(() => {
    const all = hub.requests.filter(({ path }) => path === '/result')
    return all.length === 3 ? all : undefined
  })
  t.same(
    results.map(({ headers }) => headers['ocpi-to-party-id']),
    ['TWO', 'TWO', 'TWO'],
    'results are for the party that has sent the command',
  )
})
