// Credentials tokens and the headers of OCPI (2.2.1, 4.1.2 and 4.1.9), in requests to the built service and in those that it sends.

import { type Test, test } from 'tap'
import {
  asPartner,
  credentialsOf,
  envelope,
  invitePartner,
  type PartnerRequest,
  sendJson,
  startPartner,
} from '../support/ocpi-partner.js'
import {
  emspRole,
  modules,
  nextPartyId,
  operatorOf,
  partnerOf,
  publishedChargePoint,
  roamingFlags,
  sendToken,
  startCharge,
  stopCharge,
  tokenOf,
} from '../support/roaming-stage.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const laboratory = await sharedService(roamingFlags)
const credentials = `${modules}/credentials`
const locations = `${modules}/locations`
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const stage = async (t: Test) => {
  const tenant = await operatorOf(laboratory)
  return { tenant, partner: await partnerOf(t, tenant) }
}

const statusWith = async (authorization: string): Promise<number> =>
  (await laboratory.request('GET', '/ocpi/versions', undefined, { authorization })).status

test('OCPI 1.4 - a token is taken in base64', async (t) => {
  const { partner } = await stage(t)
  t.equal(await statusWith(`Token ${base64(partner.token)}`), 200)
  t.equal(await statusWith(`Token ${base64(partner.token).replace(/=+$/, '')}`), 200, 'without its padding')
  t.equal(await statusWith(`Token ${base64(base64(partner.token))}`), 401, 'but not twice')
})

test('OCPI 1.4 - a token is taken as it is', async (t) => {
  const { partner } = await stage(t)
  t.equal(await statusWith(`Token ${partner.token}`), 200)
  t.equal(await statusWith(`Token ${partner.token}x`), 401)
})

test('OCPI 1.4 - a line feed or a blank behind a token is not a part of it', async (t) => {
  const { partner } = await stage(t)
  for (const behind of ['\n', '\r\n', ' '])
    t.equal(await statusWith(`Token ${base64(`${partner.token}${behind}`)}`), 200, JSON.stringify(behind))
  t.equal(await statusWith(`Token ${base64(partner.token)} `), 200)
})

test('OCPI 1.4 - the word before a token has no case, and any blanks behind it', async (t) => {
  const { partner } = await stage(t)
  for (const word of ['Token ', 'token ', 'TOKEN ', 'Token    '])
    t.equal(await statusWith(`${word}${base64(partner.token)}`), 200, word)
})

test('OCPI 1.4 - Bearer and X-API-Key are not taken, whoever sends them', async (t) => {
  const { tenant, partner } = await stage(t)
  for (const token of [partner.token, tenant.key])
    for (const text of [token, base64(token)]) {
      t.equal(await statusWith(`Bearer ${text}`), 401)
      t.equal(await statusWith(`Basic ${text}`), 401)
      const headers: Record<string, string> = { 'x-api-key': text }
      t.equal((await fetch(`${tenant.url}/ocpi/versions`, { headers })).status, 401)
    }
  t.equal(await statusWith(`Token ${tenant.key}`), 401)
  t.equal(await statusWith('Token'), 401)
})

test('OCPI 1.4 - in JSON a token is not encoded: at most 64 printable characters without a blank', async (t) => {
  const { partner, tenant } = await stage(t)
  const { body } = await partner.call('GET', credentials)
  t.equal(await statusWith(`Token ${base64(body.data.token)}`), 200)
  const odd = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~0123456789ABCDEFGHIJKLMNOPQRST'.slice(0, 64)
  const [invited, stub] = [await invitePartner(tenant), await startPartner(t)]
  const a = asPartner(tenant, invited.token)
  const roles = [emspRole(nextPartyId('E'))]
  for (const wrong of ['', 'a b', 'ä', 'x'.repeat(65), 'a\tb'])
    t.equal((await a('POST', credentials, credentialsOf(stub, wrong, roles))).body.status_code, 2001, wrong)
  stub.takes(odd)
  t.equal((await a('POST', credentials, credentialsOf(stub, odd, roles))).body.status_code, 1000)
  t.equal(stub.requests[0]?.headers.authorization, `Token ${base64(odd)}`)
})

test('OCPI 1.4 - the service sends base64, or what its operator says', async (t) => {
  const tenant = await operatorOf(laboratory)
  for (const [token_encoding, header] of [
    [undefined, `Token ${base64('token-b')}`],
    ['base64', `Token ${base64('token-b')}`],
    ['plain', 'Token token-b'],
  ] as const) {
    const invited = await invitePartner(tenant, { ...(token_encoding !== undefined && { token_encoding }) })
    const stub = await startPartner(t)
    const sent = credentialsOf(stub, 'token-b', [emspRole(nextPartyId('E'))])
    t.equal((await asPartner(tenant, invited.token)('POST', credentials, sent)).body.status_code, 1000)
    t.ok(
      stub.requests.every(({ headers }) => headers.authorization === header),
      header,
    )
  }
})

test('OCPI 1.4 - a partner that refuses base64 is tried once as it was before', async (t) => {
  const tenant = await operatorOf(laboratory)
  const [invited, stub] = [await invitePartner(tenant), await startPartner(t)]
  const wants = 'Token token-b'
  stub.misbehave(({ headers }, response) =>
    headers.authorization === wants ? undefined : sendJson(response, 401, envelope(undefined, 2000)),
  )
  const sent = credentialsOf(stub, 'token-b', [emspRole(nextPartyId('E'))])
  t.equal((await asPartner(tenant, invited.token)('POST', credentials, sent)).body.status_code, 1000)
  t.same(
    stub.requests.map(({ path, headers }) => `${path} ${headers.authorization}`),
    [`/versions Token ${base64('token-b')}`, `/versions ${wants}`, `/2.2.1 ${wants}`],
  )
  const { body } = await tenant.request('GET', `/api/v1/ocpi/partners/${invited.id}`)
  t.equal(body.token_encoding, 'plain')
})

test('OCPI 1.5 - the ids of a request come back with every answer', async (t) => {
  const { partner } = await stage(t)
  for (const id of ['3f1c2a9e-1111-4222-8333-444455556666', '{12}', 'a~b!c', 'x'.repeat(100)])
    for (const [path, status] of [
      ['/ocpi/versions', 200],
      [locations, 200],
      [`${locations}?limit=x`, 200],
      ['/ocpi/versions/9.9', 404],
      ['/ocpi/nothing', 404],
    ] as const) {
      const answer = await partner.call('GET', path, undefined, { 'x-request-id': id, 'x-correlation-id': `c-${id}` })
      t.equal(answer.status, status, path)
      t.equal(answer.headers.get('x-request-id'), id, path)
      t.equal(answer.headers.get('x-correlation-id'), `c-${id}`, path)
    }
})

test('OCPI 1.5 - a request without ids is answered all the same, with ids of its own', async (t) => {
  const { partner } = await stage(t)
  const [one, other] = [await partner.call('GET', locations), await partner.call('GET', locations)]
  for (const { status, headers } of [one, other]) {
    t.equal(status, 200)
    t.match(headers.get('x-request-id'), /./)
    t.match(headers.get('x-correlation-id'), /./)
  }
  t.not(one.headers.get('x-request-id'), other.headers.get('x-request-id'))
})

test('OCPI 1.5 - what the service sends has ids, each its own, and a result that of its command', async (t) => {
  const { tenant, partner } = await stage(t)
  const client = await publishedChargePoint(tenant, partner, 'HEAD-1')
  const command = { response_url: `${partner.url}/result`, token: tokenOf(partner, 'A'), location_id: 'HEAD-1' }
  await partner.call('POST', `${modules}/commands/START_SESSION`, command, { 'x-correlation-id': 'corr-7' })
  await client.answerNext({ status: 'Accepted' })
  const result = await until(() => partner.sent('result')[0])
  t.equal(result.headers['x-correlation-id'], 'corr-7')
  await until(() => partner.sent('locations').length > 0)
  const ids = partner.requests.map(({ headers }) => String(headers['x-request-id']))
  for (const id of ids) t.match(id, uuid)
  t.equal(new Set(ids).size, ids.length)
  for (const { headers } of partner.requests) t.match(headers['x-correlation-id'], /./)
  client.close()
})

const routing = (request: PartnerRequest | undefined) =>
  ['from-country-code', 'from-party-id', 'to-country-code', 'to-party-id'].map(
    (name) => request?.headers[`ocpi-${name}`] ?? null,
  )

test('OCPI 1.5 - parties stand in every call of a functional module, and in none of versions and credentials', async (t) => {
  const { tenant, partner } = await stage(t)
  const client = await publishedChargePoint(tenant, partner, 'HEAD-2')
  await sendToken(partner, 'HEAD-2', { whitelist: 'NEVER' })
  await client.call('Authorize', { idTag: 'HEAD-2' })
  await until(() => partner.sent('locations').length > 0)
  const parties = ['NL', tenant.partyId, 'NL', partner.partyId]
  const functional = partner.requests.filter(({ path }) => /^\/(locations|tokens|sessions|cdrs|tariffs)/.test(path))
  await tenant.request('POST', `/api/v1/ocpi/partners/${partner.id}/rotate-credentials`)
  const others = partner.requests.filter(({ path }) => /^\/(versions|2\.2\.1|credentials)/.test(path))
  t.ok(functional.length >= 2 && others.length >= 5)
  for (const request of functional) t.same(routing(request), parties, request.path)
  for (const request of others) t.same(routing(request), [null, null, null, null], request.path)
  client.close()
})

const between = (from: string, to: string) => ({
  'ocpi-from-country-code': 'NL',
  'ocpi-from-party-id': from,
  'ocpi-to-country-code': 'NL',
  'ocpi-to-party-id': to,
})

test('OCPI 1.5 - an answer has the parties of its request turned round', async (t) => {
  const { tenant, partner } = await stage(t)
  const sent = between(partner.partyId, tenant.partyId)
  for (const path of [locations, `${locations}/NONE`, `${modules}/sessions?limit=x`]) {
    const { headers } = await partner.call('GET', path, undefined, sent)
    t.equal(headers.get('ocpi-from-party-id'), tenant.partyId, path)
    t.equal(headers.get('ocpi-to-party-id'), partner.partyId, path)
    t.equal(headers.get('ocpi-from-country-code'), 'NL', path)
    t.equal(headers.get('ocpi-to-country-code'), 'NL', path)
  }
  for (const path of ['/ocpi/versions', '/ocpi/versions/2.2.1', credentials]) {
    const { headers, status } = await partner.call('GET', path, undefined, sent)
    t.equal(status, 200)
    t.equal(headers.get('ocpi-to-party-id'), null, `${path} has nothing to do with parties`)
  }
})

test('OCPI 1.5 - a request to a party that is not here is 404 with 2000', async (t) => {
  const { tenant, partner } = await stage(t)
  for (const to of [{ 'ocpi-to-party-id': 'XXX' }, { 'ocpi-to-country-code': 'BE' }]) {
    const headers = { ...between(partner.partyId, tenant.partyId), ...to }
    const answer = await partner.call('GET', locations, undefined, headers)
    t.match(answer, { status: 404, body: { status_code: 2000 } })
  }
  const lower = between(partner.partyId.toLowerCase(), tenant.partyId.toLowerCase())
  t.equal((await partner.call('GET', locations, undefined, lower)).status, 200, 'parties have no case')
})

test('OCPI 1.5 - a request from a party that is not the partner’s is 200 with 2001', async (t) => {
  const { tenant, partner } = await stage(t)
  const other = await partnerOf(t, tenant)
  const headers = between(other.partyId, tenant.partyId)
  t.match(await partner.call('GET', locations, undefined, headers), { status: 200, body: { status_code: 2001 } })
})

test('OCPI 1.5 - without parties, the token says whose the request is, and without a receiver it is for the organization', async (t) => {
  const { partner } = await stage(t)
  t.equal((await partner.call('GET', locations)).body.status_code, 1000)
  const from = { 'ocpi-from-country-code': 'NL', 'ocpi-from-party-id': partner.partyId }
  t.equal((await partner.call('GET', locations, undefined, from)).body.status_code, 1000)
})

test('OCPI 1.5 - of a partner with several parties, the sender says which it is', async (t) => {
  const tenant = await operatorOf(laboratory)
  const [invited, stub] = [await invitePartner(tenant), await startPartner(t)]
  const [one, other] = [nextPartyId('E'), nextPartyId('E')]
  const registered = credentialsOf(stub, 'token-b', [emspRole(one), emspRole(other)])
  const { body } = await asPartner(tenant, invited.token)('POST', credentials, registered)
  const call = asPartner(tenant, body.data.token)
  for (const partyId of [one, other]) {
    const token = tokenOf({ partyId }, 'SAME', { issuer: partyId })
    t.equal((await call('PUT', `${modules}/tokens/NL/${partyId}/SAME`, token)).status, 201)
  }
  const client = await publishedChargePoint(tenant, { call }, 'HEAD-3')
  for (const [index, partyId] of [one, other].entries()) {
    const headers = between(partyId, tenant.partyId)
    const allowed = await call('POST', `${modules}/tokens/SAME/authorize`, undefined, headers)
    t.match(allowed.body.data, { token: { party_id: partyId, issuer: partyId } })
    const { country_code: _, party_id: __, ...token } = tokenOf({ partyId }, `HEAD-3-${index}`)
    const start = { response_url: `${stub.url}/r`, token, location_id: 'HEAD-3', evse_uid: `HEAD-3_${index + 1}` }
    await call('POST', `${modules}/commands/START_SESSION`, start, headers)
    await client.answerNext({ status: 'Accepted' })
    await startCharge(tenant, client, 'HEAD-3', { idTag: `HEAD-3-${index}`, connectorId: index + 1 })
    const session = await until(() => stub.requests.find(({ json }) => json?.cdr_token?.uid === `HEAD-3-${index}`))
    t.equal(session.json.cdr_token.party_id, partyId)
    t.equal(session.headers['ocpi-to-party-id'], partyId)
  }
  client.close()
})

test('OCPI 1.5 - what concerns all is sent to the hub for all, and sessions and CDRs to the one whose driver it is', async (t) => {
  const tenant = await operatorOf(laboratory)
  const [invited, stub] = [await invitePartner(tenant), await startPartner(t)]
  const [hub, emsp] = [nextPartyId('H'), nextPartyId('E')]
  const roles = [emspRole(hub, 'HUB'), emspRole(emsp)]
  const { body } = await asPartner(tenant, invited.token)('POST', credentials, credentialsOf(stub, 'b', roles))
  const call = asPartner(tenant, body.data.token)
  const client = await publishedChargePoint(tenant, { call }, 'HEAD-4')
  t.equal((await call('PUT', `${modules}/tokens/NL/${emsp}/HEAD-4`, tokenOf({ partyId: emsp }, 'HEAD-4'))).status, 201)
  const charged = await startCharge(tenant, client, 'HEAD-4', { idTag: 'HEAD-4' })
  await stopCharge(client, charged, 5_000)
  const of = (module: string) => stub.requests.filter(({ path }) => path.startsWith(`/${module}`))
  await until(() => of('cdrs').length > 0 && of('locations').length > 0)
  for (const request of of('locations')) t.same(routing(request), ['NL', tenant.partyId, 'NL', hub], request.path)
  for (const request of [...of('sessions'), ...of('cdrs')])
    t.same(routing(request), ['NL', tenant.partyId, 'NL', emsp], request.path)
  client.close()
})
