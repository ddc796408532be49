// What HTTP says of a request of a roaming partner, and what is left to the status code of OCPI (OCPI 2.2.1, 4.1.3 and 5). HTTP 429: ocpi-status-codes.

import { type Test, test } from 'tap'
import { asPartner, invitePartner } from '../support/ocpi-partner.js'
import { modules, operatorOf, partnerOf, roamingFlags, sendToken, tokenOf } from '../support/roaming-stage.js'
import type { Answer } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'

const laboratory = await sharedService(roamingFlags)
const tokens = `${modules}/tokens`
const functional = ['locations', 'sessions', 'cdrs', 'tariffs'].map((module) => `${modules}/${module}`)

const stage = async (t: Test) => {
  const tenant = await operatorOf(laboratory)
  return { tenant, partner: await partnerOf(t, tenant) }
}

/** Every answer has it, whatever its status. */
function isEnvelope(t: Test, { status, body, headers }: Answer, name: string): void {
  t.match(headers.get('content-type'), /^application\/json/, `${name}: HTTP ${status}`)
  t.match(body, { status_code: Number, status_message: String, timestamp: /^.{19,24}Z$/ }, `${name}: HTTP ${status}`)
}

test('OCPI 1.3 - 400 is a body that is not JSON', async (t) => {
  const { partner } = await stage(t)
  for (const [method, path] of [
    ['PUT', `${tokens}/NL/${partner.partyId}/A`],
    ['PATCH', `${tokens}/NL/${partner.partyId}/A`],
    ['POST', `${modules}/commands/START_SESSION`],
    ['PUT', `${modules}/credentials`],
  ] as const)
    for (const text of ['{', 'token=A', '\u0000']) {
      const answer = await partner.call(method, path, text)
      t.match(answer, { status: 400, body: { status_code: 2001 } }, `${method} ${path} ${JSON.stringify(text)}`)
    }
  const notObject = await partner.call('PUT', `${tokens}/NL/${partner.partyId}/A`, '[]')
  t.match(notObject, { status: 200, body: { status_code: 2001 } }, 'JSON that is no object is JSON')
})

test('OCPI 1.3 - 401 is no token, or one that nobody has been given', async (t) => {
  const { tenant, partner } = await stage(t)
  for (const path of ['/ocpi/versions', '/ocpi/versions/2.2.1', `${modules}/credentials`, ...functional]) {
    const bare = await fetch(`${tenant.url}${path}`)
    t.equal(bare.status, 401, path)
    t.equal(bare.headers.get('www-authenticate'), 'Token')
    t.match(await bare.json(), { status_code: 2000 })
    t.equal((await asPartner(tenant, `${partner.token}x`)('GET', path)).status, 401, path)
  }
})

test('OCPI 1.3 - 401 is token A at any module but versions and credentials', async (t) => {
  const { tenant } = await stage(t)
  const { token } = await invitePartner(tenant)
  const a = asPartner(tenant, token)
  for (const path of ['/ocpi/versions', '/ocpi/versions/2.2.1', `${modules}/credentials`])
    t.equal((await a('GET', path)).status, 200, path)
  const others = [...functional, `${tokens}/NL/EMP/A`]
  for (const path of others)
    t.match(await a('GET', path), { status: 401, body: { status_code: 2000, status_message: /register/ } }, path)
  t.equal((await a('POST', `${modules}/commands/STOP_SESSION`, {})).status, 401)
  t.equal((await a('PUT', `${tokens}/NL/EMP/A`, tokenOf({ partyId: 'EMP' }, 'A'))).status, 401)
})

test('OCPI 1.3 - 404 is an object that there is not, or a party in the URL that is not the caller’s', async (t) => {
  const { tenant, partner } = await stage(t)
  const other = await partnerOf(t, tenant)
  await sendToken(other, 'A')
  const paths = [
    '/ocpi/versions/2.1.1',
    `${modules}/locations/NONE`,
    `${tokens}/NL/${partner.partyId}/NONE`,
    `${tokens}/NL/${other.partyId}/A`,
    `${tokens}/BE/${partner.partyId}/A`,
    `${modules}/chargingprofiles`,
    '/ocpi/2.2.1/locations',
    '/ocpi',
  ]
  for (const path of paths) t.equal((await partner.call('GET', path)).status, 404, path)
  const foreign = tokenOf(other, 'B')
  t.equal((await partner.call('PUT', `${tokens}/NL/${other.partyId}/B`, foreign)).status, 404)
  t.equal((await other.call('GET', `${tokens}/NL/${other.partyId}/B`)).status, 404, 'nothing was stored')
})

test('OCPI 1.3 - 405 is a method that the object does not have, and says which it has', async (t) => {
  const { partner } = await stage(t)
  for (const [method, path, allow] of [
    ['POST', '/ocpi/versions', /GET/],
    ['DELETE', `${modules}/locations`, /GET/],
    ['PUT', `${modules}/sessions`, /GET/],
    ['DELETE', `${tokens}/NL/${partner.partyId}/A`, /PUT.*|PATCH/],
    ['POST', `${tokens}/NL/${partner.partyId}/A`, /PUT.*|PATCH/],
    ['GET', `${modules}/commands/START_SESSION`, /POST/],
    ['PATCH', `${modules}/credentials`, /POST/],
  ] as const) {
    const answer = await partner.call(method, path, ['GET', 'DELETE'].includes(method) ? undefined : {})
    t.match(answer, { status: 405, body: { status_code: 2000 } }, `${method} ${path}`)
    t.match(answer.headers.get('allow'), allow, `${method} ${path}`)
  }
})

test('OCPI 1.3 - 200 is what was there or has a fault of its content, 201 what is new', async (t) => {
  const { partner } = await stage(t)
  const put = (more: object = {}) =>
    partner.call('PUT', `${tokens}/NL/${partner.partyId}/A`, tokenOf(partner, 'A', more))
  t.equal((await put()).status, 201)
  t.equal((await put()).status, 200)
  const wrong: readonly Promise<Answer>[] = [
    put({ valid: 'yes' }),
    put({ party_id: 'OTH' }),
    partner.call('PATCH', `${tokens}/NL/${partner.partyId}/A`, {}),
    partner.call('POST', `${modules}/commands/START_SESSION`, {}),
    partner.call('POST', `${modules}/commands/STOP_SESSION`, { response_url: 'no address', session_id: 'S' }),
    partner.call('PUT', `${modules}/credentials`, { token: 'x' }),
    partner.call('GET', `${modules}/locations`, undefined, {
      'ocpi-from-country-code': 'NL',
      'ocpi-from-party-id': 'XXX',
    }),
  ]
  for (const answer of await Promise.all(wrong)) t.match(answer, { status: 200, body: { status_code: 2001 } })
})

test('OCPI 1.3 - an unknown token at authorize is 404 together with 2004', async (t) => {
  const { partner } = await stage(t)
  await sendToken(partner, 'A')
  t.match(await partner.call('POST', `${tokens}/NONE/authorize`), { status: 404, body: { status_code: 2004 } })
  const otherType = await partner.call('POST', `${tokens}/A/authorize?type=APP_USER`)
  t.match(otherType, { status: 404, body: { status_code: 2004 } }, 'its type is a part of its name')
  t.equal((await partner.call('POST', `${tokens}/A/authorize?type=RFID`)).status, 200)
})

test('OCPI 1.3 - charging preferences are 404 together with 2001, as no EVSE takes them', async (t) => {
  const { partner } = await stage(t)
  const path = `${modules}/sessions/ses_1/charging_preferences`
  const answer = await partner.call('PUT', path, { profile_type: 'GREEN' })
  t.match(answer, { status: 404, body: { status_code: 2001 } })
  t.match(await partner.call('PUT', path, { profile_type: 'BLUE' }), { status: 200, body: { status_code: 2001 } })
})

test('OCPI 1.3 - parameters that cannot be read are 200 with 2001', async (t) => {
  const { partner } = await stage(t)
  for (const path of functional)
    for (const query of ['limit=x', 'limit=0', 'limit=-1', 'limit=1.5', 'offset=-1', 'date_from=1', 'date_to=tomorrow'])
      t.match(await partner.call('GET', `${path}?${query}`), { status: 200, body: { status_code: 2001 } }, query)
  const type = await partner.call('GET', `${tokens}/NL/${partner.partyId}/A?type=KEY`)
  t.match(type, { status: 200, body: { status_code: 2001 } })
})

test('OCPI 1.3 - the envelope is there with 400, 401, 404, 405, 413 and 415', async (t) => {
  const { partner } = await stage(t)
  const at = `${tokens}/NL/${partner.partyId}/A`
  const answers: Readonly<Record<number, Promise<Answer>>> = {
    400: partner.call('PUT', at, '{'),
    401: asPartner(laboratory, 'nobody')('GET', `${modules}/cdrs`),
    404: partner.call('GET', '/ocpi/nothing'),
    405: partner.call('DELETE', at),
    413: partner.call('PUT', at, tokenOf(partner, 'A', { issuer: 'x'.repeat(1_100_000) })),
    415: partner.call('PUT', at, 'uid=A', { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  for (const [status, answer] of Object.entries(answers)) {
    const seen = await answer
    t.equal(String(seen.status), status)
    isEnvelope(t, seen, status)
    t.notOk('data' in seen.body, status)
  }
})
