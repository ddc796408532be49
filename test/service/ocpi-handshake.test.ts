// How a roaming partner and an organization come to know each other, and part (OCPI 2.2.1, 4.1, 6 and 7), at the built service and a partner on
// a real socket.

import { request as httpRequest, type ServerResponse } from 'node:http'
import { t, test } from 'tap'
import {
  asPartner,
  credentialsOf,
  envelope,
  invitePartner,
  type Misbehaviour,
  party,
  sendJson,
  startPartner,
} from '../support/ocpi-partner.js'
import { tenantOf } from '../support/organization.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const laboratory = await startService(t, { flags: ['--allow-insecure-webhooks', 'true'] })
const credentials = '/ocpi/cpo/2.2.1/credentials'
let parties = 0

/** An organization with a party of its own. */
async function operatorOf(service: Service) {
  const tenant = await tenantOf(service)
  const party_id = `A${(++parties).toString().padStart(2, '0')}`
  const { status } = await tenant.request('PUT', '/api/v1/ocpi/party', { ...party, party_id })
  if (status !== 200) throw new Error('the party was not set')
  return { ...tenant, party_id }
}

test('ocpi handshake - a partner registers, replaces its credentials and leaves, and each token is good for its time', async (t) => {
  const service = await operatorOf(laboratory)
  const partner = await startPartner(t)
  const invited = await invitePartner(service)
  t.equal(invited.versionsUrl, `${service.url}/ocpi/versions`)
  const a = asPartner(service, invited.token)
  const versions = await a('GET', '/ocpi/versions')
  t.same(versions.body.data, [{ version: '2.2.1', url: `${service.url}/ocpi/versions/2.2.1` }])
  const { body: details } = await a('GET', '/ocpi/versions/2.2.1')
  const roles = Object.fromEntries(
    details.data.endpoints.map(({ identifier, role }: Record<string, string>) => [identifier, role]),
  )
  t.match(roles, { locations: 'SENDER', sessions: 'SENDER', cdrs: 'SENDER', tariffs: 'SENDER' })
  t.match(roles, { commands: 'RECEIVER', tokens: 'RECEIVER' })
  t.ok(details.data.endpoints.every(({ url }: { url: string }) => url.startsWith(`${service.url}/ocpi/cpo/2.2.1/`)))
  t.equal((await a('GET', credentials)).body.data.token, invited.token)
  for (const method of ['PUT', 'DELETE']) {
    const { status, body } = await a(method, credentials, method === 'PUT' ? credentialsOf(partner, 'b') : undefined)
    t.equal(status, 405, method)
    t.equal(body.status_code, 2000, method)
  }

  partner.takes('token-b')
  const registered = await a('POST', credentials, credentialsOf(partner, 'token-b'))
  t.equal(registered.status, 200)
  t.equal(registered.body.status_code, 1000)
  t.same(
    partner.requests.map(({ path }) => path),
    ['/versions', '/2.2.1'],
    'the partner is read before it is answered',
  )
  const given = registered.body.data
  t.match(given, { url: `${service.url}/ocpi/versions`, party_id: service.party_id, country_code: 'NL' })
  t.match(given.roles, [{ role: 'CPO', party_id: service.party_id, business_details: party.business_details }])
  t.equal((await a('POST', credentials, credentialsOf(partner, 'token-b'))).status, 401, 'token A is used up')
  t.equal((await a('GET', '/ocpi/versions')).status, 401)

  const c = asPartner(service, given.token)
  t.equal((await c('GET', '/ocpi/versions')).status, 200)
  t.equal((await c('POST', credentials, credentialsOf(partner, 'token-b'))).status, 405)
  const { body: log } = await service.request('GET', `/api/v1/ocpi/partners/${invited.id}/exchanges`)
  const noted = log.data.map(
    ({ direction, method, module }: Record<string, string>) => `${direction} ${method} ${module}`,
  )
  t.ok(noted.includes('in POST credentials'), 'the log has the registration')
  t.notMatch(JSON.stringify(log), new RegExp(`token-b|${invited.token}|${given.token}`), 'and no token')
  const { body: shown } = await service.request('GET', `/api/v1/ocpi/partners/${invited.id}`)
  t.match(shown, {
    status: 'registered',
    versions_url: partner.versionsUrl,
    roles: [{ role: 'EMSP', party_id: 'EMP' }],
  })
  t.notMatch(JSON.stringify(shown), /token-b/)

  partner.takes('token-b2')
  const replaced = await c('PUT', credentials, credentialsOf(partner, 'token-b2'))
  t.equal(replaced.body.status_code, 1000)
  t.not(replaced.body.data.token, given.token)
  t.equal((await c('GET', '/ocpi/versions')).status, 200, 'requests that are under way go on')
  const c2 = asPartner(service, replaced.body.data.token)
  t.equal((await c2('GET', credentials)).body.data.token, replaced.body.data.token)

  const ended = await c2('DELETE', credentials)
  t.equal(ended.status, 200)
  t.same(Object.keys(ended.body).sort(), ['status_code', 'status_message', 'timestamp'])
  for (const call of [a, c, c2]) t.equal((await call('GET', '/ocpi/versions')).status, 401)
  t.match((await service.request('GET', `/api/v1/ocpi/partners/${invited.id}`)).body, {
    status: 'ended',
    endpoints: [],
  })
})

test('ocpi handshake - an organization that has not set its party gets one with its first partner', async (t) => {
  const tenant = await tenantOf(laboratory)
  t.equal((await tenant.request('GET', '/api/v1/ocpi/party')).status, 404)
  const { status, body } = await tenant.request('POST', '/api/v1/ocpi/partners')
  t.equal(status, 201)
  const { data } = (await asPartner(tenant, body.token)('GET', credentials)).body
  t.match(data, { country_code: 'NL', party_id: /^[A-Z]{3}$/, business_details: { name: 'Another' } })
  const again = await tenant.request('POST', '/api/v1/ocpi/partners', { name: 'Second' })
  t.equal((await asPartner(tenant, again.body.token)('GET', credentials)).body.data.party_id, data.party_id)
})

const failures: Readonly<Record<string, readonly [number, Misbehaviour]>> = {
  '3001 - the partner answers 200 with HTML': [3001, (_, response) => html(response)],
  '3001 - the partner answers with a redirect': [
    3001,
    (_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
      return true
    },
  ],
  '3001 - the partner does not take its own token': [
    3001,
    (_, response) => sendJson(response, 401, envelope(undefined, 2000)),
  ],
  '3001 - the partner answers 200 with status code 3000': [
    3001,
    (_, response) => sendJson(response, 200, envelope(undefined, 3000)),
  ],
  '3001 - the partner drops the connection': [
    3001,
    (_, response) => {
      response.destroy()
      return true
    },
  ],
  '3001 - the modules are no list': [
    3001,
    ({ path }, response) => (path === '/2.2.1' ? sendJson(response, 200, envelope({ version: '2.2.1' })) : undefined),
  ],
  '3002 - the partner speaks 2.1.1 only': [
    3002,
    (_, response) => sendJson(response, 200, envelope([{ version: '2.1.1', url: 'http://127.0.0.1:9/2.1.1' }])),
  ],
  '3003 - the partner has no endpoint for credentials': [
    3003,
    ({ path }, response) =>
      path === '/2.2.1'
        ? sendJson(
            response,
            200,
            envelope({
              version: '2.2.1',
              endpoints: [{ identifier: 'tokens', role: 'SENDER', url: 'http://127.0.0.1:9/tokens' }],
            }),
          )
        : undefined,
  ],
}

function html(response: ServerResponse): true {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Welcome</title>')
  return true
}

test('ocpi handshake - a registration that fails says why, and leaves everything as it was', async (t) => {
  const service = await operatorOf(laboratory)
  const partner = await startPartner(t)
  const invited = await invitePartner(service)
  const a = asPartner(service, invited.token)
  for (const [name, [code, misbehaviour]] of Object.entries(failures)) {
    partner.misbehave(misbehaviour)
    const { status, body } = await a('POST', credentials, credentialsOf(partner, 'token-b'))
    t.equal(status, 200, name)
    t.equal(body.status_code, code, name)
    t.notOk('data' in body, name)
    t.match(
      (await service.request('GET', `/api/v1/ocpi/partners/${invited.id}`)).body,
      { status: 'invited', roles: [] },
      name,
    )
  }
  partner.misbehave(undefined)
  t.equal((await a('POST', credentials, credentialsOf(partner, 'token-b'))).body.status_code, 1000)
})

test('ocpi handshake - versions inside the network of the service are not read', async (t) => {
  const guarded = await startService(t)
  const service = await operatorOf(guarded)
  const partner = await startPartner(t)
  const { token } = await invitePartner(service)
  const { body } = await asPartner(service, token)('POST', credentials, credentialsOf(partner, 'token-b'))
  t.equal(body.status_code, 3001)
  t.equal(partner.requests.length, 0)
})

test('ocpi handshake - a body that does not fit is 2001 under 200, and one that is not JSON is 400', async (t) => {
  const service = await operatorOf(laboratory)
  const partner = await startPartner(t)
  const { token } = await invitePartner(service)
  const a = asPartner(service, token)
  const whole = credentialsOf(partner, 'token-b')
  const wrong: Readonly<Record<string, object>> = {
    'no token': { ...whole, token: undefined },
    'no address': { ...whole, url: undefined },
    'neither roles nor the fields of 2.1.1': { ...whole, roles: [] },
    'a role that there is not': { ...whole, roles: [{ ...whole.roles[0], role: 'DRIVER' }] },
    'a role twice': { ...whole, roles: [...whole.roles, ...whole.roles] },
    'a token with a blank': { ...whole, token: 'a b' },
  }
  for (const [name, body] of Object.entries(wrong)) {
    const answer = await a('POST', credentials, body)
    t.equal(answer.status, 200, name)
    t.equal(answer.body.status_code, 2001, name)
    t.match(answer.body.timestamp, /Z$/, name)
  }
  const headers = {
    authorization: `Token ${Buffer.from(token).toString('base64')}`,
    'content-type': 'application/json',
  }
  const broken = await fetch(`${service.url}${credentials}`, { method: 'POST', headers, body: '{' })
  t.equal(broken.status, 400)
  t.equal(((await broken.json()) as { status_code: number }).status_code, 2001)
  t.equal(partner.requests.length, 0)
  const { roles, ...old } = whole
  const [{ role: _, ...top } = {}] = roles as readonly Record<string, unknown>[]
  t.equal(
    (await a('POST', credentials, { ...old, ...top })).body.status_code,
    1000,
    'the form of the interface is taken',
  )
})

test('ocpi handshake - a token is taken in base64, as it is, and with a line feed behind it', async (t) => {
  const service = await operatorOf(laboratory)
  const { token } = await invitePartner(service)
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const get = async (authorization: string) =>
    (await service.request('GET', '/ocpi/versions', undefined, { authorization })).status
  for (const good of [
    `Token ${base64(token)}`,
    `token  ${base64(token)}`,
    `Token ${token}`,
    `Token ${base64(`${token}\n`)}`,
  ])
    t.equal(await get(good), 200, good)
  for (const bad of [
    `Bearer ${token}`,
    `Token ${base64(base64(token))}`,
    `Token ${token}x`,
    'Token',
    `Token ${service.key}`,
  ]) {
    const answer = await service.request('GET', '/ocpi/versions', undefined, { authorization: bad })
    t.equal(answer.status, 401, bad)
    t.equal(answer.body.status_code, 2000, bad)
    t.equal(answer.headers.get('www-authenticate'), 'Token')
  }
})

test('ocpi handshake - ids of a request come back, also with an error, and parties are turned round', async (t) => {
  const service = await operatorOf(laboratory)
  const { token } = await invitePartner(service)
  const call = asPartner(service, token)
  const sent = {
    'x-request-id': '3f1c2a9e-1111-4222-8333-444455556666',
    'x-correlation-id': 'corr-7',
    'ocpi-from-party-id': 'EMP',
    'ocpi-from-country-code': 'NL',
    'ocpi-to-party-id': 'AMP',
    'ocpi-to-country-code': 'DE',
  }
  for (const [path, status] of [
    ['/ocpi/versions', 200],
    ['/ocpi/versions/9.9', 404],
    ['/ocpi/nothing', 404],
  ] as const) {
    const { headers, body, status: seen } = await call('GET', path, undefined, sent)
    t.equal(seen, status, path)
    t.equal(headers.get('x-request-id'), sent['x-request-id'], path)
    t.equal(headers.get('x-correlation-id'), 'corr-7', path)
    t.equal(headers.get('ocpi-to-party-id'), 'EMP', path)
    t.equal(headers.get('ocpi-from-country-code'), 'DE', path)
    t.match(body.timestamp, /Z$/, path)
  }
  t.equal((await call('GET', '/ocpi/versions/9.9')).body.status_code, 3002)
  t.equal((await call('DELETE', '/ocpi/versions')).status, 405)
})

test('ocpi handshake - the service registers at a partner, and the two exchange new tokens', async (t) => {
  const service = await operatorOf(laboratory)
  const partner = await startPartner(t)
  const invited = await invitePartner(service)
  const path = `/api/v1/ocpi/partners/${invited.id}`
  partner.takes('their-token-a')
  const answer = await service.request('POST', `${path}/register`, {
    versions_url: partner.versionsUrl,
    token: 'their-token-a',
  })
  t.equal(answer.status, 200)
  t.equal(answer.body.status, 'registered')
  const posted = partner.requests.find(({ method }) => method === 'POST')
  t.match(posted?.json.roles, [{ role: 'CPO', party_id: service.party_id }])
  const b = asPartner(service, posted?.json.token)
  t.equal((await b('GET', credentials)).body.data.token, posted?.json.token)
  t.equal((await asPartner(service, invited.token)('GET', '/ocpi/versions')).status, 401, 'token A is needed no longer')
  t.equal(
    (await service.request('POST', `${path}/register`, { versions_url: partner.versionsUrl, token: 'x' })).status,
    409,
  )

  partner.takes('of-POST-3')
  const rotated = await service.request('POST', `${path}/rotate-credentials`)
  t.equal(rotated.status, 200)
  const put = partner.requests.find(({ method }) => method === 'PUT')
  t.not(put?.json.token, posted?.json.token)
  t.equal((await asPartner(service, put?.json.token)('GET', '/ocpi/versions')).status, 200)

  partner.takes(`of-PUT-${partner.requests.indexOf(put as never) + 1}`)
  t.equal((await service.request('DELETE', path)).status, 204)
  t.equal(partner.requests.at(-1)?.method, 'DELETE', 'the partner is told')
  t.equal((await asPartner(service, put?.json.token)('GET', '/ocpi/versions')).status, 401)
})

test('ocpi handshake - rotations whose answers are lost leave the token good that the partner has', async (t) => {
  const service = await operatorOf(laboratory)
  const partner = await startPartner(t)
  const invited = await invitePartner(service)
  const { body } = await asPartner(service, invited.token)('POST', credentials, credentialsOf(partner, 'token-b'))
  const c = asPartner(service, body.data.token)
  await c('GET', '/ocpi/versions')
  partner.misbehave(({ method }, response) => {
    if (method !== 'PUT') return undefined
    response.destroy()
    return true
  })
  for (let attempt = 0; attempt < 6; attempt++)
    t.equal((await service.request('POST', `/api/v1/ocpi/partners/${invited.id}/rotate-credentials`)).status, 422)
  t.equal((await c('GET', '/ocpi/versions')).status, 200)
  const last = partner.requests.findLast(({ method }) => method === 'PUT')
  t.equal((await asPartner(service, last?.json.token)('GET', '/ocpi/versions')).status, 200)
})

test('ocpi handshake - a service that dies in the middle leaves token A good, wherever it died', async (t) => {
  const first = await startService(t, { flags: ['--allow-insecure-webhooks', 'true'] })
  const before = await operatorOf(first)
  const partner = await startPartner(t)
  const invited = await invitePartner(before)
  const body = JSON.stringify(credentialsOf(partner, 'token-b'))
  // It dies while it reads the modules of the partner, before it has changed anything.
  partner.misbehave(({ path }) => (path === '/2.2.1' ? true : undefined))
  const headers = {
    authorization: `Token ${Buffer.from(invited.token).toString('base64')}`,
    'content-type': 'application/json',
  }
  const lost = httpRequest(`${first.url}${credentials}`, { method: 'POST', headers })
  lost.on('error', () => undefined)
  lost.end(body)
  await until(() => partner.requests.some(({ path }) => path === '/2.2.1'))
  await first.stop('SIGKILL')
  partner.misbehave(undefined)

  const second = await startService(t, {
    data: first.data,
    key: first.key,
    flags: ['--allow-insecure-webhooks', 'true'],
  })
  const again = await asPartner(second, invited.token)('POST', credentials, JSON.parse(body))
  t.equal(again.body.status_code, 1000)
  // It dies when it has registered the partner, and the answer is lost.
  await second.stop('SIGKILL')
  const third = await startService(t, {
    data: first.data,
    key: first.key,
    flags: ['--allow-insecure-webhooks', 'true'],
  })
  const repeated = await asPartner(third, invited.token)('POST', credentials, JSON.parse(body))
  t.equal(repeated.body.status_code, 1000, 'the partner cannot know that it is registered')
  const c = asPartner(third, repeated.body.data.token)
  t.equal((await c('GET', '/ocpi/versions')).status, 200)
  t.equal((await asPartner(third, invited.token)('POST', credentials, JSON.parse(body))).status, 401)
})
