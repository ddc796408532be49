// How a roaming partner and an organization come to know each other, rule by rule (OCPI 2.2.1, 6 and 7): at the built service, with partners on real
// sockets. What becomes of a handshake that is interrupted is in ocpi-handshake.

import { type Test, test } from 'tap'
import { limits } from '../../src/ocpi/schemas/limits.js'
import { settableClock } from '../chaos/shims.js'
import { makeCertificate } from '../edge/certificates.js'
import {
  asPartner,
  credentialsOf,
  envelope,
  invitePartner,
  type Misbehaviour,
  type PartnerRequest,
  sendJson,
  startPartner,
} from '../support/ocpi-partner.js'
import { opensslFolder } from '../support/openssl.js'
import {
  modules,
  operatorOf,
  partnerOf,
  publishedChargePoint,
  roamingFlags,
  sendToken,
  setStatus,
  startCharge,
  toldStatus,
} from '../support/roaming-stage.js'
import { startService } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { ca, tlsFlags } from '../support/signing-service.js'
import { until } from '../support/until.js'

const laboratory = await sharedService(roamingFlags)
const credentials = `${modules}/credentials`

/** A partner with token A, and the organization that has invited it. */
async function invitation(t: Test, fields: Readonly<Record<string, unknown>> = {}) {
  const tenant = await operatorOf(laboratory)
  const stub = await startPartner(t)
  const { id, token, versionsUrl } = await invitePartner(tenant, fields)
  const shown = async () => (await tenant.request('GET', `/api/v1/ocpi/partners/${id}`)).body
  return { tenant, stub, id, token, versionsUrl, a: asPartner(tenant, token), shown }
}

/** The same once it has registered. */
async function registration(t: Test) {
  const invited = await invitation(t)
  const { body } = await invited.a('POST', credentials, credentialsOf(invited.stub, 'token-b'))
  if (body.status_code !== 1000) throw new Error(`the partner was not registered: ${JSON.stringify(body)}`)
  return { ...invited, given: body.data, c: asPartner(invited.tenant, body.data.token) }
}

const pathsOf = (requests: readonly PartnerRequest[]): string[] =>
  requests.map(({ method, path }) => `${method} ${path}`)
const inBase64 = (token: string): string => `Token ${Buffer.from(token).toString('base64')}`

test('OCPI 2.1 - versions and their modules are read with token A or C, and by nobody else', async (t) => {
  const { a, tenant } = await invitation(t)
  const { c } = await registration(t)
  for (const path of ['/ocpi/versions', '/ocpi/versions/2.2.1']) {
    t.equal((await a('GET', path)).body.status_code, 1000, path)
    t.equal((await c('GET', path)).body.status_code, 1000, path)
    t.equal((await asPartner(tenant, 'x')('GET', path)).status, 401, path)
    t.equal((await fetch(`${tenant.url}${path}`)).status, 401, path)
  }
})

test('OCPI 2.1 - 2.2.1 is the one version, and another is 404 with 3002', async (t) => {
  const { a, tenant } = await invitation(t)
  t.same((await a('GET', '/ocpi/versions')).body.data, [{ version: '2.2.1', url: `${tenant.url}/ocpi/versions/2.2.1` }])
  for (const version of ['2.1.1', '2.2', '3.0', '9.9'])
    t.match(await a('GET', `/ocpi/versions/${version}`), { status: 404, body: { status_code: 3002 } }, version)
})

test('OCPI 2.1 - every module has an absolute address without a slash behind it, and the part that the service has in it', async (t) => {
  const { a, tenant } = await invitation(t)
  const { version, endpoints } = (await a('GET', '/ocpi/versions/2.2.1')).body.data
  t.equal(version, '2.2.1')
  t.same(
    endpoints.map(({ identifier, role, url }: Record<string, string>) => [identifier, role, url]),
    [
      ['credentials', 'SENDER'],
      ['locations', 'SENDER'],
      ['sessions', 'SENDER'],
      ['cdrs', 'SENDER'],
      ['tariffs', 'SENDER'],
      ['commands', 'RECEIVER'],
      ['chargingprofiles', 'RECEIVER'],
      ['tokens', 'RECEIVER'],
      ['hubclientinfo', 'RECEIVER'],
    ].map(([identifier, role]) => [identifier, role, `${tenant.url}${modules}/${identifier}`]),
  )
})

test('OCPI 2.1 - of a partner’s modules, objects go to receivers, tokens come from senders, and credentials have any role or none', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant, {
    misbehaviour:
      ({ url }) =>
      ({ path }, response) => {
        if (path !== '/2.2.1') return undefined
        const endpoints = [
          { identifier: 'credentials', url: `${url}/credentials` },
          { identifier: 'locations', role: 'SENDER', url: `${url}/wrong-locations` },
          { identifier: 'locations', role: 'RECEIVER', url: `${url}/right-locations` },
          { identifier: 'tokens', role: 'RECEIVER', url: `${url}/wrong-tokens` },
          { identifier: 'tokens', role: 'SENDER', url: `${url}/right-tokens` },
          { identifier: 'x-parking', role: 'RECEIVER', url: `${url}/own` },
        ]
        return sendJson(response, 200, envelope({ version: '2.2.1', endpoints }))
      },
  })
  const client = await publishedChargePoint(tenant, partner, 'RULE-1')
  await sendToken(partner, 'RULE-1', { whitelist: 'NEVER' })
  await client.call('Authorize', { idTag: 'RULE-1' })
  await until(() => partner.sent('right-locations').length > 0)
  t.ok(partner.sent('right-tokens').some(({ path }) => path === '/right-tokens/RULE-1/authorize?type=RFID'))
  t.equal(partner.sent('wrong').length, 0)
  t.equal((await tenant.request('DELETE', `/api/v1/ocpi/partners/${partner.id}`)).status, 204)
  t.equal(partner.sent('credentials').at(-1)?.method, 'DELETE')
  client.close()
})

test('OCPI 2.2 - token A is made by the operator, and shown once', async (t) => {
  const { tenant, token, versionsUrl, shown, id } = await invitation(t)
  t.equal(versionsUrl, `${tenant.url}/ocpi/versions`)
  t.match(token, /^[\x21-\x7e]{43,64}$/)
  t.match(await shown(), { status: 'invited', roles: [], versions_url: null })
  const all = [await shown(), (await tenant.request('GET', '/api/v1/ocpi/partners')).body]
  t.notMatch(JSON.stringify(all), token)
  const made = await tenant.request('POST', '/api/v1/org/api-keys', { name: 'Reader', scopes: ['read:ocpi'] })
  const reader = { authorization: `Bearer ${made.body.key ?? made.body.api_key}` }
  t.equal((await tenant.request('POST', '/api/v1/ocpi/partners', {}, reader)).status, 403)
  const again = await tenant.request('POST', `/api/v1/ocpi/partners/${id}/token`)
  t.equal((await asPartner(tenant, token)('GET', '/ocpi/versions')).status, 401, 'another takes its place')
  t.equal((await asPartner(tenant, again.body.token)('GET', '/ocpi/versions')).status, 200)
})

test('OCPI 2.2 - POST reads the partner’s versions and modules with token B before it is answered', async (t) => {
  const { a, stub, shown } = await invitation(t)
  stub.takes('token-b')
  const { body } = await a('POST', credentials, credentialsOf(stub, 'token-b'))
  t.equal(body.status_code, 1000)
  t.same(pathsOf(stub.requests), ['GET /versions', 'GET /2.2.1'])
  for (const { headers } of stub.requests) t.equal(headers.authorization, inBase64('token-b'))
  const row = await shown()
  t.match(row, { status: 'registered', versions_url: stub.versionsUrl, roles: [{ role: 'EMSP', party_id: 'EMP' }] })
  t.ok(row.endpoints.some(({ url }: { url: string }) => url === `${stub.url}/cdrs`))
})

/** Each begins with the status code of the answer. */
const failures: Readonly<Record<string, Misbehaviour>> = {
  '3001 - it answers 200 with HTML': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Welcome</title>')
    return true
  },
  '3001 - it answers with a redirect': (_, response) => {
    response.writeHead(302, { location: '/elsewhere' }).end()
    return true
  },
  '3001 - it does not take its own token': (_, response) => sendJson(response, 401, envelope(undefined, 2000)),
  '3001 - it answers 200 with status code 3000': (_, response) => sendJson(response, 200, envelope(undefined, 3000)),
  '3001 - it drops the connection': (_, response) => {
    response.destroy()
    return true
  },
  '3001 - it drops the second connection': ({ path }, response) => {
    if (path !== '/2.2.1') return undefined
    response.destroy()
    return true
  },
  '3001 - its modules are no list': ({ path }, response) =>
    path === '/2.2.1' ? sendJson(response, 200, envelope({ version: '2.2.1' })) : undefined,
  '3001 - its versions are null': (_, response) => sendJson(response, 200, envelope(null)),
  '3001 - it has more versions than there will ever be': (_, response) => {
    const versions = Array.from({ length: limits.ocpiVersions + 1 }, () => ({
      version: '2.2.1',
      url: 'http://127.0.0.1:9/',
    }))
    return sendJson(response, 200, envelope(versions))
  },
  '3001 - it has more modules than are kept': ({ path }, response) => {
    if (path !== '/2.2.1') return undefined
    const endpoint = { identifier: 'credentials', role: 'SENDER', url: 'http://127.0.0.1:9/credentials' }
    const endpoints = Array.from({ length: limits.ocpiEndpoints + 1 }, () => endpoint)
    return sendJson(response, 200, envelope({ version: '2.2.1', endpoints }))
  },
  '3002 - it speaks 2.1.1 only': (_, response) =>
    sendJson(response, 200, envelope([{ version: '2.1.1', url: 'http://127.0.0.1:9/2.1.1' }])),
  '3002 - it speaks no version': (_, response) => sendJson(response, 200, envelope([])),
  '3003 - it has no endpoint for credentials': ({ path }, response) => {
    if (path !== '/2.2.1') return undefined
    const endpoints = [{ identifier: 'tokens', role: 'SENDER', url: 'http://127.0.0.1:9/tokens' }]
    return sendJson(response, 200, envelope({ version: '2.2.1', endpoints }))
  },
}

/** What is left of each failure is nothing, and token A is good for another attempt. */
async function fails(t: Test, code: number): Promise<void> {
  const { a, stub, shown } = await invitation(t)
  const before = await shown()
  const own = Object.entries(failures).filter(([name]) => name.startsWith(`${code}`))
  for (const [name, misbehaviour] of own) {
    stub.misbehave(misbehaviour)
    const { status, body } = await a('POST', credentials, credentialsOf(stub, 'token-b'))
    t.match({ status, body }, { status: 200, body: { status_code: code, status_message: /./ } }, name)
    t.notOk('data' in body, name)
    t.same(await shown(), before, name)
  }
  t.not(own.length, 0)
  stub.misbehave(undefined)
  t.equal((await a('POST', credentials, credentialsOf(stub, 'token-b'))).body.status_code, 1000)
}

test('OCPI 1.2 - 3001: the API of a partner that cannot be used', (t) => fails(t, 3001))
test('OCPI 1.2 - 3002: a partner without version 2.2.1', (t) => fails(t, 3002))
test('OCPI 1.2 - 3003: a partner without the modules that are needed', (t) => fails(t, 3003))

test('OCPI 2.2 - a POST that fails leaves token A valid, and nothing else behind', async (t) => {
  const { a, stub, shown, tenant, id } = await invitation(t)
  const client = await publishedChargePoint(tenant, await partnerOf(t, tenant), 'RULE-2')
  stub.misbehave(({ path }, response) => (path === '/2.2.1' ? sendJson(response, 500, {}) : undefined))
  t.equal((await a('POST', credentials, credentialsOf(stub, 'token-b'))).body.status_code, 3001)
  t.match(await shown(), { status: 'invited', roles: [], versions_url: null, endpoints: [], registered_at: null })
  const refused = await a('GET', `${modules}/locations`)
  t.equal(refused.status, 401, 'it is no partner yet')
  await setStatus(client, 1, 'Faulted')
  t.equal((await a('GET', credentials)).status, 200)
  const other = await tenant.request('POST', `/api/v1/ocpi/partners/${id}/rotate-credentials`)
  t.equal(other.status, 409)
  t.same(pathsOf(stub.requests), ['GET /versions', 'GET /2.2.1'], 'it is sent nothing')
  client.close()
})

test('OCPI 2.2 - the answer to POST has token C, and token A is over', async (t) => {
  const { a, stub, given, c, tenant, token } = await registration(t)
  t.match(given.token, /^[\x21-\x7e]{43,64}$/)
  t.not(given.token, token)
  t.match(given, { url: `${tenant.url}/ocpi/versions`, roles: [{ role: 'CPO', party_id: tenant.partyId }] })
  t.equal((await a('POST', credentials, credentialsOf(stub, 'token-b'))).status, 401)
  for (const path of ['/ocpi/versions', credentials, `${modules}/locations`]) {
    t.equal((await a('GET', path)).status, 401, path)
    t.equal((await c('GET', path)).status, 200, path)
  }
})

test('OCPI 2.2 - POST when already registered is HTTP 405', async (t) => {
  const { c, stub, shown } = await registration(t)
  const before = await shown()
  const answer = await c('POST', credentials, credentialsOf(stub, 'token-b2'))
  t.match(answer, { status: 405, body: { status_code: 2000, status_message: /PUT/ } })
  t.same(await shown(), before)
})

test('OCPI 2.2 - PUT when not yet registered is HTTP 405', async (t) => {
  const { a, stub, shown } = await invitation(t)
  const answer = await a('PUT', credentials, credentialsOf(stub, 'token-b'))
  t.match(answer, { status: 405, body: { status_code: 2000, status_message: /POST/ } })
  t.equal(stub.requests.length, 0)
  t.match(await shown(), { status: 'invited' })
})

test('OCPI 2.2 - DELETE when not registered is HTTP 405', async (t) => {
  const { a } = await invitation(t)
  t.match(await a('DELETE', credentials), { status: 405, body: { status_code: 2000, status_message: /POST/ } })
  t.equal((await a('GET', '/ocpi/versions')).status, 200, 'token A is still good')
})

test('OCPI 2.2 - GET is allowed with token A', async (t) => {
  const { a, token, tenant } = await invitation(t)
  const { data } = (await a('GET', credentials)).body
  t.match(data, { token, url: `${tenant.url}/ocpi/versions`, roles: [{ role: 'CPO', party_id: tenant.partyId }] })
})

test('OCPI 2.2 - GET has the credentials by which the partner calls now', async (t) => {
  const { c, given } = await registration(t)
  t.same((await c('GET', credentials)).body.data, given)
})

test('OCPI 2.2 - PUT reads versions and modules again, and gives a new token', async (t) => {
  const { c, stub, given, tenant, shown } = await registration(t)
  const before = stub.requests.length
  stub.takes('token-b2')
  const { body } = await c('PUT', credentials, credentialsOf(stub, 'token-b2'))
  t.equal(body.status_code, 1000)
  t.same(pathsOf(stub.requests.slice(before)), ['GET /versions', 'GET /2.2.1'], 'also where the version is the same')
  t.equal(stub.requests.at(-1)?.headers.authorization, inBase64('token-b2'))
  t.not(body.data.token, given.token)
  t.equal((await asPartner(tenant, body.data.token)('GET', credentials)).body.data.token, body.data.token)
  const { registered_at } = await shown()
  stub.misbehave((_, response) => sendJson(response, 500, {}))
  t.equal((await c('PUT', credentials, credentialsOf(stub, 'token-b3'))).body.status_code, 3001)
  t.match(await shown(), { status: 'registered', registered_at }, 'one that fails changes nothing')
  stub.misbehave(undefined)
})

test('OCPI 2.2 - after PUT, the token before goes on for requests that are under way, and is over after that', async (t) => {
  const { c, stub, tenant } = await registration(t)
  const next = async (call: typeof c, token: string) => {
    const { body } = await call('PUT', credentials, credentialsOf(stub, token))
    return asPartner(tenant, body.data.token)
  }
  const second = await next(c, 'token-b2')
  t.equal((await c('GET', '/ocpi/versions')).status, 200, 'until its successor has been used, and a minute')
  t.equal((await second('GET', '/ocpi/versions')).status, 200)
  const third = await next(second, 'token-b3')
  t.equal((await third('GET', '/ocpi/versions')).status, 200)
  t.equal((await c('GET', '/ocpi/versions')).status, 401, 'the one before the one before')
})

test('OCPI 2.2 - DELETE ends both tokens and all pushes, and keeps what was', async (t) => {
  const tenant = await operatorOf(laboratory)
  const [partner, other] = [await partnerOf(t, tenant), await partnerOf(t, tenant)]
  const client = await publishedChargePoint(tenant, partner, 'RULE-3')
  await sendToken(partner, 'RULE-3')
  const { sessionId } = await startCharge(tenant, client, 'RULE-3', { idTag: 'RULE-3' })
  await until(() => partner.sent('sessions').length > 0 && other.sent('locations').length > 0)

  const answer = await partner.call('DELETE', credentials)
  t.match(answer, { status: 200, body: { status_code: 1000 } })
  t.same(Object.keys(answer.body).sort(), ['status_code', 'status_message', 'timestamp'])
  for (const path of ['/ocpi/versions', credentials, `${modules}/locations`])
    t.equal((await partner.call('GET', path)).status, 401, path)
  t.equal((await partner.call('DELETE', credentials)).status, 401)
  const row = (await tenant.request('GET', `/api/v1/ocpi/partners/${partner.id}`)).body
  t.match(row, { status: 'ended', endpoints: [], roles: [{ party_id: partner.partyId }] })

  const before = partner.requests.length
  await setStatus(client, 2, 'Faulted')
  await until(() => toldStatus(other, 'RULE-3_2') === 'OUTOFORDER')
  t.equal(partner.requests.length, before, 'it is sent nothing any more')
  const { body } = await tenant.request('GET', `/api/v1/sessions/${sessionId}`)
  t.match(body, { session_id: sessionId, status: 'active' }, 'the charge goes on')
  client.close()
})

test('OCPI 2.2 - as the one that registers, the service does the same in mirror image', async (t) => {
  const { tenant, stub, id, a } = await invitation(t)
  const path = `/api/v1/ocpi/partners/${id}`
  stub.takes('their-token-a')
  const answer = await tenant.request('POST', `${path}/register`, {
    versions_url: stub.versionsUrl,
    token: 'their-token-a',
  })
  t.match(answer, { status: 200, body: { status: 'registered' } })
  t.same(pathsOf(stub.requests), ['GET /versions', 'GET /2.2.1', 'POST /credentials'])
  const posted = stub.requests.at(-1)
  t.match(posted?.json, { url: `${tenant.url}/ocpi/versions`, roles: [{ role: 'CPO', party_id: tenant.partyId }] })
  const b = asPartner(tenant, posted?.json.token)
  t.equal((await b('GET', credentials)).body.data.token, posted?.json.token, 'token B is what the partner calls with')
  t.equal((await a('GET', '/ocpi/versions')).status, 401, 'token A is needed no longer')
  const again = await tenant.request('POST', `${path}/register`, { versions_url: stub.versionsUrl, token: 'x' })
  t.equal(again.status, 409)

  stub.takes('of-POST-3')
  await publishedChargePoint(tenant, { call: b }, 'RULE-4')
  const pushed = await until(() => stub.requests.find(({ path }) => path.startsWith('/locations')))
  t.equal(pushed.headers.authorization, inBase64('of-POST-3'), 'token C is what the service calls with')

  t.equal((await tenant.request('DELETE', path)).status, 204)
  t.equal(stub.requests.at(-1)?.method, 'DELETE', 'the partner is told of the end')
  t.equal((await b('GET', '/ocpi/versions')).status, 401)
})

test('OCPI 2.2 - tokens can be rotated by the service, as often as anybody wants', async (t) => {
  const { tenant, stub, id, c } = await registration(t)
  const path = `/api/v1/ocpi/partners/${id}/rotate-credentials`
  const given: string[] = []
  for (let count = 0; count < 3; count++) {
    t.equal((await tenant.request('POST', path)).status, 200)
    const put = stub.requests.findLast(({ method }) => method === 'PUT')
    given.push(put?.json.token)
    t.equal((await asPartner(tenant, put?.json.token)('GET', '/ocpi/versions')).status, 200)
    stub.takes(`of-PUT-${stub.requests.indexOf(put as PartnerRequest) + 1}`)
  }
  t.equal(new Set(given).size, 3)
  t.equal((await c('GET', '/ocpi/versions')).status, 401, 'the first is over')
})

test('OCPI 2.2 - TLS asks partners for no certificate, and a token that was replaced is over after a minute', async (t) => {
  const folder = opensslFolder()
  const chargePoints = makeCertificate({ commonName: 'Charge points' })
  const flags = [
    ...[...roamingFlags, ...tlsFlags(folder)],
    ...['--tls-client-ca-file', folder.write('clients.pem', chargePoints.certificatePem)],
  ]
  const { environment, now, set } = settableClock(t.testdir({}))
  const service = await startService(t, { flags, authority: ca, environment })
  const [stub, { token }] = [await startPartner(t), await invitePartner(service)]
  const { body } = await asPartner(service, token)('POST', credentials, credentialsOf(stub, 'token-b'))
  t.match(body.data, { url: /^https:/ })
  const first = asPartner(service, body.data.token)
  const replaced = await first('PUT', credentials, credentialsOf(stub, 'token-b2'))
  const second = asPartner(service, replaced.body.data.token)
  set(now() + 120_000)
  t.equal((await first('GET', '/ocpi/versions')).status, 200, 'who has not used the new one may not have it')
  t.equal((await second('GET', '/ocpi/versions')).status, 200)
  await until(async () => (await first('GET', '/ocpi/versions')).status === 401)
})
