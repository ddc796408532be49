// The OCPI part of the interface as it stands: each request with the fields that the interface shows and no others is accepted, and each answer has
// every field that it shows. What OCPI 2.2.1 requires beside them is there, too, for partners who know the standard alone.

import { type Test, test } from 'tap'
import { bootChargePoint, secondsAgo } from '../support/charge-point.js'
import { asPartner, invitePartner, type PartnerRequest, startPartner } from '../support/ocpi-partner.js'
import { modules, nextPartyId, operatorOf, resultAt, roamingFlags, setStatus } from '../support/roaming-stage.js'
import { sharedService } from '../support/shared-services.js'
import { type ShapeName, strictEnvelopeFaults } from '../support/strict-ocpi.js'
import { until } from '../support/until.js'

const laboratory = await sharedService(roamingFlags)

/** Fields of answers, as the interface lists them; those of an object in a field stand behind a point. */
const shown: Readonly<Record<string, string>> = {
  version: 'version url',
  details: 'version endpoints.identifier endpoints.role endpoints.url',
  credentials:
    'token url business_details.name party_id country_code roles.role roles.business_details.name roles.party_id roles.country_code',
  location:
    'country_code party_id id name address city postal_code country coordinates.latitude coordinates.longitude last_updated evses.uid evses.evse_id evses.status evses.connectors.id evses.connectors.standard evses.connectors.format evses.connectors.power_type evses.connectors.max_voltage evses.connectors.max_amperage evses.connectors.max_electric_power',
  session:
    'country_code party_id id start_date_time kwh cdr_token.uid cdr_token.type cdr_token.contract_id auth_method location_id evse_uid connector_id currency status last_updated',
  cdr: 'country_code party_id id start_date_time end_date_time session_id cdr_token.uid cdr_token.type cdr_token.contract_id auth_method location_id evse_uid connector_id currency total_cost.excl_vat total_cost.incl_vat total_energy total_time last_updated',
  tariff:
    'country_code party_id id currency elements.price_components.type elements.price_components.price elements.price_components.step_size last_updated',
  token: 'uid type contract_id issuer valid whitelist last_updated',
  authorization: 'allowed location.id location.evses.uid',
  command: 'result timeout message',
}

/** Which of the fields are missing. Of a list, every object is looked at. */
function missing(value: unknown, fields: string): string[] {
  return fields.split(' ').filter((path) => !has(value, path.split('.')))
}

function has(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => has(one, [first ?? '', ...rest]))
  const inside = (value as Readonly<Record<string, unknown>> | undefined)?.[first ?? '']
  return inside !== undefined && (rest.length === 0 || has(inside, rest))
}

async function stage(t: Test) {
  const tenant = await operatorOf(laboratory)
  const [stub, invited] = [await startPartner(t), await invitePartner(tenant)]
  const partyId = nextPartyId('I')
  const business_details = {
    name: 'Example Mobility',
    website: 'https://emsp.example.com',
    logo: { url: 'https://emsp.example.com/logo.png', category: 'OPERATOR', type: 'png' },
  }
  const own = { business_details, party_id: partyId, country_code: 'NL' }
  const credentials = { token: 'interface-b', url: stub.versionsUrl, ...own, roles: [{ role: 'EMSP', ...own }] }
  return { tenant, stub, partyId, credentials, a: asPartner(tenant, invited.token) }
}

/** Calls, and looks at the answer with the eyes of both. */
const looker =
  (t: Test, call: ReturnType<typeof asPartner>) =>
  async (method: string, path: string, sees: { fields?: string; shape?: ShapeName; kind?: 'list' }, body?: object) => {
    const answer = await call(method, path, body)
    const name = `${method} ${path}`
    t.ok(answer.status === 200 || answer.status === 201, `${name}: HTTP ${answer.status}`)
    t.match(answer.body, { status_code: 1000, status_message: String }, name)
    t.same(strictEnvelopeFaults(answer.body, sees.shape, sees.kind), [], name)
    if (sees.fields !== undefined) t.same(missing(answer.body.data, shown[sees.fields] ?? ''), [], name)
    return answer.body.data
  }

test('ocpi interface - versions and credentials as they stand', async (t) => {
  const { a, credentials, tenant } = await stage(t)
  const first = looker(t, a)
  await first('GET', '/ocpi/versions', { fields: 'version', shape: 'Version', kind: 'list' })
  const details = await first('GET', '/ocpi/versions/2.2.1', { fields: 'details', shape: 'VersionDetails' })
  t.match(
    Object.fromEntries(details.endpoints.map(({ identifier, role }: Record<string, string>) => [identifier, role])),
    {
      credentials: String,
      ...{ locations: 'SENDER', sessions: 'SENDER', cdrs: 'SENDER', tariffs: 'SENDER' },
      ...{ commands: 'RECEIVER', tokens: 'RECEIVER' },
    },
  )
  const path = `${modules}/credentials`
  const both = { fields: 'credentials', shape: 'Credentials' } as const
  const given = await first('POST', path, both, credentials)
  const then = looker(t, asPartner(tenant, given.token))
  t.same(await then('GET', path, both), given)
  const replaced = await then('PUT', path, both, credentials)
  const last = looker(t, asPartner(tenant, replaced.token))
  t.equal(await last('DELETE', path, {}), undefined)
  t.equal((await asPartner(tenant, replaced.token)('GET', path)).status, 401, 'both sides’ tokens are invalid')
})

test('ocpi interface - tokens, a session, its CDR, the tariff and the location as they stand', async (t) => {
  const { tenant, a, credentials, partyId, stub } = await stage(t)
  const { body } = await a('POST', `${modules}/credentials`, credentials)
  const look = looker(t, asPartner(tenant, body.data.token))
  const client = await bootChargePoint(tenant, 'FACE-1', { connector_count: 1, max_power_kw: 11 })
  const components = [{ type: 'energy', price: 0.4 }]
  const tariff = { name: 'Energy', currency: 'EUR', tax_percentage: 21, components }
  const { tariff_id } = (await tenant.request('POST', '/api/v1/billing/tariffs', tariff)).body
  await tenant.request('PUT', '/api/v1/chargepoints/FACE-1/tariff', { tariff_id })
  const place = { publish: true, city: 'Utrecht', postal_code: '3511 ED' }
  const max_electric_power = 11_000
  const connectors = [{ connector_id: 1, max_electric_power }]
  const set = await tenant.request('PUT', '/api/v1/chargepoints/FACE-1/ocpi', { ...place, connectors })
  t.equal(set.status, 200, JSON.stringify(set.body))
  await setStatus(client, 1, 'Available')
  const read = asPartner(tenant, body.data.token)
  const isWhole = async () => (await read('GET', `${modules}/locations/FACE-1`)).body.data?.postal_code === '3511 ED'
  await until(isWhole)

  const at = `${modules}/tokens/NL/${partyId}/FACE-CARD`
  const token = {
    uid: 'FACE-CARD',
    type: 'RFID',
    contract_id: `NL-${partyId}-FACE`,
    issuer: 'Example Mobility',
    valid: true,
    whitelist: 'ALLOWED',
    last_updated: '2026-01-01T10:00:00Z',
  }
  await look('PUT', at, {}, token)
  await look('PUT', at, {}, token)
  await look('PATCH', at, {}, { valid: false, last_updated: '2026-01-02T10:00:00Z' })
  await look('PUT', at, {}, { ...token, last_updated: '2026-01-03T10:00:00Z' })
  t.match(await look('GET', at, { fields: 'token', shape: 'Token' }), { valid: true })
  for (const type of ['APP_USER', 'OTHER', 'AD_HOC_USER']) {
    await look('PUT', `${at}?type=${type}`, {}, { ...token, type })
    const sees = { shape: 'AuthorizationInfo' } as const
    t.match(await look('POST', `${modules}/tokens/FACE-CARD/authorize?type=${type}`, sees), { allowed: 'ALLOWED' })
  }
  const references = { location_id: 'FACE-1', evse_uids: ['FACE-1_1'] }
  const sees = { fields: 'authorization', shape: 'AuthorizationInfo' } as const
  await look('POST', `${modules}/tokens/FACE-CARD/authorize`, sees, references)

  const start = { connectorId: 1, idTag: 'FACE-CARD', meterStart: 0, timestamp: secondsAgo(600) }
  const { transactionId } = (await client.call('StartTransaction', start)).payload
  const listed = (module: string, fields: string, shape: ShapeName, query = '') =>
    look('GET', `${modules}/${module}${query}`, { fields, shape, kind: 'list' })
  t.match(await listed('sessions', 'session', 'Session'), [{ status: 'ACTIVE' }])
  await client.call('StopTransaction', { transactionId, meterStop: 10_000, timestamp: secondsAgo(0) })
  await until(() => stub.requests.some(({ path }) => path === '/cdrs'))
  const since = encodeURIComponent(secondsAgo(3600))
  const to = encodeURIComponent(secondsAgo(-3600))
  t.match(await listed('cdrs', 'cdr', 'Cdr', `?date_from=${since}&date_to=${to}`), [{ total_energy: 10 }])
  await listed('sessions', 'session', 'Session', `?date_from=${since}&date_to=${to}&offset=0`)
  await listed('tariffs', 'tariff', 'Tariff')
  const [location] = await listed('locations', 'location', 'Location', `?offset=0&limit=25&date_from=${since}`)
  const path = `${modules}/locations/${location.id}`
  t.same(await look('GET', path, { fields: 'location', shape: 'Location' }), location)
  t.same(await look('GET', `${path}/FACE-1_1`, { shape: 'Evse' }), location.evses[0])
  t.same(await look('GET', `${path}/FACE-1_1/1`, { shape: 'Connector' }), location.evses[0].connectors[0])
  client.close()
})

test('ocpi interface - commands as they stand', async (t) => {
  const { tenant, a, credentials, stub, partyId } = await stage(t)
  const { body } = await a('POST', `${modules}/credentials`, credentials)
  const look = looker(t, asPartner(tenant, body.data.token))
  const client = await bootChargePoint(tenant, 'FACE-2', { connector_count: 1 })
  await tenant.request('PUT', '/api/v1/chargepoints/FACE-2/ocpi', { publish: true, city: 'Utrecht' })
  await setStatus(client, 1, 'Available')
  const call = asPartner(tenant, body.data.token)
  await until(async () => (await call('GET', `${modules}/locations/FACE-2`)).status === 200)
  const outlet = { location_id: 'FACE-2', evse_uid: 'FACE-2_1', connector_id: '1' }
  const token = { uid: 'FACE-APP', type: 'APP_USER', contract_id: `NL-${partyId}-APP` }
  const send = async (command: string, at: string, sent: object, answer: object) => {
    const sees = { fields: 'command', shape: 'CommandResponse' } as const
    const path = `${modules}/commands/${command}`
    const taken = await look('POST', path, sees, { response_url: `${stub.url}${at}`, ...sent })
    t.match(taken, { result: 'ACCEPTED' }, command)
    await client.answerNext(answer)
    t.equal(await resultAt(stub, at), 'ACCEPTED', command)
  }
  const expiry_date = new Date(Date.now() + 600_000).toISOString()
  const accepted = { status: 'Accepted' }
  const { connector_id: _, ...evse } = outlet
  await send('RESERVE_NOW', '/r1', { token, expiry_date, reservation_id: 'R1', ...evse }, accepted)
  await send('START_SESSION', '/r2', { token, ...outlet }, accepted)
  const start = { connectorId: 1, idTag: 'FACE-APP', meterStart: 0, timestamp: secondsAgo(1) }
  const { transactionId } = (await client.call('StartTransaction', start)).payload
  const isActive = ({ path, json }: PartnerRequest) => path.startsWith('/sessions') && json.status === 'ACTIVE'
  const { id: session_id } = await until(() => stub.requests.find(isActive)?.json)
  await send('STOP_SESSION', '/r3', { session_id }, accepted)
  await client.call('StopTransaction', { transactionId, meterStop: 1, timestamp: secondsAgo(0) })
  await send('UNLOCK_CONNECTOR', '/r4', outlet, { status: 'Unlocked' })
  client.close()
})
