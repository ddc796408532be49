// The status codes of OCPI 2.2.1 (5), each where the service answers with it, or is answered with it. Codes of the handshake: ocpi-handshake-rules.

import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { ocpiLocationObjectsTable } from '../../src/records/ocpi-location.js'
import { ocpiPartnersTable } from '../../src/records/ocpi-partner.js'
import { ocpiPartiesTable } from '../../src/records/ocpi-party.js'
import { unowned } from '../../src/runtime/store/store.js'
import { bootChargePoint } from '../support/charge-point.js'
import { asPartner, envelope, sendJson } from '../support/ocpi-partner.js'
import { partnerRow, partyRow } from '../support/roaming-rows.js'
import {
  authorize,
  modules,
  operatorOf,
  partnerOf,
  publishedChargePoint,
  roamingFlags,
  sendToken,
  setStatus,
  tokenOf,
  toldStatus,
} from '../support/roaming-stage.js'
import { type Service, startService } from '../support/service.js'
import { setUpStore } from '../support/set-up-store.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const laboratory = await sharedService(roamingFlags)
const tokens = `${modules}/tokens`
const commands = `${modules}/commands`

const stage = async (t: Test) => {
  const tenant = await operatorOf(laboratory)
  return { tenant, partner: await partnerOf(t, tenant) }
}

test('OCPI 1.2 - 1000: success says so, with data where there is any, and when', async (t) => {
  const { partner } = await stage(t)
  const read = await partner.call('GET', `${modules}/locations`)
  t.match(read.body, { status_code: 1000, status_message: 'Success', data: [] })
  const at = Date.parse(read.body.timestamp)
  t.ok(Math.abs(Date.now() - at) < 60_000)
  const written = await partner.call('PUT', `${tokens}/NL/${partner.partyId}/A`, tokenOf(partner, 'A'))
  t.match(written.body, { status_code: 1000, timestamp: /Z$/ })
  t.notOk('data' in written.body)
})

test('OCPI 1.2 - 2000: what the caller can mend and no other code says', async (t) => {
  const { partner } = await stage(t)
  const answers = [
    await asPartner(laboratory, 'nobody')('GET', `${modules}/locations`),
    await partner.call('DELETE', `${modules}/locations`),
    await partner.call('GET', `${modules}/locations/NONE`),
    await partner.call('POST', `${commands}/MAKE_COFFEE`, {}),
  ]
  for (const { body } of answers) t.match(body, { status_code: 2000, status_message: /./, timestamp: /Z$/ })
})

test('OCPI 1.2 - 2001: a parameter or a field that is wrong or missing is named', async (t) => {
  const { partner } = await stage(t)
  const wrong: readonly (readonly [string, Promise<{ readonly body: object }>])[] = [
    ['limit', partner.call('GET', `${modules}/sessions?limit=0`)],
    ['date_from', partner.call('GET', `${modules}/cdrs?date_from=yesterday`)],
    ['last_updated', partner.call('PATCH', `${tokens}/NL/${partner.partyId}/A`, { valid: false })],
    ['whitelist', partner.call('PUT', `${tokens}/NL/${partner.partyId}/A`, tokenOf(partner, 'A', { whitelist: 'NO' }))],
    ['uid', partner.call('PUT', `${tokens}/NL/${partner.partyId}/B`, tokenOf(partner, 'A'))],
    ['session_id', partner.call('POST', `${commands}/STOP_SESSION`, { response_url: partner.url })],
  ]
  for (const [name, answer] of wrong)
    t.match(await answer, { status: 200, body: { status_code: 2001, status_message: new RegExp(name) } }, name)
})

test('OCPI 1.2 - 2002: a place that is named in part is not guessed', async (t) => {
  const { tenant, partner } = await stage(t)
  await sendToken(partner, 'A')
  const evsesOnly = await partner.call('POST', `${tokens}/A/authorize`, { evse_uids: ['CODE-1_1'] })
  t.match(evsesOnly, { status: 200, body: { status_code: 2002, status_message: /location_id/ } })
  t.notOk('data' in evsesOnly.body)

  const client = await publishedChargePoint(tenant, partner, 'CODE-1')
  const start = (fields: object) =>
    partner.call('POST', `${commands}/START_SESSION`, {
      response_url: `${partner.url}/r`,
      token: tokenOf(partner, 'A'),
      location_id: 'CODE-1',
      ...fields,
    })
  const second = await start({ connector_id: '2' })
  t.match(second.body, { status_code: 1000, data: { result: 'ACCEPTED' } }, 'one EVSE alone has such a connector')
  t.match(await client.answerNext({ status: 'Rejected' }), [2, String, String, { connectorId: 2 }])

  const place = { name: 'Quay', address: 'Quay 1', max_grid_power_kw: 100, latitude: 53.5, longitude: 9.9 }
  const { site_id } = (await tenant.request('POST', '/api/v1/sites', place)).body
  for (const id of ['CODE-2', 'CODE-3']) {
    await tenant.register(id, { connector_count: 1 })
    await tenant.request('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`)
  }
  await tenant.request('PUT', `/api/v1/sites/${site_id}/ocpi`, { publish: true, city: 'Hamburg' })
  await until(async () => (await partner.call('GET', `${modules}/locations/${site_id}`)).body.data?.evses.length === 2)
  const ambiguous = await start({ location_id: site_id, connector_id: '1' })
  t.match(ambiguous, { status: 200, body: { status_code: 2002, status_message: /evse_uid/ } })
  client.close()
})

test('OCPI 1.2 - 2003: a location, EVSE or connector that is not there, in every command that names one', async (t) => {
  const { tenant, partner } = await stage(t)
  const client = await publishedChargePoint(tenant, partner, 'CODE-4')
  const known = { location_id: 'CODE-4', evse_uid: 'CODE-4_1', connector_id: '1' }
  const expiry_date = new Date(Date.now() + 600_000).toISOString()
  const bodies = {
    START_SESSION: { token: tokenOf(partner, 'A'), ...known },
    RESERVE_NOW: { token: tokenOf(partner, 'A'), reservation_id: '1', expiry_date, ...known, connector_id: undefined },
    UNLOCK_CONNECTOR: known,
  }
  for (const [command, body] of Object.entries(bodies))
    for (const [field, value] of [
      ['location_id', 'ELSEWHERE'],
      ['evse_uid', 'CODE-4_9'],
      ['connector_id', '2'],
    ] as const) {
      if (body[field] === undefined) continue
      const sent = { response_url: `${partner.url}/never`, ...body, [field]: value }
      const answer = await partner.call('POST', `${commands}/${command}`, sent)
      t.match(answer, { status: 200, body: { status_code: 2003 } }, `${command} ${field}`)
    }
  t.equal(partner.sent('never').length, 0)
  client.close()
})

test('OCPI 1.2 - 2004: a token that is not known', async (t) => {
  const { partner } = await stage(t)
  const at = `${tokens}/NL/${partner.partyId}/NONE`
  const patch = { valid: false, last_updated: '2026-01-03T00:00:00Z' }
  for (const answer of [
    await partner.call('GET', at),
    await partner.call('PATCH', at, patch),
    await partner.call('POST', `${tokens}/NONE/authorize`),
  ])
    t.match(answer, { status: 404, body: { status_code: 2004 } })
})

/** A service whose store holds a location that no code of this version has written, and that takes few requests of strangers. */
async function brokenService(
  t: Test,
): Promise<{ readonly service: Service; readonly call: ReturnType<typeof asPartner> }> {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(() => rmSync(data, { recursive: true, force: true }))
  const key = `test-${randomBytes(24).toString('hex')}`
  const { store, organizationId } = await setUpStore(data, key)
  const sha256 = createHash('sha256').update('token-c').digest('hex')
  const object = { evses: 'none' }
  const rows = [
    putRow(ocpiPartiesTable, partyRow(organizationId)),
    putRow(ocpiPartnersTable, partnerRow(organizationId, { inbound_tokens: [{ sha256, used: true }] })),
    putRow(ocpiLocationObjectsTable, { organization_id: organizationId, location_id: 'ODD', object, outlets: [] }),
  ]
  const written = await store.commit(unowned(rows))
  if (!written.ok) throw new Error(written.reason)
  await store.close()
  const flags = ['--requests-per-second', '1', '--request-burst', '20']
  const service = await startService(t, { data, key, flags })
  return { service, call: asPartner(service, 'token-c') }
}

test('OCPI 1.2 - 3000: a defect of the service, under HTTP 200, since the request has reached OCPI', async (t) => {
  const { service, call } = await brokenService(t)
  const answer = await call('GET', `${modules}/locations/ODD/E1`)
  t.match(answer, { status: 200, body: { status_code: 3000, status_message: /failed/, timestamp: /Z$/ } })
  t.notOk('data' in answer.body)
  t.match(service.output(), /a request failed/, 'the log says which')
  t.equal((await call('GET', `${modules}/locations`)).body.status_code, 1000)

  // What follows is of the same service: a start costs a second.
  await t.test('OCPI 1.3 - 429 has the envelope, and says when to come again', async (t) => {
    const stranger = asPartner(service, 'nobody')
    const answers = []
    for (let count = 0; count < 25; count++) answers.push(await stranger('GET', `${modules}/locations`))
    t.equal(answers[0]?.status, 401)
    const refused = answers.find(({ status }) => status === 429)
    t.match(refused?.body, { status_code: 2000, status_message: /too many requests/, timestamp: /Z$/ })
    t.match(refused?.headers.get('retry-after'), /^\d+$/)
    t.match(refused?.headers.get('content-type'), /^application\/json/)
    t.equal((await call('GET', `${modules}/locations`)).status, 200, 'a partner is not counted with strangers')
  })
})

test('OCPI 1.2 - 4000, 4001, 4002 and 4003: what a hub says of itself is no answer of the partner behind it', async (t) => {
  const tenant = await operatorOf(laboratory)
  await tenant.request('PUT', `/api/v1/organizations/${tenant.id}/settings`, { unknown_id_tags: 'reject' })
  for (const [code, httpStatus] of [
    [4000, 200],
    [4001, 200],
    [4001, 404],
    [4002, 200],
    [4003, 200],
  ] as const) {
    const partner = await partnerOf(t, tenant, { roles: ['HUB'] })
    const name = `${code} under HTTP ${httpStatus}`
    const id = `CODE-${code}-${httpStatus}`
    await sendToken(partner, `${id}-OFF`, { whitelist: 'ALLOWED_OFFLINE' })
    await sendToken(partner, `${id}-NEV`, { whitelist: 'NEVER' })
    const client = await bootChargePoint(tenant, id)
    partner.misbehave((_, response) => sendJson(response, httpStatus, envelope(undefined, code)))
    t.equal(await authorize(client, `${id}-OFF`), 'Accepted', `${name}: what was sent holds`)
    t.equal(await authorize(client, `${id}-NEV`), 'Invalid', `${name}: nobody has allowed it`)
    t.equal(partner.sent('tokens/CODE').length, 2, `${name}: it was asked`)
    partner.misbehave(undefined)
    await client.close()
  }
  const partner = await partnerOf(t, tenant)
  const client = await publishedChargePoint(tenant, partner, 'CODE-5')
  await until(() => partner.sent('locations').some(({ json }) => json.city === 'Utrecht'))
  partner.misbehave((_, response) => sendJson(response, 200, envelope(undefined, 4003)))
  const faulted = () => partner.sent('locations').filter(({ json }) => JSON.stringify(json).includes('OUTOFORDER'))
  await setStatus(client, 1, 'Faulted')
  await until(() => faulted().length > 0)
  partner.misbehave(undefined)
  await until(() => faulted().length > 1)
  t.equal(toldStatus(partner, 'CODE-5_1'), 'OUTOFORDER', 'what a hub could not hand on is sent again')
  await client.close()
})
