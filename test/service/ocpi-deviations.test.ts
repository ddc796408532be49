// Where the interface and OCPI 2.2.1 differ, or the interface shows nothing: both are served. Rows 5, 10 and 17 are in ocpi-locations and ocpi-tokens.

import { type Test, test } from 'tap'
import { secondsAgo } from '../support/charge-point.js'
import { asPartner, credentialsOf, envelope, invitePartner, sendJson, startPartner } from '../support/ocpi-partner.js'
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

/** A partner whose driver charges at the charge point, and has charged there before. */
async function chargedStage(t: Test, id: string) {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const client = await publishedChargePoint(tenant, partner, id)
  await sendToken(partner, id)
  const ended = await startCharge(tenant, client, id, { idTag: id, meterStart: 0, timestamp: secondsAgo(3600) })
  await client.call('StopTransaction', { ...ended, meterStop: 5_000, timestamp: secondsAgo(1800) })
  const running = await startCharge(tenant, client, id, { idTag: id, connectorId: 2, timestamp: secondsAgo(60) })
  const listed = async (module: string, query = '') =>
    (await partner.call('GET', `${modules}/${module}?${query}`)).body.data
  await until(async () => (await listed('cdrs')).length === 1)
  return { tenant, partner, client, ended, running, listed }
}

test('OCPI 11 - row 1: the envelope has a timestamp, whatever the answer is', async (t) => {
  const partner = await partnerOf(t, await operatorOf(laboratory))
  for (const [method, path, body] of [
    ['GET', '/ocpi/versions', undefined],
    ['GET', `${modules}/locations`, undefined],
    ['GET', `${modules}/locations/NONE`, undefined],
    ['PUT', `${modules}/tokens/NL/${partner.partyId}/A`, tokenOf(partner, 'A')],
    ['POST', `${modules}/commands/START_SESSION`, {}],
    ['DELETE', credentials, undefined],
  ] as const) {
    const { timestamp } = (await partner.call(method, path, body)).body
    t.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,4})?Z$/, `${method} ${path}`)
    t.ok(Math.abs(Date.now() - Date.parse(timestamp)) < 60_000)
  }
})

test('OCPI 11 - row 2: credentials are taken with roles, with the fields on top, or with both, and given with both', async (t) => {
  const tenant = await operatorOf(laboratory)
  const forms = {
    'roles alone': (role: object) => ({ roles: [role] }),
    'the fields on top alone': ({ role: _, ...top }: { role: string }) => top,
    'the fields on top and no role': ({ role: _, ...top }: { role: string }) => ({ ...top, roles: [] }),
    both: ({ role, ...top }: { role: string }) => ({ ...top, roles: [{ role, ...top }] }),
  }
  for (const [name, form] of Object.entries(forms)) {
    const [invited, stub] = [await invitePartner(tenant), await startPartner(t)]
    const partyId = nextPartyId('E')
    const sent = { token: 'token-b', url: stub.versionsUrl, ...form(emspRole(partyId)) }
    const { body } = await asPartner(tenant, invited.token)('POST', credentials, sent)
    t.equal(body.status_code, 1000, name)
    t.match(body.data, { country_code: 'NL', party_id: tenant.partyId, business_details: { name: String } }, name)
    t.match(body.data.roles, [{ role: 'CPO', country_code: 'NL', party_id: tenant.partyId }], name)
    const row = (await tenant.request('GET', `/api/v1/ocpi/partners/${invited.id}`)).body
    t.match(row.roles, [{ role: 'EMSP', country_code: 'NL', party_id: partyId, name: 'Example Mobility' }], name)
  }
  const [invited, stub] = [await invitePartner(tenant), await startPartner(t)]
  const { business_details: _, ...nameless } = emspRole('XXX')
  for (const neither of [{}, { roles: [] }, nameless]) {
    const sent = { token: 'token-b', url: stub.versionsUrl, ...neither }
    t.equal((await asPartner(tenant, invited.token)('POST', credentials, sent)).body.status_code, 2001)
  }
})

test('OCPI 11 - null stands for a field that is left out, in each body and each answer of a partner', async (t) => {
  const tenant = await operatorOf(laboratory)
  const [invited, stub] = [await invitePartner(tenant), await startPartner(t)]
  const logo = { url: 'https://emsp.example/l.png', category: 'OPERATOR', type: 'png' }
  const nulls = { thumbnail: null, width: null, height: null }
  const partyId = nextPartyId('E')
  let role = emspRole(partyId)
  const business_details = { name: 'Example Mobility', website: null, logo: { ...logo, ...nulls } }
  const credentialsWith = (details: object) => ({
    token: 'token-b',
    url: stub.versionsUrl,
    roles: [{ ...role, business_details: details }],
    business_details: null,
    party_id: null,
    country_code: null,
  })
  stub.misbehave(({ path }, response) => {
    if (path === '/2.2.1') {
      const endpoints = [
        { identifier: 'credentials', role: null, url: `${stub.url}/credentials` },
        { identifier: 'commands', role: 'SENDER', url: `${stub.url}/commands` },
      ]
      return sendJson(response, 200, { ...envelope({ version: null, endpoints }), status_message: null })
    }
    if (path === '/credentials') return sendJson(response, 200, envelope(credentialsWith(business_details)))
    return undefined
  })
  const registered = await asPartner(tenant, invited.token)('POST', credentials, credentialsWith(business_details))
  t.equal(registered.body.status_code, 1000)
  const call = asPartner(tenant, registered.body.data.token)
  const stored = async () => (await tenant.request('GET', `/api/v1/ocpi/partners/${invited.id}`)).body
  t.match(await stored(), { roles: [{ role: 'EMSP', party_id: partyId }], endpoints: [{ role: 'SENDER' }, {}] })
  const again = await call('PUT', credentials, credentialsWith({ ...business_details, website: '' }))
  t.equal(again.body.status_code, 1000, 'some write an empty address')

  const commander = asPartner(tenant, again.body.data.token)
  const started = await commander('POST', `${modules}/commands/START_SESSION`, {
    response_url: `${stub.url}/result`,
    token: { uid: 'APP-1', type: 'APP_USER', contract_id: 'NL-EMP-1', visual_number: null, group_id: null },
    location_id: 'NOWHERE',
    evse_uid: null,
    connector_id: null,
    authorization_reference: null,
  })
  t.equal(started.body.status_code, 2003, 'only the place is unknown')
  const required = await commander('POST', `${modules}/commands/START_SESSION`, {
    response_url: `${stub.url}/result`,
    token: { uid: 'APP-1', type: 'APP_USER', contract_id: null },
    location_id: 'NOWHERE',
  })
  t.match(required.body, { status_code: 2001, status_message: /contract_id/ })

  const ours = await invitePartner(tenant)
  role = emspRole(nextPartyId('E'))
  const begun = await tenant.request('POST', `/api/v1/ocpi/partners/${ours.id}/register`, {
    token: 'token-of-partner',
    versions_url: stub.versionsUrl,
  })
  t.match([begun.status, begun.body], [200, { status: 'registered' }])
})

test('OCPI 11 - row 3: POST registers once, and PUT and DELETE are for who has registered', async (t) => {
  const [tenant, stub] = [await operatorOf(laboratory), await startPartner(t)]
  const a = asPartner(tenant, (await invitePartner(tenant)).token)
  const sent = credentialsOf(stub, 'token-b', [emspRole(nextPartyId('E'))])
  const statuses = async (call: typeof a) => [
    (await call('PUT', credentials, sent)).status,
    (await call('POST', credentials, sent)).status,
    (await call('DELETE', credentials)).status,
  ]
  t.equal((await a('PUT', credentials, sent)).status, 405)
  t.equal((await a('DELETE', credentials)).status, 405)
  const { body } = await a('POST', credentials, sent)
  t.ok(stub.requests.length > 0, 'the partner was read before')
  t.same(await statuses(asPartner(tenant, body.data.token)), [200, 405, 200])
})

test('OCPI 11 - row 4: CDRs are filtered by the end of their sessions', async (t) => {
  const { listed } = await chargedStage(t, 'DEV-4')
  const [cdr] = await listed('cdrs')
  t.ok(Date.parse(cdr.last_updated) - Date.parse(cdr.end_date_time) > 1_000_000, 'it was made later')
  const at = (seconds: number): string => new Date(Date.parse(cdr.end_date_time) + seconds * 1000).toISOString()
  t.equal((await listed('cdrs', `date_from=${at(0)}&date_to=${at(1)}`)).length, 1)
  t.equal((await listed('cdrs', `date_from=${at(1)}`)).length, 0)
  t.equal((await listed('cdrs', `date_to=${at(0)}`)).length, 0)
})

test('OCPI 11 - row 6: sessions are read without date_from, and with a limit', async (t) => {
  const { listed, ended, running } = await chargedStage(t, 'DEV-6')
  const ids = async (query: string) => (await listed('sessions', query)).map(({ id }: { id: string }) => id)
  t.same(await ids(''), [ended.sessionId, running.sessionId])
  t.same(await ids('limit=1'), [ended.sessionId])
  t.same(await ids('offset=1'), [running.sessionId])
  const future = encodeURIComponent(secondsAgo(-3600))
  t.same(await ids(`date_to=${future}`), [ended.sessionId, running.sessionId], 'also those that run')
})

test('OCPI 11 - row 7: a CDR has the ids of its place on top and in cdr_location, and its charging periods', async (t) => {
  const { listed, partner } = await chargedStage(t, 'DEV-7')
  const place = { evse_uid: 'DEV-7_1', connector_id: '1' }
  const all = {
    location_id: 'DEV-7',
    ...place,
    cdr_location: { id: 'DEV-7', ...place, evse_id: /^NL\*/, connector_standard: String, country: 'NLD' },
    charging_periods: [{ start_date_time: String, dimensions: [{ type: 'ENERGY', volume: 5 }] }],
  }
  const [cdr] = await listed('cdrs')
  t.match(cdr, all)
  const posted = await until(() => partner.sent('cdrs')[0])
  t.same(posted.json, cdr, 'read and posted')
})

test('OCPI 11 - row 8: a location says whether it is published, in which time zone it is, and when each part changed', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const client = await publishedChargePoint(tenant, partner, 'DEV-8')
  const [location] = (await partner.call('GET', `${modules}/locations`)).body.data
  t.match(location, { publish: true, time_zone: /^[A-Z]\w+(\/\w+)?$/, operator: { name: String } })
  for (const evse of location.evses) {
    t.match(evse, { last_updated: /Z$/, connectors: [{ last_updated: /Z$/ }] })
    t.ok(evse.last_updated <= location.last_updated)
  }
  client.close()
})

test('OCPI 11 - row 9: the token of a session and of a CDR says whose it is', async (t) => {
  const { listed, partner } = await chargedStage(t, 'DEV-9')
  const token = { country_code: 'NL', party_id: partner.partyId, uid: 'DEV-9', type: 'RFID', contract_id: String }
  for (const row of [...(await listed('sessions')), ...(await listed('cdrs'))]) t.match(row.cdr_token, token)
})

test('OCPI 11 - row 11: there are five commands', async (t) => {
  const partner = await partnerOf(t, await operatorOf(laboratory))
  const send = (command: string) => partner.call('POST', `${modules}/commands/${command}`, {})
  for (const command of ['CANCEL_RESERVATION', 'RESERVE_NOW', 'START_SESSION', 'STOP_SESSION', 'UNLOCK_CONNECTOR'])
    t.match(await send(command), { status: 200, body: { status_code: 2001, status_message: /response_url/ } }, command)
  for (const other of ['SET_CHARGING_PROFILE', 'start_session', 'toString'])
    t.match(await send(other), { status: 404, body: { status_code: 2000 } }, other)
})

test('OCPI 11 - row 12: tokens are taken in base64 and as they are, and sent in base64', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const inBase64 = Buffer.from(partner.token).toString('base64')
  for (const text of [inBase64, partner.token]) {
    const headers = { authorization: `Token ${text}` }
    t.equal((await tenant.request('GET', `${modules}/locations`, undefined, headers)).status, 200)
  }
  const sent = `Token ${Buffer.from(`b-${partner.id}`).toString('base64')}`
  t.ok(partner.requests.every(({ headers }) => headers.authorization === sent))
})

test('OCPI 11 - row 13: every whitelist and type of a token, and every status that a session has', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const put = (more: { type?: string; whitelist?: string }) => {
    const token = tokenOf(partner, 'DEV-13', more)
    return partner.call('PUT', `${modules}/tokens/NL/${partner.partyId}/DEV-13?type=${token.type}`, token)
  }
  for (const type of ['AD_HOC_USER', 'APP_USER', 'OTHER', 'RFID'])
    for (const whitelist of ['ALLOWED', 'ALLOWED_OFFLINE', 'NEVER', 'ALWAYS'])
      t.equal((await put({ type, whitelist })).body.status_code, 1000, `${type} ${whitelist}`)
  t.equal((await put({ type: 'KEYCODE' })).body.status_code, 2001)
  t.equal((await put({ whitelist: 'MAYBE' })).body.status_code, 2001)

  const client = await publishedChargePoint(tenant, partner, 'DEV-13')
  const [started, refused] = [{ idTag: 'DEV-13' }, { idTag: 'DEV-13-NO', connectorId: 2 }]
  await sendToken(partner, 'DEV-13-NO', { valid: false })
  const charged = await startCharge(tenant, client, 'DEV-13', { ...started, timestamp: secondsAgo(60) })
  const invalid = await startCharge(tenant, client, 'DEV-13', { ...refused, timestamp: secondsAgo(60) })
  const statusOf = async ({ sessionId }: typeof charged): Promise<string> =>
    (await partner.call('GET', `${modules}/sessions`)).body.data.find(({ id }: { id: string }) => id === sessionId)
      ?.status
  t.equal(await statusOf(charged), 'ACTIVE')
  t.equal(await statusOf(invalid), 'INVALID')
  await stopCharge(client, charged, 5_000)
  t.equal(await statusOf(charged), 'COMPLETED')
  client.close()
})

test('OCPI 11 - row 14: each list has the headers of its page', async (t) => {
  const { partner } = await chargedStage(t, 'DEV-14')
  for (const module of ['locations', 'sessions', 'cdrs', 'tariffs']) {
    const { headers } = await partner.call('GET', `${modules}/${module}?limit=1`)
    t.match(headers.get('x-total-count'), /^\d+$/, module)
    t.equal(headers.get('x-limit'), '100', module)
    t.equal(headers.has('link'), Number(headers.get('x-total-count')) > 1, module)
  }
})

test('OCPI 11 - row 15: errors have the codes of the standard, and one of the token is HTTP 401', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  t.match(await asPartner(tenant, 'x')('GET', credentials), { status: 401, body: { status_code: 2000 } })
  const unfit = await partner.call('GET', `${modules}/locations?limit=no`)
  t.match(unfit, { status: 200, body: { status_code: 2001 } })
  const unlock = { response_url: partner.url, location_id: 'NONE', evse_uid: 'E', connector_id: '1' }
  const answer = await partner.call('POST', `${modules}/commands/UNLOCK_CONNECTOR`, unlock)
  t.match(answer, { status: 200, body: { status_code: 2003 } })
})

test('OCPI 11 - row 16: credentials are answered with credentials and a new token, and their end with no data', async (t) => {
  const [tenant, stub] = [await operatorOf(laboratory), await startPartner(t)]
  const { token } = await invitePartner(tenant)
  const sent = credentialsOf(stub, 'token-b', [emspRole(nextPartyId('E'))])
  const posted = (await asPartner(tenant, token)('POST', credentials, sent)).body.data
  const put = (await asPartner(tenant, posted.token)('PUT', credentials, sent)).body.data
  t.equal(new Set([token, posted.token, put.token]).size, 3)
  for (const data of [posted, put]) t.match(data, { url: `${tenant.url}/ocpi/versions`, roles: [{ role: 'CPO' }] })
  const ended = await asPartner(tenant, put.token)('DELETE', credentials)
  t.match(ended, { status: 200, body: { status_code: 1000 } })
  t.notOk('data' in ended.body)
})

test('OCPI 11 - row 18: the address of a version ends with its number, and that of another is 404', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const [{ url }] = (await partner.call('GET', '/ocpi/versions')).body.data
  t.equal(url, `${tenant.url}/ocpi/versions/2.2.1`)
  t.equal((await partner.call('GET', '/ocpi/versions/2.2.1')).status, 200)
  t.equal((await partner.call('GET', '/ocpi/versions/2.1.1')).status, 404)
})

test('OCPI 11 - row 19: an operator makes, lists, changes and deletes partners, and each has its token A once', async (t) => {
  const tenant = await operatorOf(laboratory)
  const made = await tenant.request('POST', '/api/v1/ocpi/partners', { name: 'Example Mobility' })
  t.match(made, { status: 201, body: { id: /^ptn_/, token: String, own_versions_url: `${tenant.url}/ocpi/versions` } })
  const path = `/api/v1/ocpi/partners/${made.body.id}`
  const list = (await tenant.request('GET', '/api/v1/ocpi/partners')).body
  t.match(JSON.stringify(list), made.body.id)
  t.notMatch(JSON.stringify([list, (await tenant.request('GET', path)).body]), made.body.token)
  t.match(await tenant.request('PUT', path, { name: 'Other' }), { status: 200, body: { name: 'Other' } })
  t.equal((await asPartner(tenant, made.body.token)('GET', '/ocpi/versions')).status, 200)
  t.equal((await tenant.request('DELETE', path)).status, 204)
  t.equal((await asPartner(tenant, made.body.token)('GET', '/ocpi/versions')).status, 401)
  t.equal((await tenant.request('GET', path)).status, 404)
})
