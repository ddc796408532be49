// Partners that answer what nobody expects, and lives of theirs that cross: at the built service, with partners and charge points on real sockets.
// What interrupts a handshake is in ocpi-handshake.

import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { ocpiPartnersTable } from '../../src/records/ocpi-partner.js'
import { ocpiPartiesTable } from '../../src/records/ocpi-party.js'
import { unowned } from '../../src/runtime/store/store.js'
import { secondsAgo } from '../support/charge-point.js'
import {
  asPartner,
  credentialsOf,
  envelope,
  invitePartner,
  type Misbehaviour,
  type OcpiPartnerStub,
  sendJson,
  startPartner,
} from '../support/ocpi-partner.js'
import { partnerRow, partyRow } from '../support/roaming-rows.js'
import {
  authorize,
  emspRole,
  modules,
  nextPartyId,
  operatorOf,
  type Partner,
  partnerOf,
  publishedChargePoint,
  roamingFlags,
  sendToken,
  setStatus,
  startCharge,
  stopCharge,
  tokenOf,
  toldStatus,
} from '../support/roaming-stage.js'
import { priceEnergyAt } from '../support/sell.js'
import { startService } from '../support/service.js'
import { setUpStore } from '../support/set-up-store.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const laboratory = await sharedService(roamingFlags)

/** Answers that are none. Of those that lead elsewhere, nothing may follow them there. */
const oddAnswers: Readonly<Record<string, (elsewhere: OcpiPartnerStub) => Misbehaviour>> = {
  HTML: () => (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Welcome</title>')
    return true
  },
  'a redirect':
    ({ url }) =>
    ({ path }, response) => {
      response.writeHead(307, { location: `${url}${path}` }).end()
      return true
    },
  'status code 3000': () => (_, response) => sendJson(response, 200, envelope({ allowed: 'ALLOWED' }, 3000)),
  nothing: () => (_, response) => {
    response.writeHead(204).end()
    return true
  },
}

test('ocpi odd partners - one that answers with HTML, a redirect, status code 3000 or nothing has allowed and taken nothing, until it does', async (t) => {
  // Each waits for the service to try again, as long as the others do.
  await Promise.all(Object.entries(oddAnswers).map(([name, answering]) => answersOddly(t, name, answering)))
})

async function answersOddly(t: Test, name: string, answering: (elsewhere: OcpiPartnerStub) => Misbehaviour) {
  const tenant = await operatorOf(laboratory)
  const [partner, elsewhere] = [await partnerOf(t, tenant), await startPartner(t)]
  const id = `ODD-${nextPartyId('N')}`
  const client = await publishedChargePoint(tenant, partner, id)
  await priceEnergyAt(tenant, id, 0.25)
  await sendToken(partner, `${id}-NEV`, { whitelist: 'NEVER' })
  await sendToken(partner, `${id}-ALW`)
  await until(() => partner.sent('locations').length > 0)
  partner.misbehave(answering(elsewhere))
  t.equal(await authorize(client, `${id}-NEV`), 'Invalid', `${name}: nobody has allowed it`)
  await setStatus(client, 1, 'Faulted')
  await until(() => toldStatus(partner, `${id}_1`) === 'OUTOFORDER')
  const charged = await startCharge(tenant, client, id, { idTag: `${id}-ALW`, meterStart: 0, connectorId: 2 })
  await stopCharge(client, charged, 10_000)
  await until(() => partner.sent('sessions').length + partner.sent('cdrs').length > 0)

  const before = partner.requests.length
  partner.misbehave(undefined)
  const since = (module: string) => partner.requests.slice(before).filter(({ path }) => path.startsWith(`/${module}`))
  await until(() => since('cdrs').length > 0 && since('locations').length > 0)
  t.match(since('cdrs')[0]?.json, { session_id: charged.sessionId, total_cost: { excl_vat: 2.5 } }, name)
  t.equal(toldStatus({ sent: since }, `${id}_1`), 'OUTOFORDER', name)
  t.equal(since('cdrs').length, 1, `${name}: it is billed once`)
  t.equal(elsewhere.requests.length, 0, `${name}: nobody else is asked`)
  await client.close()
}

test('ocpi odd partners - one that takes half a minute to answer does not register, and holds up no other', async (t) => {
  const tenant = await operatorOf(laboratory)
  const [stub, other] = [await startPartner(t), await startPartner(t)]
  stub.misbehave(({ path }, response) => {
    if (path !== '/versions') return undefined
    const timer = setTimeout(() => sendJson(response, 200, envelope([])), 30_000)
    response.on('close', () => clearTimeout(timer))
    return true
  })
  const join = async (partner: OcpiPartnerStub) => {
    const { token } = await invitePartner(tenant)
    const sent = credentialsOf(partner, 'token-b', [emspRole(nextPartyId('E'))])
    return asPartner(tenant, token)('POST', `${modules}/credentials`, sent)
  }
  const at = performance.now()
  const slow = join(stub)
  await until(() => stub.requests.length > 0)
  t.equal((await join(other)).body.status_code, 1000)
  t.ok(performance.now() - at < 8_000, 'the other has not waited for it')
  t.match((await slow).body, { status_code: 3001, status_message: /./ })
  t.ok(performance.now() - at < 20_000)
})

test('ocpi odd partners - what a partner answers with of another party counts for nothing', async (t) => {
  const tenant = await operatorOf(laboratory)
  const [partner, other] = [await partnerOf(t, tenant), await partnerOf(t, tenant)]
  const client = await publishedChargePoint(tenant, partner, 'ODD-2')
  await sendToken(partner, 'ODD-2', { whitelist: 'NEVER' })
  const data = { allowed: 'ALLOWED', token: tokenOf(other, 'ODD-2', { contract_id: 'STOLEN' }) }
  partner.misbehave(({ path }, response) =>
    path.startsWith('/tokens/') ? sendJson(response, 200, envelope(data)) : undefined,
  )
  t.equal(await authorize(client, 'ODD-2'), 'Accepted', 'the driver is its own')
  const { sessionId } = await startCharge(tenant, client, 'ODD-2', { idTag: 'ODD-2', timestamp: secondsAgo(1) })
  const { json } = await until(() => partner.sent('sessions')[0])
  t.match(json, { id: sessionId, cdr_token: { party_id: partner.partyId, uid: 'ODD-2' } })
  t.equal(other.sent('sessions').length, 0)
  const sessionsOf = async ({ call }: Partner) => (await call('GET', `${modules}/sessions`)).body.data
  t.match(await sessionsOf(partner), [{ id: sessionId }])
  t.same(await sessionsOf(other), [])

  const commands = `${modules}/commands`
  const stop = { response_url: `${other.url}/r`, session_id: sessionId }
  t.equal((await other.call('POST', `${commands}/STOP_SESSION`, stop)).body.data.result, 'REJECTED')
  const expiry_date = new Date(Date.now() + 600_000).toISOString()
  const reserving = { token: tokenOf(partner, 'ODD-2'), expiry_date, reservation_id: 'R', location_id: 'ODD-2' }
  const reserve = { response_url: `${partner.url}/r`, ...reserving, evse_uid: 'ODD-2_2' }
  const foreign = await other.call('POST', `${commands}/RESERVE_NOW`, { ...reserve, response_url: `${other.url}/r` })
  t.equal(foreign.body.data.result, 'REJECTED', 'a driver of another')
  t.equal((await partner.call('POST', `${commands}/RESERVE_NOW`, reserve)).body.data.result, 'ACCEPTED')
  await client.answerNext({ status: 'Accepted' })
  await until(() => partner.sent('r').length > 0)
  const cancel = { response_url: `${other.url}/r`, reservation_id: 'R' }
  t.equal((await other.call('POST', `${commands}/CANCEL_RESERVATION`, cancel)).body.data.result, 'REJECTED')
  t.equal(other.sent('r').length, 0)
  await client.close()
})

test('ocpi odd partners - a driver whom two partners know is charged by the one who sent the token first', async (t) => {
  const tenant = await operatorOf(laboratory)
  const [first, second] = [await partnerOf(t, tenant), await partnerOf(t, tenant)]
  const client = await publishedChargePoint(tenant, first, 'ODD-3')
  await priceEnergyAt(tenant, 'ODD-3', 0.25)
  for (const partner of [first, second]) await sendToken(partner, 'ODD-3')
  const charged = await startCharge(tenant, client, 'ODD-3', { idTag: 'ODD-3', meterStart: 0 })
  await stopCharge(client, charged, 10_000)
  await until(() => first.sent('cdrs').length > 0)
  t.match(first.sent('cdrs')[0]?.json, { cdr_token: { party_id: first.partyId } })
  await sendToken(first, 'ODD-3', { valid: false, last_updated: '2026-02-01T10:00:00Z' })
  const again = await startCharge(tenant, client, 'ODD-3', { idTag: 'ODD-3', meterStart: 0, timestamp: secondsAgo(9) })
  await stopCharge(client, again, 10_000)
  await until(() => second.sent('cdrs').length > 0)
  t.match(second.sent('cdrs')[0]?.json, { session_id: again.sessionId, cdr_token: { party_id: second.partyId } })
  t.equal(first.sent('cdrs').length, 1, 'neither is charged twice')
  await client.close()
})

test('ocpi odd partners - a partner that is deleted while its driver charges: the charge ends, and is nobody else’s', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const client = await publishedChargePoint(tenant, partner, 'ODD-4')
  await priceEnergyAt(tenant, 'ODD-4', 0.25)
  await sendToken(partner, 'ODD-4')
  const charged = await startCharge(tenant, client, 'ODD-4', { idTag: 'ODD-4', meterStart: 0 })
  await until(() => partner.sent('sessions').length > 0)
  t.equal((await tenant.request('DELETE', `/api/v1/ocpi/partners/${partner.id}`)).status, 204)
  const before = partner.requests.length
  const next = await partnerOf(t, tenant, { partyId: partner.partyId })
  await sendToken(next, 'ODD-4')
  const stopped = await client.call('StopTransaction', {
    transactionId: charged.transactionId,
    idTag: 'ODD-4',
    meterStop: 10_000,
    timestamp: secondsAgo(0),
  })
  t.match(stopped.payload, { idTagInfo: { status: 'Accepted' } })
  const { body } = await tenant.request('GET', `/api/v1/sessions/${charged.sessionId}`)
  t.match(body, { status: 'completed', cost: 2.5, energy_kwh: 10 })

  const later = await startCharge(tenant, client, 'ODD-4', { idTag: 'ODD-4', meterStart: 0, timestamp: secondsAgo(1) })
  await stopCharge(client, later, 4_000)
  await until(() => next.sent('cdrs').length > 0)
  t.same(
    next.sent('cdrs').map(({ json }) => json.session_id),
    [later.sessionId],
  )
  const listed = (await next.call('GET', `${modules}/sessions`)).body.data
  t.same(
    listed.map(({ id }: { id: string }) => id),
    [later.sessionId],
    'what was is not handed on with the name',
  )
  t.equal(partner.requests.length, before, 'who has gone is sent nothing')
  await client.close()
})

/** A service that calls nobody in its own network, with a partner that registered before it was so. */
async function guardedService(t: Test) {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(() => rmSync(data, { recursive: true, force: true }))
  const key = `test-${randomBytes(24).toString('hex')}`
  const { store, organizationId } = await setUpStore(data, key)
  const sha256 = createHash('sha256').update('token-c').digest('hex')
  const partner = partnerRow(organizationId, { inbound_tokens: [{ sha256, used: true }] })
  const rows = [putRow(ocpiPartiesTable, partyRow(organizationId)), putRow(ocpiPartnersTable, partner)]
  const written = await store.commit(unowned(rows))
  if (!written.ok) throw new Error(written.reason)
  await store.close()
  const service = await startService(t, { data, key })
  return { service, call: asPartner(service, 'token-c'), partnerId: partner.partner_id }
}

test('ocpi odd partners - addresses inside the network of the service are called by nobody', async (t) => {
  const { service, call, partnerId } = await guardedService(t)
  const stub = await startPartner(t)
  const { token, id } = await invitePartner(service)
  for (const url of [
    stub.versionsUrl,
    stub.versionsUrl.replace('127.0.0.1', 'localhost'),
    'https://169.254.169.254/v',
  ]) {
    const sent = { ...credentialsOf(stub, 'token-b', [emspRole('ODD')]), url }
    const { body } = await asPartner(service, token)('POST', `${modules}/credentials`, sent)
    t.match(body, { status_code: 3001, status_message: /./ }, url)
  }
  const there = { versions_url: stub.versionsUrl, token: 'x' }
  t.equal((await service.request('POST', `/api/v1/ocpi/partners/${id}/register`, there)).status, 422)

  const client = await publishedChargePoint({ ...service, id: '', key: '' }, { call }, 'ODD-5')
  const driver = { uid: 'ODD-5', type: 'APP_USER', contract_id: 'NL-EMP-ODD' }
  const start = { response_url: `${stub.url}/result`, token: driver, location_id: 'ODD-5', evse_uid: 'ODD-5_1' }
  await call('POST', `${modules}/commands/START_SESSION`, start)
  await client.answerNext({ status: 'Accepted' })
  const failed = await until(async () => {
    const { body } = await service.request('GET', `/api/v1/ocpi/partners/${partnerId}/exchanges`)
    return body.data.find(
      ({ direction, module }: Record<string, string>) => direction === 'out' && module === 'commands',
    )
  })
  t.match(failed, { error: /./ })
  t.equal(stub.requests.length, 0)
  await client.close()
})
