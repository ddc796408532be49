// Handshakes that do not go as they should (OCPI 2.2.1, 7), at the built service and a partner on a real socket. The rules of handshakes are in
// ocpi-handshake-rules.

import { request as httpRequest } from 'node:http'
import { test } from 'tap'
import { limits } from '../../src/ocpi/schemas/limits.js'
import { inFullSuite } from '../runner/sample.js'
import { asPartner, credentialsOf, invitePartner, party, startPartner } from '../support/ocpi-partner.js'
import { tenantOf } from '../support/organization.js'
import { roamingFlags } from '../support/roaming-stage.js'
import { type Service, startService } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const laboratory = await sharedService(roamingFlags)
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

test('ocpi handshake - credentials that do not fit are 2001, and are sent nothing', async (t) => {
  const service = await operatorOf(laboratory)
  const partner = await startPartner(t)
  const { token } = await invitePartner(service)
  const a = asPartner(service, token)
  const whole = credentialsOf(partner, 'token-b')
  const manyRoles = Array.from({ length: limits.ocpiRoles + 1 }, (_, at) => ({
    ...whole.roles[0],
    party_id: String(at).padStart(3, '0'),
  }))
  const wrong: Readonly<Record<string, object>> = {
    'no token': { ...whole, token: undefined },
    'no address': { ...whole, url: undefined },
    'neither roles nor the fields of 2.1.1': { ...whole, roles: [] },
    'a role that there is not': { ...whole, roles: [{ ...whole.roles[0], role: 'DRIVER' }] },
    'a role twice': { ...whole, roles: [...whole.roles, ...whole.roles] },
    'more roles than a partner may have': { ...whole, roles: manyRoles },
    'a token with a blank': { ...whole, token: 'a b' },
  }
  for (const [name, body] of Object.entries(wrong)) {
    const answer = await a('POST', credentials, body)
    t.equal(answer.status, 200, name)
    t.equal(answer.body.status_code, 2001, name)
    t.match(answer.body.timestamp, /Z$/, name)
  }
  t.equal(partner.requests.length, 0)
  t.equal((await a('POST', credentials, whole)).body.status_code, 1000)
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

test(
  'ocpi handshake - a service that dies in the middle leaves token A good, wherever it died',
  inFullSuite,
  async (t) => {
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
  },
)

test(
  'ocpi handshake - a service that dies while it registers at a partner leaves both able to go on, wherever it died',
  inFullSuite,
  async (t) => {
    const flags = roamingFlags
    let service = await startService(t, { flags })
    const { data, key } = service
    await service.request('PUT', '/api/v1/ocpi/party', { ...party, party_id: 'ADY' })
    const [partner, { id }] = [await startPartner(t), await invitePartner(service)]
    const path = `/api/v1/ocpi/partners/${id}`
    // It reads the modules of the partner; then the partner has its credentials, and the answer is lost.
    for (const step of ['/2.2.1', '/credentials']) {
      partner.misbehave((request) => (request.path === step ? true : undefined))
      const registering = { versions_url: partner.versionsUrl, token: 'their-token-a' }
      const lost = service.request('POST', `${path}/register`, registering).catch(() => 'lost')
      await until(() => partner.requests.some((request) => request.path === step))
      await service.stop('SIGKILL')
      t.equal(await lost, 'lost')
      service = await startService(t, { data, key, flags })
      t.match((await service.request('GET', path)).body, { status: 'invited', roles: [], versions_url: null }, step)
    }
    partner.misbehave(undefined)
    // To the partner, it is registered: it has a token, and gets others for it.
    const b = asPartner(service, partner.requests.findLast(({ method }) => method === 'POST')?.json.token)
    t.equal((await b('GET', '/ocpi/cpo/2.2.1/locations')).status, 401, 'to the service, it is not')
    const replaced = await b('PUT', credentials, credentialsOf(partner, 'token-b'))
    t.equal(replaced.body.status_code, 1000)
    t.match((await service.request('GET', path)).body, { status: 'registered', roles: [{ party_id: 'EMP' }] })
    const c = asPartner(service, replaced.body.data.token)
    t.equal((await c('GET', '/ocpi/cpo/2.2.1/locations')).status, 200)
  },
)

test('ocpi handshake - of two partners that register as one party at the same time, one becomes it', async (t) => {
  const service = await operatorOf(laboratory)
  const [one, other] = [await startPartner(t), await startPartner(t)]
  const held: (() => void)[] = []
  // Both are asked for their versions before either is answered.
  for (const partner of [one, other])
    partner.misbehave(({ path }, response) => {
      if (path !== '/versions' || held.length >= 2) return undefined
      held.push(() => {
        const versions = [{ version: '2.2.1', url: `${partner.url}/2.2.1` }]
        response.end(JSON.stringify({ data: versions, status_code: 1000, timestamp: new Date().toISOString() }))
      })
      return true
    })
  const registrations = [one, other].map(async (partner) => {
    const { token } = await invitePartner(service)
    return asPartner(service, token)('POST', credentials, credentialsOf(partner, 'token-b'))
  })
  await until(() => held.length === 2)
  for (const answer of held) answer()
  const codes = (await Promise.all(registrations)).map(({ body }) => body.status_code)
  t.same(codes.sort(), [1000, 2000])
  const { body } = await service.request('GET', '/api/v1/ocpi/partners')
  const statuses = body.data.map(({ status }: { status: string }) => status)
  t.same(statuses.sort(), ['invited', 'registered'])
})
