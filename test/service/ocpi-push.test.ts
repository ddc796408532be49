// What roaming partners are told by themselves (OCPI 2.2.1, push), at the built service, with charge points and partners on real sockets.

import { t, test } from 'tap'
import { evseStatusPatchSchema, locationSchema } from '../../src/ocpi/schemas/location.js'
import { faultsOfSent } from '../../src/ocpi/validators.js'
import { bootChargePoint } from '../support/charge-point.js'
import {
  asPartner,
  credentialsOf,
  invitePartner,
  type OcpiPartnerStub,
  type PartnerRequest,
  party,
  startPartner,
} from '../support/ocpi-partner.js'
import type { OcppClient } from '../support/ocpp-client.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { type Service, startService, type Teardowns } from '../support/service.js'
import { until } from '../support/until.js'

const flags = ['--allow-insecure-webhooks', 'true']
const laboratory = await startService(t, { flags })
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

test('ocpi push - what a partner was not told when the process is killed it is told by the next', async (t) => {
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
})

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
