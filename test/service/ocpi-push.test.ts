// What roaming partners are told by themselves (OCPI 2.2.1, push), at the built service, with charge points and partners on real sockets.

import { test } from 'tap'
import { cdrSchema } from '../../src/ocpi/schemas/cdr.js'
import { evseStatusPatchSchema, locationSchema } from '../../src/ocpi/schemas/location.js'
import { sessionPatchSchema, sessionSchema } from '../../src/ocpi/schemas/session.js'
import { tariffSchema } from '../../src/ocpi/schemas/tariff.js'
import { faultsOfSent } from '../../src/ocpi/validators.js'
import { inFullSuite } from '../runner/sample.js'
import { bootChargePoint, energyAt, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import {
  asPartner,
  credentialsOf,
  envelope,
  invitePartner,
  type OcpiPartnerStub,
  type PartnerRequest,
  party,
  sendJson,
  startPartner,
} from '../support/ocpi-partner.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { roamingFlags } from '../support/roaming-stage.js'
import { priceEnergyAt } from '../support/sell.js'
import { type Service, startService, type Teardowns } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const flags = roamingFlags
const laboratory = await sharedService(roamingFlags)
let [parties, partners] = [0, 0]

async function operatorOf(service: Service): Promise<Tenant & { readonly partyId: string }> {
  const tenant = await tenantOf(service)
  const partyId = `P${(++parties).toString().padStart(2, '0')}`
  await tenant.request('PUT', '/api/v1/ocpi/party', { ...party, party_id: partyId })
  return { ...tenant, partyId }
}

interface Partner extends OcpiPartnerStub {
  readonly id: string
  readonly partyId: string
  readonly call: ReturnType<typeof asPartner>
  /** What it was sent of a module by itself, oldest first. */
  sent(module: string): readonly PartnerRequest[]
}

async function partnerOf(t: Teardowns, tenant: Pick<Service, 'request'>, fields: object = {}): Promise<Partner> {
  const [stub, invited] = [await startPartner(t), await invitePartner(tenant, { ...fields })]
  const partyId = `E${(++partners).toString().padStart(2, '0')}`
  const role = { role: 'EMSP', country_code: 'NL', party_id: partyId, business_details: { name: 'Example Mobility' } }
  const credentials = credentialsOf(stub, `b-${invited.id}`, [role])
  const { body } = await asPartner(tenant, invited.token)('POST', '/ocpi/cpo/2.2.1/credentials', credentials)
  if (body.status_code !== 1000) throw new Error(`the partner was not registered: ${JSON.stringify(body)}`)
  return {
    ...stub,
    id: invited.id,
    partyId,
    call: asPartner(tenant, body.data.token),
    sent: (module) => stub.requests.filter(({ path }) => path.startsWith(`/${module}`)),
  }
}

const publish = (tenant: Tenant, id: string, fields: object = {}) =>
  tenant.request('PUT', `/api/v1/chargepoints/${id}/ocpi`, { publish: true, city: 'Utrecht', ...fields })
const status = (client: OcppClient, connectorId: number, state: string) =>
  client.call('StatusNotification', { connectorId, status: state, errorCode: 'NoError' })

/** The newest status of an EVSE that the partner knows of. */
function statusOf(partner: Partner, uid: string): string | undefined {
  const told = partner.sent('locations').flatMap(({ method, path, json }) => {
    if (method === 'PATCH') return path.endsWith(`/${uid}`) ? [json.status] : []
    return json.evses.filter((evse: { uid: string }) => evse.uid === uid).map((evse: { status: string }) => evse.status)
  })
  return told.at(-1)
}

test('ocpi push - a location is sent whole when it is published, and its statuses alone within two seconds', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const client = await bootChargePoint(tenant, 'PUSH-1', { connector_count: 2, max_power_kw: 11 })
  await publish(tenant, 'PUSH-1')
  const [whole] = await until(() => (partner.sent('locations').length > 0 ? partner.sent('locations') : undefined))
  t.equal(whole?.method, 'PUT')
  t.equal(whole?.path, `/locations/NL/${tenant.partyId}/PUSH-1`)
  t.same(faultsOfSent(locationSchema, whole?.json), [])
  t.match(whole?.headers, {
    authorization: `Token ${Buffer.from(`b-${partner.id}`).toString('base64')}`,
    'content-type': 'application/json',
    'ocpi-from-country-code': 'NL',
    'ocpi-from-party-id': tenant.partyId,
    'ocpi-to-country-code': 'NL',
    'ocpi-to-party-id': partner.partyId,
    'x-request-id': /.{36}/,
    'x-correlation-id': /.{36}/,
  })

  await status(client, 1, 'Available')
  await until(() => statusOf(partner, 'PUSH-1_1') === 'AVAILABLE')
  for (const [state, told] of [
    ['Charging', 'CHARGING'],
    ['Faulted', 'OUTOFORDER'],
    ['Available', 'AVAILABLE'],
  ] as const) {
    const since = performance.now()
    await status(client, 1, state)
    await until(() => statusOf(partner, 'PUSH-1_1') === told)
    t.ok(performance.now() - since < 2_000, `${told} after ${Math.round(performance.now() - since)} ms`)
  }
  const last = partner.sent('locations').at(-1)
  t.match(last, { method: 'PATCH', path: `/locations/NL/${tenant.partyId}/PUSH-1/PUSH-1_1` })
  t.same(faultsOfSent(evseStatusPatchSchema, last?.json), [])
  t.same(Object.keys(last?.json), ['status', 'last_updated'])
  await publish(tenant, 'PUSH-1', { postal_code: '3511 ED' })
  await until(() => partner.sent('locations').at(-1)?.json.postal_code === '3511 ED')
  client.close()
})

test('ocpi push - a partner sees what it may see, and nothing of other organizations', async (t) => {
  const [one, other] = [await operatorOf(laboratory), await operatorOf(laboratory)]
  const confined = await partnerOf(t, one, { location_ids: ['PUSH-3'] })
  const foreign = await partnerOf(t, other)
  for (const id of ['PUSH-2', 'PUSH-3']) {
    await one.register(id, { connector_count: 1 })
    await publish(one, id)
  }
  await until(() => confined.sent('locations').length > 0)
  await other.register('PUSH-4', { connector_count: 1 })
  await publish(other, 'PUSH-4')
  await until(() => foreign.sent('locations').length > 0)
  t.same([...new Set(confined.sent('locations').map(({ json }) => json.id))], ['PUSH-3'])
  t.same([...new Set(foreign.sent('locations').map(({ json }) => json.id))], ['PUSH-4'])
})

test('ocpi push - a partner that fails holds up no other, and what it has missed is told once when it is back', async (t) => {
  const tenant = await operatorOf(laboratory)
  const [failing, healthy] = [await partnerOf(t, tenant), await partnerOf(t, tenant)]
  const client = await bootChargePoint(tenant, 'PUSH-5', { connector_count: 1 })
  await publish(tenant, 'PUSH-5')
  await status(client, 1, 'Available')
  await until(() => statusOf(failing, 'PUSH-5_1') === 'AVAILABLE' && statusOf(healthy, 'PUSH-5_1') === 'AVAILABLE')
  failing.misbehave((_, response) => {
    response.destroy()
    return true
  })
  for (const [state, told] of [
    ['Charging', 'CHARGING'],
    ['Available', 'AVAILABLE'],
    ['Faulted', 'OUTOFORDER'],
  ] as const) {
    const since = performance.now()
    await status(client, 1, state)
    await until(() => statusOf(healthy, 'PUSH-5_1') === told)
    t.ok(performance.now() - since < 2_000, `${told} after ${Math.round(performance.now() - since)} ms`)
  }
  const before = failing.sent('locations').length
  failing.misbehave(undefined)
  await until(() => failing.sent('locations').length > before, 20_000)
  t.equal(statusOf(failing, 'PUSH-5_1'), 'OUTOFORDER')
  await status(client, 1, 'Available')
  await until(() => statusOf(failing, 'PUSH-5_1') === 'AVAILABLE')
  t.equal(failing.sent('locations').length, before + 2)
  client.close()
})

test(
  'ocpi push - what a partner was not told when the process is killed it is told by the next',
  inFullSuite,
  async (t) => {
    const first = await startService(t, { flags })
    const tenant = await operatorOf(first)
    const partner = await partnerOf(t, tenant)
    const client = await bootChargePoint(tenant, 'PUSH-6', { connector_count: 1 })
    await publish(tenant, 'PUSH-6')
    await status(client, 1, 'Available')
    await until(() => statusOf(partner, 'PUSH-6_1') === 'AVAILABLE')
    partner.misbehave((_, response) => {
      response.destroy()
      return true
    })
    const before = partner.sent('locations').length
    await status(client, 1, 'Faulted')
    await until(() => partner.sent('locations').length > before)
    await first.stop('SIGKILL')
    partner.misbehave(undefined)
    await startService(t, { data: first.data, flags })
    await until(() => statusOf(partner, 'PUSH-6_1') === 'OUTOFORDER', 20_000)
  },
)

test('ocpi push - a partner that has left is told nothing more', async (t) => {
  const tenant = await operatorOf(laboratory)
  const [leaving, staying] = [await partnerOf(t, tenant), await partnerOf(t, tenant)]
  await tenant.register('PUSH-7', { connector_count: 1 })
  await publish(tenant, 'PUSH-7')
  await until(() => leaving.sent('locations').length > 0 && staying.sent('locations').length > 0)
  await leaving.call('DELETE', '/ocpi/cpo/2.2.1/credentials')
  const before = leaving.sent('locations').length
  await publish(tenant, 'PUSH-7', { postal_code: '3511 ED' })
  await until(() => staying.sent('locations').at(-1)?.json.postal_code === '3511 ED')
  t.equal(leaving.sent('locations').length, before)
})

const token = (partner: Partner, uid: string) => ({
  country_code: 'NL',
  party_id: partner.partyId,
  uid,
  type: 'RFID',
  contract_id: `NL-${partner.partyId}-${uid}`,
  issuer: 'Example Mobility',
  valid: true,
  whitelist: 'ALWAYS',
  last_updated: '2026-01-01T10:00:00Z',
})

/** A driver of the partner is known at every charge point of the organization. */
async function sendToken(partner: Partner, uid: string): Promise<void> {
  const path = `/ocpi/cpo/2.2.1/tokens/NL/${partner.partyId}/${uid}?type=RFID`
  const { body } = await partner.call('PUT', path, token(partner, uid))
  if (body.status_code !== 1000) throw new Error(`the token was not taken: ${JSON.stringify(body)}`)
}

interface Charged {
  readonly transactionId: number
  readonly sessionId: string
}

async function start(
  tenant: Service,
  client: OcppClient,
  chargePointId: string,
  idTag: string,
  fields: object = {},
): Promise<Charged> {
  const { payload } = await client.call('StartTransaction', startRequest({ idTag, ...fields }))
  const { session_id: sessionId } = await sessionOf(tenant, chargePointId, payload.transactionId)
  return { transactionId: payload.transactionId, sessionId }
}

const stop = (client: OcppClient, { transactionId }: Charged, meterStop: number) =>
  client.call('StopTransaction', { transactionId, meterStop, timestamp: secondsAgo(0), reason: 'Local' })

const cdrsOf = (partner: Partner) => partner.sent('cdrs').filter(({ method }) => method === 'POST')

test("ocpi push - a session of a partner's driver is told to that partner alone, and its CDR is posted once", async (t) => {
  const tenant = await operatorOf(laboratory)
  const [partner, other] = [await partnerOf(t, tenant), await partnerOf(t, tenant)]
  const client = await bootChargePoint(tenant, 'PUSH-8', { connector_count: 1, max_power_kw: 22 })
  await priceEnergyAt(tenant, 'PUSH-8', 0.25)
  await publish(tenant, 'PUSH-8')
  // Its CDR says where it was at its start.
  await until(() => partner.sent('locations').some(({ json }) => json.city === 'Utrecht'))
  await sendToken(partner, 'DRIVER-8')
  partner.misbehave(({ method, path }, response) => {
    if (method !== 'POST' || path !== '/cdrs') return undefined
    response.setHeader('location', `${partner.url}/cdrs/kept-8`)
    return sendJson(response, 201, envelope(undefined))
  })

  const charged = await start(tenant, client, 'PUSH-8', 'DRIVER-8')
  const [begun] = await until(() => (partner.sent('sessions').length > 0 ? partner.sent('sessions') : undefined))
  t.match(begun, { method: 'PUT', path: `/sessions/NL/${tenant.partyId}/${charged.sessionId}` })
  t.same(faultsOfSent(sessionSchema, begun?.json), [])
  t.match(begun?.json, {
    status: 'ACTIVE',
    kwh: 0,
    auth_method: 'WHITELIST',
    cdr_token: { uid: 'DRIVER-8', contract_id: `NL-${partner.partyId}-DRIVER-8` },
    location_id: 'PUSH-8',
    evse_uid: 'PUSH-8_1',
  })
  const { transactionId } = charged
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue: [energyAt(secondsAgo(60), 11_000)] })
  const patch = await until(() => partner.sent('sessions').find(({ method }) => method === 'PATCH'))
  t.same(faultsOfSent(sessionPatchSchema, patch.json), [])
  t.match(patch.json, { kwh: 10, total_cost: { excl_vat: 2.5 } })

  await stop(client, charged, 21_000)
  const cdr = await until(() => cdrsOf(partner)[0])
  t.same(faultsOfSent(cdrSchema, withoutFlat(cdr.json)), [])
  t.match(cdr.json, {
    session_id: charged.sessionId,
    total_energy: 20,
    total_cost: { excl_vat: 5 },
    cdr_location: { id: 'PUSH-8', evse_uid: 'PUSH-8_1', city: 'Utrecht' },
    tariffs: [{ currency: 'EUR' }],
  })
  const last = partner.sent('sessions').at(-1)
  t.match(last, { method: 'PUT', json: { status: 'COMPLETED', kwh: 20, end_date_time: String } })
  t.same(faultsOfSent(sessionSchema, last?.json), [])
  t.equal(last?.json.total_cost.excl_vat, cdr.json.total_cost.excl_vat)

  const pulled = await until(async () => {
    const { body } = await partner.call('GET', '/ocpi/cpo/2.2.1/cdrs')
    return body.data?.length === 1 ? body.data[0] : undefined
  })
  t.same(pulled, cdr.json, 'the one that can be read is the one that was sent')

  const again = { timestamp: secondsAgo(30), meterStart: 21_000 }
  const later = await start(tenant, client, 'PUSH-8', 'DRIVER-8', again)
  await stop(client, later, 22_000)
  await until(() => cdrsOf(partner).length === 2)
  t.same(new Set(cdrsOf(partner).map(({ json }) => json.session_id)).size, 2, 'each once')
  t.equal(other.sent('sessions').length + other.sent('cdrs').length, 0)
  await until(() => [partner, other].every((one) => one.sent('tariffs').length > 0))
  t.same(faultsOfSent(tariffSchema, partner.sent('tariffs')[0]?.json), [])
  const { body: log } = await tenant.request('GET', `/api/v1/ocpi/partners/${partner.id}/exchanges`)
  t.ok(log.data.some((one: { module: string; direction: string }) => one.module === 'cdrs' && one.direction === 'out'))
  t.notMatch(JSON.stringify(log), `b-${partner.id}`)
  client.close()
})

test(
  'ocpi push - a CDR that is not taken is posted by the next process, and a correction follows it',
  inFullSuite,
  async (t) => {
    const first = await startService(t, { flags })
    const tenant = await operatorOf(first)
    const partner = await partnerOf(t, tenant)
    const client = await bootChargePoint(tenant, 'PUSH-9', { connector_count: 1, max_power_kw: 22 })
    await priceEnergyAt(tenant, 'PUSH-9', 0.25)
    await publish(tenant, 'PUSH-9')
    await sendToken(partner, 'DRIVER-9')
    partner.misbehave(({ path }, response) =>
      path === '/cdrs' ? sendJson(response, 503, { error: 'busy' }) : undefined,
    )
    const charged = await start(tenant, client, 'PUSH-9', 'DRIVER-9')
    await stop(client, charged, 21_000)
    await until(() => cdrsOf(partner).length > 0)
    await first.stop('SIGKILL')
    const before = cdrsOf(partner).length
    partner.misbehave(undefined)
    const second = await startService(t, { data: first.data, key: tenant.key, flags })
    await until(() => cdrsOf(partner).length > before)
    t.match(cdrsOf(partner).at(-1)?.json, { id: charged.sessionId, total_cost: { excl_vat: 5 } })

    const late = await connectOcpp(`${second.ocppUrl}/PUSH-9`)
    await late.boot()
    const lost = await start({ ...second }, late, 'PUSH-9', 'DRIVER-9', {
      timestamp: secondsAgo(900),
      meterStart: 21_000,
    })
    await start({ ...second }, late, 'PUSH-9', 'DRIVER-9', { timestamp: secondsAgo(60), meterStart: 25_000 })
    const ofLost = () => cdrsOf(partner).filter(({ json }) => json.session_id === lost.sessionId)
    const estimated = await until(() => ofLost()[0])
    t.match(estimated.json.remark, /estimated/)
    await late.call('StopTransaction', {
      transactionId: lost.transactionId,
      meterStop: 23_000,
      timestamp: secondsAgo(300),
    })
    await until(() => ofLost().length === 3)
    const [one, credit, other] = ofLost().map(({ json }) => json)
    t.match(credit, { id: `${one.id}-C`, credit: true, credit_reference_id: one.id })
    t.equal(credit.total_cost.excl_vat, -one.total_cost.excl_vat)
    t.match(other, { id: `${one.id}-2`, total_energy: 2, total_cost: { excl_vat: 0.5 } })
    client.close()
    late.close()
  },
)

/** The interface has three fields more than the standard. */
function withoutFlat({ location_id: _, evse_uid: __, connector_id: ___, ...cdr }: Record<string, unknown>): object {
  return cdr
}
