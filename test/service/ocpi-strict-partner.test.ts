// A partner that is written from OCPI 2.2.1 alone, and has never heard of the interface of the service: it sends what the standard has and no more,
// and looks at all that it reads and is sent for what the standard requires.

import { type Test, test } from 'tap'
import { energyAt, secondsAgo } from '../support/charge-point.js'
import { invitePartner, type PartnerRequest, party, startPartner } from '../support/ocpi-partner.js'
import {
  nextPartyId,
  operatorOf,
  publishedChargePoint,
  resultAt,
  roamingFlags,
  setStatus,
} from '../support/roaming-stage.js'
import type { Answer, Service } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { type ShapeName, strictEnvelopeFaults, strictFaults } from '../support/strict-ocpi.js'
import { until } from '../support/until.js'

const laboratory = await sharedService(roamingFlags)

interface Expected {
  readonly status?: number
  readonly shape?: ShapeName
  readonly kind?: 'one' | 'list'
}

/** Calls as the standard says, and finds every fault of the answers. */
class StrictClient {
  token = ''
  #requests = 0
  readonly faults: string[] = []
  readonly #service: Pick<Service, 'request'>
  readonly #from: string
  readonly #to: string

  constructor(service: Pick<Service, 'request'>, from: string, to: string) {
    this.#service = service
    this.#from = from
    this.#to = to
  }

  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
  async call(method: string, url: string, body?: object, expected: Expected = {}): Promise<any> {
    const { pathname, search } = new URL(url)
    const ids = { 'x-request-id': `request-${++this.#requests}`, 'x-correlation-id': `correlation-${this.#requests}` }
    const isConfiguration = /\/(versions|credentials)/.test(pathname)
    const answer = await this.#service.request(method, `${pathname}${search}`, body, {
      authorization: `Token ${Buffer.from(this.token).toString('base64')}`,
      ...ids,
      ...(!isConfiguration && {
        'ocpi-from-country-code': 'NL',
        'ocpi-from-party-id': this.#from,
        'ocpi-to-country-code': 'NL',
        'ocpi-to-party-id': this.#to,
      }),
    })
    const found = this.#faultsOf(answer, ids, isConfiguration, expected)
    this.faults.push(...found.map((fault) => `${method} ${pathname}: ${fault}`))
    return answer.body.data
  }

  #faultsOf(answer: Answer, ids: Record<string, string>, isConfiguration: boolean, expected: Expected): string[] {
    const { headers, status, body } = answer
    const { status: wanted = 200, shape, kind } = expected
    const routing = isConfiguration
      ? { 'ocpi-from-party-id': null, 'ocpi-to-party-id': null }
      : { 'ocpi-from-party-id': this.#to, 'ocpi-to-party-id': this.#from, 'ocpi-to-country-code': 'NL' }
    const wrong = Object.entries({ ...ids, ...routing }).filter(([name, value]) => headers.get(name) !== value)
    const isJson = headers.get('content-type')?.startsWith('application/json') === true
    const counted = kind === 'list' && !isConfiguration ? ['x-total-count', 'x-limit'] : []
    return [
      ...(status === wanted ? [] : [`HTTP ${status} ${JSON.stringify(body)}`]),
      ...(body.status_code === 1000 ? [] : [`status_code ${body.status_code}`]),
      ...wrong.map(([name]) => `${name} is ${headers.get(name)}`),
      ...(isJson ? [] : ['the answer is no JSON']),
      ...counted.filter((name) => !/^\d+$/.test(headers.get(name) ?? '')).map((name) => `${name} is missing`),
      ...strictEnvelopeFaults(body, shape, kind),
    ]
  }
}

/** What each request of the service has to be, by method and path. */
const sent: readonly (readonly [RegExp, ShapeName | undefined])[] = [
  [/^GET \/(versions|2\.2\.1)$/, undefined],
  [/^PUT \/locations\/NL\/\w{3}\/[^/]+$/, 'Location'],
  [/^PATCH \/locations\/NL\/\w{3}\/[^/]+\/[^/]+$/, 'EvseStatusPatch'],
  [/^PUT \/sessions\/NL\/\w{3}\/[^/]+$/, 'Session'],
  [/^PATCH \/sessions\/NL\/\w{3}\/[^/]+$/, 'SessionPatch'],
  [/^POST \/cdrs$/, 'Cdr'],
  [/^PUT \/tariffs\/NL\/\w{3}\/[^/]+$/, 'Tariff'],
  [/^DELETE \/tariffs\/NL\/\w{3}\/[^/]+$/, undefined],
  [/^POST \/tokens\/[^/]+\/authorize\?type=RFID$/, 'LocationReferences'],
  [/^GET \/tokens\?/, undefined],
  [/^POST \/results\/\d+$/, 'CommandResult'],
  [/^(POST|PUT) \/credentials$/, 'Credentials'],
  [/^DELETE \/credentials$/, undefined],
]

function faultsOfRequest({ method, path, headers, json }: PartnerRequest, from: string, to: string): string[] {
  const name = `${method} ${path}`
  const [, shape] = sent.find(([pattern]) => pattern.test(name)) ?? []
  const isConfiguration = /^\/(versions|2\.2\.1|credentials)/.test(path)
  const routing = isConfiguration ? [undefined, undefined] : [from, to]
  const seen = [headers['ocpi-from-party-id'], headers['ocpi-to-party-id']]
  const ids = ['x-request-id', 'x-correlation-id'].filter((id) => !/^.{1,64}$/.test(String(headers[id] ?? '')))
  const isNamed = /^PUT \/(locations|sessions|tariffs)/.test(name)
  const own = isNamed && path.split('/').slice(2).join('/') !== `${json.country_code}/${json.party_id}/${json.id}`
  const faults = [
    ...(sent.some(([pattern]) => pattern.test(name)) ? [] : ['the standard has no such request']),
    ...ids.map((id) => `${id} is missing`),
    ...(/^Token [A-Za-z0-9+/]+=*$/.test(headers.authorization ?? '') ? [] : ['the token is not in base64']),
    ...(json === undefined || headers['content-type']?.startsWith('application/json') ? [] : ['no content type']),
    ...(seen.join() === routing.join() ? [] : [`it is from and to ${seen.join()}`]),
    ...(own ? ['the object is not that of the address'] : []),
    ...(shape === undefined ? [] : strictFaults(shape, json)),
  ]
  return faults.map((fault) => `${name}: ${fault}`)
}

/** A partner that has registered, with the addresses that it has read. */
async function stage(t: Test) {
  const tenant = await operatorOf(laboratory)
  const [stub, invited] = [await startPartner(t), await invitePartner(tenant)]
  const partyId = nextPartyId('S')
  const client = new StrictClient(tenant, partyId, tenant.partyId)
  client.token = invited.token
  const versions = await client.call('GET', invited.versionsUrl, undefined, { shape: 'Version', kind: 'list' })
  const url = versions.find(({ version }: { version: string }) => version === '2.2.1').url
  const details = await client.call('GET', url, undefined, { shape: 'VersionDetails' })
  const at = (module: string): string =>
    details.endpoints.find((one: { identifier: string }) => one.identifier === module).url
  const roles = [{ role: 'EMSP', country_code: 'NL', party_id: partyId, business_details: { name: 'Strict Mobility' } }]
  const register = async (method: string, token: string) => {
    const given = await client.call(
      method,
      at('credentials'),
      { token, url: stub.versionsUrl, roles },
      { shape: 'Credentials' },
    )
    client.token = given.token
  }
  const pushed = () => stub.requests.flatMap((request) => faultsOfRequest(request, tenant.partyId, partyId))
  return { tenant, stub, client, partyId, at, register, pushed }
}

const tokenOf = (party_id: string, uid: string, whitelist: string, type = 'RFID') => ({
  country_code: 'NL',
  party_id,
  uid,
  type,
  contract_id: `NL-${party_id}-${uid}`,
  issuer: 'Strict Mobility',
  valid: true,
  whitelist,
  last_updated: '2026-01-01T10:00:00Z',
})

test('ocpi strict partner - from its registration to its end, nothing is missing that the standard requires', async (t) => {
  const { tenant, stub, client, partyId, at, register, pushed } = await stage(t)
  await register('POST', 'strict-b')
  t.same(client.faults.splice(0), [], 'the handshake')

  const tariff = {
    name: 'Street',
    currency: 'EUR',
    tax_percentage: 21,
    components: [
      { type: 'flat', price: 0.5 },
      { type: 'energy', price: 0.49 },
      { type: 'idle', price: 6 },
    ],
  }
  const chargePoint = await publishedChargePoint(tenant, { call: asStrict(client) }, 'STRICT-1')
  const { tariff_id } = (await tenant.request('POST', '/api/v1/billing/tariffs', tariff)).body
  await tenant.request('PUT', '/api/v1/chargepoints/STRICT-1/tariff', { tariff_id })
  await setStatus(chargePoint, 1, 'Available')
  await setStatus(chargePoint, 2, 'Available')

  const card = tokenOf(partyId, 'STRICT-CARD', 'NEVER')
  const place = `${at('tokens')}/NL/${partyId}/STRICT-CARD`
  await client.call('PUT', place, card, { status: 201 })
  await client.call('PATCH', place, { visual_number: '1234', last_updated: '2026-01-02T10:00:00Z' })
  t.match(await client.call('GET', place, undefined, { shape: 'Token' }), { visual_number: '1234', uid: 'STRICT-CARD' })

  stub.misbehave(({ path }, response) => {
    if (!path.startsWith('/tokens/')) return undefined
    const data = { allowed: 'ALLOWED', token: card, authorization_reference: 'ref-1' }
    const body = { data, status_code: 1000, timestamp: new Date().toISOString() }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return true
  })
  t.equal((await chargePoint.call('Authorize', { idTag: 'STRICT-CARD' })).payload.idTagInfo.status, 'Accepted')
  const start = { connectorId: 1, idTag: 'STRICT-CARD', meterStart: 0, timestamp: secondsAgo(600) }
  const { transactionId } = (await chargePoint.call('StartTransaction', start)).payload
  await until(() => stub.requests.some(({ method, path }) => method === 'PUT' && path.startsWith('/sessions')))
  await setStatus(chargePoint, 1, 'Charging')
  const meterValue = [energyAt(secondsAgo(300), 5_000), energyAt(secondsAgo(60), 9_000)]
  await chargePoint.call('MeterValues', { connectorId: 1, transactionId, meterValue })
  await setStatus(chargePoint, 1, 'SuspendedEV')
  const sessions = `${at('sessions')}?date_from=${encodeURIComponent(secondsAgo(3600))}`
  const [running] = await client.call('GET', sessions, undefined, { shape: 'Session', kind: 'list' })
  t.match(running, { status: 'ACTIVE', auth_method: 'AUTH_REQUEST', authorization_reference: 'ref-1' })
  await until(() => stub.requests.some(({ method, path }) => method === 'PATCH' && path.startsWith('/sessions')))
  const stop = { transactionId, meterStop: 10_000, timestamp: secondsAgo(0), idTag: 'STRICT-CARD' }
  await chargePoint.call('StopTransaction', stop)
  await setStatus(chargePoint, 1, 'Available')
  const cdr = await until(() => stub.requests.find(({ path }) => path === '/cdrs')?.json)
  t.match(cdr, { session_id: running.id, total_energy: 10, authorization_reference: 'ref-1' })
  const read = async (module: string, shape: ShapeName) =>
    client.call('GET', `${at(module)}?limit=10`, undefined, { shape, kind: 'list' })
  t.match(await read('cdrs', 'Cdr'), [{ id: cdr.id }])
  t.match(await read('sessions', 'Session'), [{ id: running.id, status: 'COMPLETED', end_date_time: String }])
  const locations = () => read('locations', 'Location')
  const location = await until(async () => (await locations()).find(sellsAtAPrice))
  const one = await client.call('GET', `${at('locations')}/${location.id}`, undefined, { shape: 'Location' })
  const [evse] = one.evses
  const evseUrl = `${at('locations')}/${location.id}/${evse.uid}`
  await client.call('GET', evseUrl, undefined, { shape: 'Evse' })
  await client.call('GET', `${evseUrl}/${evse.connectors[0].id}`, undefined, { shape: 'Connector' })
  const [offered] = await read('tariffs', 'Tariff')
  t.same(evse.connectors[0].tariff_ids, [offered.id])
  t.same(client.faults.splice(0), [], 'what it reads')
  t.same(pushed(), [], 'what it is sent')

  await register('PUT', 'strict-b2')
  await client.call('DELETE', at('credentials'))
  t.same(client.faults, [], 'the end')
  chargePoint.close()
})

// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
const sellsAtAPrice = ({ evses }: any): boolean => evses[0].connectors[0].tariff_ids !== undefined

/** Calls of the stage, which waits for a location: not looked at. */
const asStrict =
  (client: StrictClient) =>
  async (method: string, path: string): Promise<Answer> => {
    const before = client.faults.length
    const data = await client.call(method, `http://localhost${path}`, undefined, { shape: 'Location' })
    client.faults.length = before
    return { status: data === undefined ? 404 : 200, headers: new Headers(), body: { data } }
  }

test('ocpi strict partner - each command is answered, and has its result', async (t) => {
  const { tenant, stub, client, partyId, at, register, pushed } = await stage(t)
  await register('POST', 'strict-b')
  const chargePoint = await publishedChargePoint(tenant, { call: asStrict(client) }, 'STRICT-2')
  await setStatus(chargePoint, 1, 'Available')
  let results = 0
  const send = async (command: string, body: object, answer: object): Promise<string> => {
    const path = `/results/${++results}`
    const sentBody = { response_url: `${stub.url}${path}`, ...body }
    const taken = await client.call('POST', `${at('commands')}/${command}`, sentBody, { shape: 'CommandResponse' })
    t.match(taken, { result: 'ACCEPTED' }, command)
    await chargePoint.answerNext(answer)
    return resultAt(stub, path)
  }
  const token = tokenOf(partyId, 'STRICT-APP', 'ALLOWED', 'APP_USER')
  const evse = { location_id: 'STRICT-2', evse_uid: 'STRICT-2_1' }
  const accepted = { status: 'Accepted' }
  const expiry_date = new Date(Date.now() + 600_000).toISOString()
  const reservation = { token, expiry_date, reservation_id: 'R1', ...evse, authorization_reference: 'ref-2' }
  t.equal(await send('RESERVE_NOW', reservation, accepted), 'ACCEPTED')
  t.equal(await send('CANCEL_RESERVATION', { reservation_id: 'R1' }, accepted), 'ACCEPTED')
  const starting = { token, ...evse, connector_id: '1', authorization_reference: 'ref-3' }
  t.equal(await send('START_SESSION', starting, accepted), 'ACCEPTED')
  const begun = { connectorId: 1, idTag: 'STRICT-APP', meterStart: 0, timestamp: secondsAgo(1) }
  const { transactionId } = (await chargePoint.call('StartTransaction', begun)).payload
  const isActive = ({ path, json }: PartnerRequest) => path.startsWith('/sessions') && json.status === 'ACTIVE'
  const session = await until(() => stub.requests.find(isActive)?.json)
  t.match(session, { auth_method: 'COMMAND', authorization_reference: 'ref-3', cdr_token: { uid: 'STRICT-APP' } })
  t.equal(await send('STOP_SESSION', { session_id: session.id }, accepted), 'ACCEPTED')
  await chargePoint.call('StopTransaction', { transactionId, meterStop: 1_000, timestamp: secondsAgo(0) })
  await until(() => stub.requests.some(({ path }) => path === '/cdrs'))
  const unlocking = { ...evse, connector_id: '1' }
  t.equal(await send('UNLOCK_CONNECTOR', unlocking, { status: 'Unlocked' }), 'ACCEPTED')
  t.same(client.faults, [])
  t.same(pushed(), [])
  chargePoint.close()
})

test('ocpi strict partner - the one that is registered at sends and gets what the standard has', async (t) => {
  const tenant = await operatorOf(laboratory, {
    business_details: { ...party.business_details, website: 'https://a.example' },
  })
  const [stub, invited] = [await startPartner(t), await invitePartner(tenant)]
  const path = `/api/v1/ocpi/partners/${invited.id}`
  const registered = await tenant.request('POST', `${path}/register`, { versions_url: stub.versionsUrl, token: 'a' })
  t.match(registered.body, { status: 'registered' })
  await tenant.request('POST', `${path}/rotate-credentials`)
  await tenant.request('DELETE', path)
  const faults = stub.requests.flatMap((request) => faultsOfRequest(request, tenant.partyId, 'EMP'))
  t.same(faults, [])
  t.ok(stub.requests.length >= 7)
})
