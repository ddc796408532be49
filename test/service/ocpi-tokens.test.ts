// Tokens of partners' drivers (OCPI 2.2.1, 12), at the built service: pushed, asked about in real time, and shown at a charge point.

import type { ServerResponse } from 'node:http'
import { type Test, test } from 'tap'
import { bootChargePoint, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import {
  asPartner,
  credentialsOf,
  envelope,
  invitePartner,
  type Misbehaviour,
  type OcpiPartnerStub,
  party,
  sendJson,
  startPartner,
} from '../support/ocpi-partner.js'
import type { OcppClient } from '../support/ocpp-client.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { roamingFlags } from '../support/roaming-stage.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const laboratory = await sharedService(roamingFlags)
const tokens = '/ocpi/cpo/2.2.1/tokens'
let parties = 0

async function operatorOf(settings: object = {}): Promise<Tenant> {
  const tenant = await tenantOf(laboratory)
  const party_id = `T${(++parties).toString().padStart(2, '0')}`
  await tenant.request('PUT', '/api/v1/ocpi/party', { ...party, party_id })
  await tenant.request('PUT', `/api/v1/organizations/${tenant.id}/settings`, { unknown_id_tags: 'reject', ...settings })
  return tenant
}

interface Partner {
  readonly id: string
  readonly stub: OcpiPartnerStub
  readonly call: ReturnType<typeof asPartner>
}

async function partnerOf(
  t: Test,
  tenant: Tenant,
  party_id: string,
  fields: object = {},
  how?: (stub: OcpiPartnerStub) => Misbehaviour,
): Promise<Partner> {
  const [stub, invited] = [await startPartner(t), await invitePartner(tenant, { name: party_id, ...fields })]
  if (how !== undefined) stub.misbehave(how(stub))
  const role = { role: 'EMSP', country_code: 'NL', party_id, business_details: { name: party_id } }
  const credentials = credentialsOf(stub, `b-${invited.id}`, [role])
  const { body } = await asPartner(tenant, invited.token)('POST', '/ocpi/cpo/2.2.1/credentials', credentials)
  if (body.status_code !== 1000) throw new Error(`the partner was not registered: ${JSON.stringify(body)}`)
  return { id: invited.id, stub, call: asPartner(tenant, body.data.token) }
}

const tokenOf = (uid: string, more: object = {}) => ({
  country_code: 'NL',
  party_id: 'EMP',
  uid,
  type: 'RFID',
  contract_id: `NL-EMP-${uid}`.slice(0, 36),
  issuer: 'Example Mobility',
  valid: true,
  whitelist: 'ALLOWED',
  last_updated: '2026-01-01T10:00:00Z',
  ...more,
})

const put = ({ call }: Partner, token: ReturnType<typeof tokenOf>) =>
  call('PUT', `${tokens}/${token.country_code}/${token.party_id}/${token.uid}?type=${token.type}`, token)

const authorize = async (client: OcppClient, idTag: string): Promise<string> =>
  (await client.call('Authorize', { idTag })).payload.idTagInfo.status

/** Answers real-time questions; what it returns is the answer's data, or undefined where it has answered itself. */
function answers({ stub }: Partner, say: (uid: string, response: ServerResponse) => object | undefined): void {
  stub.misbehave(({ method, path }, response) => {
    const [, uid] = /^\/tokens\/([^/]+)\/authorize\?type=RFID$/.exec(path) ?? []
    if (method !== 'POST' || uid === undefined) return undefined
    const data = say(decodeURIComponent(uid), response)
    if (data !== undefined) sendJson(response, 200, envelope(data))
    return true
  })
}

const asked = ({ stub }: Partner) => stub.requests.filter(({ path }) => path.includes('/authorize'))

test('OCPI 11 - row 17: PUT of a token is 201 or 200 without data, and forgets what is left out', async (t) => {
  const partner = await partnerOf(t, await operatorOf(), 'EMP')
  const token = tokenOf('Card1', { visual_number: '1234', group_id: 'FLEET' })
  const created = await put(partner, token)
  t.equal(created.status, 201)
  t.same(Object.keys(created.body).sort(), ['status_code', 'status_message', 'timestamp'])
  t.equal(created.body.status_code, 1000)
  t.same((await partner.call('GET', `${tokens}/NL/EMP/Card1`)).body.data, token)
  t.same((await partner.call('GET', `${tokens}/nl/emp/cARD1?type=RFID`)).body.data, token, 'names have no case')
  const replaced = await put(partner, tokenOf('Card1', { group_id: null }))
  t.equal(replaced.status, 200)
  t.same((await partner.call('GET', `${tokens}/NL/EMP/Card1`)).body.data, tokenOf('Card1'))
  t.equal((await put(partner, tokenOf('Card1', { type: 'APP_USER' }))).status, 201, 'the type is part of the name')
  const { country_code: _, party_id: __, ...nameless } = tokenOf('Card2')
  t.equal((await partner.call('PUT', `${tokens}/NL/EMP/Card2`, nameless)).status, 201, 'the address says whose it is')
  t.match((await partner.call('GET', `${tokens}/NL/EMP/Card2`)).body.data, { country_code: 'NL', party_id: 'EMP' })
})

test('ocpi tokens - what is older than what is stored changes nothing, by PUT and by PATCH', async (t) => {
  const partner = await partnerOf(t, await operatorOf(), 'EMP')
  await put(partner, tokenOf('A', { last_updated: '2026-01-02T00:00:00Z' }))
  const older = await put(partner, tokenOf('A', { valid: false, last_updated: '2026-01-01T23:59:59Z' }))
  t.match(older, { status: 200, body: { status_code: 1000 } })
  const patch = (body: object) => partner.call('PATCH', `${tokens}/NL/EMP/A`, body)
  t.match(await patch({ valid: false, last_updated: '2026-01-01T00:00:00Z' }), {
    status: 200,
    body: { status_code: 1000 },
  })
  const read = async () => (await partner.call('GET', `${tokens}/NL/EMP/A`)).body.data
  t.match(await read(), { valid: true, last_updated: '2026-01-02T00:00:00Z' })
  t.match(await patch({ valid: false, last_updated: '2026-01-03T00:00:00Z' }), { body: { status_code: 1000 } })
  t.match(await read(), { valid: false, issuer: 'Example Mobility', last_updated: '2026-01-03T00:00:00Z' })
})

test('ocpi tokens - a PATCH without last_updated is 2001, and of a token that is not known 404 and 2004', async (t) => {
  const partner = await partnerOf(t, await operatorOf(), 'EMP')
  await put(partner, tokenOf('A'))
  const patch = (uid: string, body: object) => partner.call('PATCH', `${tokens}/NL/EMP/${uid}`, body)
  t.match(await patch('A', { valid: false }), { status: 200, body: { status_code: 2001 } })
  t.match((await partner.call('GET', `${tokens}/NL/EMP/A`)).body.data, { valid: true })
  t.match(await patch('B', { valid: false, last_updated: '2026-01-03T00:00:00Z' }), {
    status: 404,
    body: { status_code: 2004 },
  })
  t.match(await partner.call('GET', `${tokens}/NL/EMP/B`), { status: 404, body: { status_code: 2004 } })
})

test('ocpi tokens - ids of address and body must be equal, and parties the partner’s own', async (t) => {
  const tenant = await operatorOf()
  const [partner, other] = [await partnerOf(t, tenant, 'EMP'), await partnerOf(t, tenant, 'OTH')]
  for (const [field, value] of Object.entries({ uid: 'B', country_code: 'BE', party_id: 'OTH', type: 'OTHER' })) {
    const answer = await partner.call('PUT', `${tokens}/NL/EMP/A`, { ...tokenOf('A'), [field]: value })
    t.match(answer, { status: 200, body: { status_code: 2001, status_message: new RegExp(field) } }, field)
  }
  t.equal((await partner.call('PUT', `${tokens}/NL/OTH/A`, tokenOf('A', { party_id: 'OTH' }))).status, 404)
  t.equal((await partner.call('GET', `${tokens}/NL/EMP/A`)).status, 404, 'nothing was stored')
  await put(partner, tokenOf('A'))
  t.equal((await other.call('GET', `${tokens}/NL/EMP/A`)).status, 404)
  t.equal((await other.call('POST', `${tokens}/A/authorize`)).status, 404)
  for (const bad of [{ whitelist: 'SOMETIMES' }, { valid: 'yes' }, { last_updated: 'yesterday' }, { issuer: null }])
    t.match((await put(partner, tokenOf('C', bad))).body, { status_code: 2001 }, JSON.stringify(bad))
  t.match(await partner.call('GET', `${tokens}/NL/EMP/A?type=KEY`), { status: 200, body: { status_code: 2001 } })
  t.equal((await partner.call('DELETE', `${tokens}/NL/EMP/A`)).status, 405)
})

test('OCPI 11 - row 10: authorize at the service answers by what was sent, with the place in both shapes', async (t) => {
  const partner = await partnerOf(t, await operatorOf(), 'EMP')
  const token = tokenOf('A')
  await put(partner, token)
  await put(partner, tokenOf('B', { valid: false, type: 'APP_USER' }))
  t.same((await partner.call('POST', `${tokens}/A/authorize`)).body.data, { allowed: 'ALLOWED', token })
  const place = { location_id: 'LOC1', evse_uids: ['E1'] }
  t.same((await partner.call('POST', `${tokens}/a/authorize?type=RFID`, place)).body.data.location, {
    ...place,
    id: 'LOC1',
    evses: [{ uid: 'E1' }],
  })
  t.match((await partner.call('POST', `${tokens}/B/authorize?type=APP_USER`)).body.data, { allowed: 'BLOCKED' })
  const unknown = await partner.call('POST', `${tokens}/B/authorize`)
  t.match(unknown, { status: 404, body: { status_code: 2004 } })
})

test('ocpi tokens - a driver is let in by the partner’s word, in real time, and a start is never refused for slowness', async (t) => {
  const tenant = await operatorOf()
  const partner = await partnerOf(t, tenant, 'EMP')
  let says: object | undefined = { allowed: 'ALLOWED', authorization_reference: 'ref-1' }
  answers(partner, () => says)
  await put(partner, tokenOf('ALWAYS', { whitelist: 'ALWAYS' }))
  await put(partner, tokenOf('NEVER', { whitelist: 'NEVER' }))
  await put(partner, tokenOf('OFFLINE', { whitelist: 'ALLOWED_OFFLINE' }))
  const client = await bootChargePoint(tenant, 'OCPI-T1', { connector_count: 2 })
  t.equal(await authorize(client, 'ALWAYS'), 'Accepted')
  t.equal(asked(partner).length, 0)
  t.equal(await authorize(client, 'never'), 'Accepted')
  const [request] = asked(partner)
  t.match(request?.json, { location_id: 'OCPI-T1' })
  t.equal(request?.headers['ocpi-to-party-id'], 'EMP')
  t.match(request?.headers['ocpi-from-party-id'], /^T/)
  t.ok(request?.headers['x-request-id'])
  says = { allowed: 'NO_CREDIT' }
  t.equal(await authorize(client, 'NEVER'), 'Blocked')
  says = undefined
  const at = performance.now()
  t.equal(await authorize(client, 'OFFLINE'), 'Accepted', 'what was sent holds')
  t.ok(performance.now() - at >= 1_950, 'the partner had its time')
  t.ok(performance.now() - at < 4_000, 'and no more')
  const { payload } = await client.call('StartTransaction', startRequest({ idTag: 'NEVER', timestamp: secondsAgo(0) }))
  t.equal(payload.idTagInfo.status, 'Invalid')
  t.match(await sessionOf(tenant, 'OCPI-T1', payload.transactionId), { status: 'active', flags: ['not_authorized'] })
})

test('ocpi tokens - a partner that hangs is left alone after a while, and drivers of another do not notice', async (t) => {
  const tenant = await operatorOf()
  const [hanging, healthy] = [await partnerOf(t, tenant, 'EMP'), await partnerOf(t, tenant, 'OTH')]
  answers(hanging, () => undefined)
  answers(healthy, () => ({ allowed: 'ALLOWED' }))
  await put(hanging, tokenOf('H', { whitelist: 'ALLOWED_OFFLINE' }))
  await put(healthy, tokenOf('G', { whitelist: 'NEVER', party_id: 'OTH' }))
  const clients = await Promise.all(
    Array.from({ length: 8 }, (_, at) => bootChargePoint(tenant, `OCPI-T2-${at}`, { connector_count: 1 })),
  )
  const first = clients[0] as OcppClient
  const slow = clients.slice(1).map((client) => authorize(client, 'H'))
  const times: number[] = []
  for (let at = 0; at < 20; at++) {
    const begun = performance.now()
    t.equal(await authorize(first, 'G'), 'Accepted')
    times.push(performance.now() - begun)
  }
  t.ok(Math.max(...times) < 1_000, `${Math.max(...times)} ms`)
  t.ok((await Promise.all(slow)).every((status) => status === 'Accepted'))
  const count = asked(hanging).length
  const begun = performance.now()
  t.equal(await authorize(first, 'H'), 'Accepted')
  t.ok(performance.now() - begun < 1_000, 'it is not asked')
  t.equal(asked(hanging).length, count)
})

test('ocpi tokens - a card that nobody has sent is asked about where the partner wants it', async (t) => {
  const tenant = await operatorOf()
  const [one, other] = [
    await partnerOf(t, tenant, 'EMP', { realtime_unknown_tokens: true }),
    await partnerOf(t, tenant, 'OTH', { realtime_unknown_tokens: true }),
  ]
  answers(one, (_, response) => {
    sendJson(response, 404, envelope(undefined, 2004))
    return undefined
  })
  answers(other, (uid) => ({ allowed: 'ALLOWED', token: tokenOf(uid, { party_id: 'OTH' }) }))
  const client = await bootChargePoint(tenant, 'OCPI-T3', { connector_count: 1 })
  t.equal(await authorize(client, 'STRANGER'), 'Accepted')
  t.equal(asked(one).length + asked(other).length, 2)
  answers(other, () => ({ allowed: 'EXPIRED' }))
  t.equal(await authorize(client, 'STRANGER2'), 'Expired')
  const { body } = await tenant.request('GET', '/api/v1/id-tags/unknown')
  t.notMatch(JSON.stringify(body ?? {}), /STRANGER/)
  await until(async () => asked(other).length === 2)
})

/** A partner's list of tokens, in pages of 10. */
function listing(
  url: string,
  all: readonly unknown[],
  wrong: (page: number) => Misbehaviour | undefined = () => undefined,
): Misbehaviour {
  return (request, response) => {
    const { searchParams, pathname } = new URL(request.path, url)
    if (request.method !== 'GET' || pathname !== '/tokens') return undefined
    const offset = Number(searchParams.get('offset'))
    const spoilt = wrong(offset / 10)?.(request, response)
    if (spoilt !== undefined) return spoilt
    const next = offset + 10
    response.setHeader('X-Total-Count', all.length)
    response.setHeader('X-Limit', 10)
    if (next < all.length) response.setHeader('Link', `<${url}/tokens?offset=${next}&limit=10>; rel="next"`)
    return sendJson(response, 200, envelope(all.slice(offset, next)))
  }
}

const known = async ({ call }: Partner, uid: string): Promise<boolean> =>
  (await call('GET', `${tokens}/NL/EMP/${uid}`)).status === 200

test('ocpi tokens - the tokens of a partner are pulled once it has registered, page by page, and only its own', async (t) => {
  const all = Array.from({ length: 35 }, (_, at) => tokenOf(`P${at}`))
  const foreign = { ...tokenOf('F1'), party_id: 'XXX' }
  const broken = { uid: 'F2', type: 'RFID' }
  const list = [...all.slice(0, 12), foreign, broken, 'no object', ...all.slice(12)]
  const tenant = await operatorOf()
  const partner = await partnerOf(t, tenant, 'EMP', {}, ({ url }) => listing(url, list))
  await until(() => known(partner, 'P34'))
  for (const { uid } of all) t.ok(await known(partner, uid), uid)
  t.notOk(await known(partner, 'F1'))
  t.notOk(await known(partner, 'F2'))
  const pages = partner.stub.requests.filter(({ path }) => path.startsWith('/tokens?'))
  t.equal(pages.length, 4)
  t.match(pages[0], { path: '/tokens?offset=0&limit=500', headers: { 'ocpi-from-country-code': 'NL' } })
  const client = await bootChargePoint(tenant, 'OCPI-T4', { connector_count: 1 })
  t.equal(await authorize(client, 'P20'), 'Accepted')
  const other = await partnerOf(t, await operatorOf(), 'EMP')
  t.notOk(await known(other, 'P20'), 'a partner of another organization has its own')
})

test('ocpi tokens - what was pushed is not undone by an older list', async (t) => {
  const old = tokenOf('P1', { last_updated: '2025-12-01T00:00:00Z' })
  let release: (() => void) | undefined
  const pushed = new Promise<void>((resolve) => {
    release = resolve
  })
  const partner = await partnerOf(t, await operatorOf(), 'EMP', {}, ({ url }) => (request, response) => {
    if (!request.path.startsWith('/tokens?')) return undefined
    void pushed.then(() => listing(url, [old, tokenOf('P2')])(request, response))
    return true
  })
  await put(partner, tokenOf('P1', { valid: false }))
  release?.()
  await until(() => known(partner, 'P2'))
  t.match((await partner.call('GET', `${tokens}/NL/EMP/P1`)).body.data, { valid: false })
})

test('ocpi tokens - a list whose next page is elsewhere, or never ends, costs nobody anything', async (t) => {
  const elsewhere = await startPartner(t)
  const tenant = await operatorOf()
  const partner = await partnerOf(t, tenant, 'EMP', {}, ({ url }) => (request, response) => {
    if (!request.path.startsWith('/tokens?')) return undefined
    response.setHeader('Link', `<${elsewhere.url}/tokens?offset=1>; rel="next"`)
    return listing(url, [tokenOf('P1')])(request, response)
  })
  await until(() => known(partner, 'P1'))
  const same = await partnerOf(t, tenant, 'SAM', {}, ({ url }) => (request, response) => {
    if (!request.path.startsWith('/tokens?')) return undefined
    response.setHeader('Link', `<${url}${request.path}>; rel="next"`)
    return listing(url, [tokenOf('S1', { party_id: 'SAM' })])(request, response)
  })
  await until(async () => (await same.call('GET', `${tokens}/NL/SAM/S1`)).status === 200)
  t.equal(elsewhere.requests.length, 0, 'the token of the service goes nowhere else')
  t.equal(same.stub.requests.filter(({ path }) => path.startsWith('/tokens?')).length, 1)
})

test('ocpi tokens - operators page through the tokens of a partner, and find one by its uid', async (t) => {
  const tenant = await operatorOf()
  const [partner, other] = [await partnerOf(t, tenant, 'EMP'), await partnerOf(t, tenant, 'OTH')]
  const uids = Array.from({ length: 7 }, (_, at) => `CARD-${at}`)
  for (const uid of uids) await put(partner, tokenOf(uid, { visual_number: `No ${uid}` }))
  await put(partner, tokenOf('CARD-3', { type: 'APP_USER', valid: false }))
  await put(other, tokenOf('CARD-3', { party_id: 'OTH' }))
  const path = `/api/v1/ocpi/partners/${partner.id}/tokens`
  const read = async (query = '') => (await tenant.request('GET', `${path}${query}`)).body
  const pages = [await read('?per_page=3'), await read('?per_page=3&page=2'), await read('?per_page=3&page=3')]
  t.same(
    pages.map(({ data, total }) => [data.length, total]),
    [
      [3, 8],
      [3, 8],
      [2, 8],
    ],
  )
  t.same([...new Set(pages.flatMap(({ data }) => data.map(({ uid }: { uid: string }) => uid)))].sort(), uids)
  t.match(pages[0].data[0], {
    uid: 'CARD-0',
    contract_id: 'NL-EMP-CARD-0',
    visual_number: 'No CARD-0',
    valid: true,
    whitelist: 'ALLOWED',
    received_at: /Z$/,
  })
  const found = await read('?uid=card-3')
  t.equal(found.total, 2)
  t.ok(found.data.every(({ party_id }: { party_id: string }) => party_id === 'EMP'))
  t.equal((await read('?uid=CARD-9')).total, 0)
  const long = 'a-uid-that-is-longer-than-an-id-tag'
  await put(partner, tokenOf(long))
  t.match((await read(`?uid=${long}`)).data, [{ uid: long, id_tag: /^O[0-9A-F]{19}$/ }])
  const stranger = await operatorOf()
  t.equal((await stranger.request('GET', path)).status, 404)
})

test('ocpi tokens - a session says whose driver it is, also when the partner is gone', async (t) => {
  const tenant = await operatorOf()
  const partner = await partnerOf(t, tenant, 'EMP')
  answers(partner, (uid) => ({ allowed: 'ALLOWED', token: tokenOf(uid), authorization_reference: 'ref-1' }))
  await put(partner, tokenOf('D1', { whitelist: 'NEVER' }))
  const client = await bootChargePoint(tenant, 'OCPI-T-ROAMING')
  t.equal(await authorize(client, 'D1'), 'Accepted')
  await client.call('StartTransaction', startRequest({ idTag: 'D1', timestamp: secondsAgo(10) }))
  await client.call('StartTransaction', startRequest({ connectorId: 2, idTag: 'nobody', timestamp: secondsAgo(10) }))
  const read = async () => (await tenant.request('GET', '/api/v1/sessions?charge_point_id=OCPI-T-ROAMING')).body.data
  const roaming = {
    partner_id: partner.id,
    partner_name: 'EMP',
    country_code: 'NL',
    party_id: 'EMP',
    uid: 'D1',
    type: 'RFID',
    contract_id: 'NL-EMP-D1',
    auth_method: 'AUTH_REQUEST',
    authorization_reference: 'ref-1',
  }
  const sessionBy = async (idTag: string) => (await read()).find((one: { id_tag: string }) => one.id_tag === idTag)
  const session = await sessionBy('D1')
  t.same(session.roaming, roaming)
  t.equal((await sessionBy('nobody')).roaming, null)
  t.same((await tenant.request('GET', `/api/v1/sessions/${session.session_id}`)).body.roaming, roaming)
  t.equal((await tenant.request('DELETE', `/api/v1/ocpi/partners/${partner.id}`)).status, 204)
  t.same((await sessionBy('D1')).roaming, { ...roaming, partner_name: null })
})
