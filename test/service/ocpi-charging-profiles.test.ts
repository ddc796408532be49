// Charging profiles of roaming partners (OCPI 2.2.1, 14): what is answered at once, what the charge point is sent, what a site makes of them, and
// what the partner is told.

import { test } from 'tap'
import {
  activeChargingProfileResultSchema,
  activeChargingProfileSchema,
  chargingProfileResponseSchema,
} from '../../src/ocpi/schemas/charging-profile.js'
import { faultsOfSent } from '../../src/ocpi/validators.js'
import { bootChargePoint, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import { type LimitedBox, limitedBox } from '../support/limited-box.js'
import {
  asPartner,
  credentialsOf,
  invitePartner,
  type OcpiPartnerStub,
  party,
  startPartner,
} from '../support/ocpi-partner.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { roamingFlags } from '../support/roaming-stage.js'
import { type Service, startService, type Teardowns } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const flags = roamingFlags
const laboratory = await sharedService(roamingFlags)
const path = '/ocpi/cpo/2.2.1/chargingprofiles'
let organizations = 0

interface Partner extends OcpiPartnerStub {
  readonly id: string
  readonly token: string
  readonly call: ReturnType<typeof asPartner>
  /** The result that was posted there. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
  resultAt(at: string): Promise<any>
  /** What it was told by itself, the oldest first. */
  told(sessionId: string): OcpiPartnerStub['requests']
}

async function operatorOf(service: Service): Promise<Tenant> {
  const tenant = await tenantOf(service)
  const party_id = `P${(++organizations).toString().padStart(2, '0')}`
  await tenant.request('PUT', '/api/v1/ocpi/party', { ...party, party_id })
  return tenant
}

async function partnerOf(t: Teardowns, tenant: Tenant, party_id = 'EMP', fields: object = {}): Promise<Partner> {
  const [stub, invited] = [await startPartner(t), await invitePartner(tenant, { ...fields })]
  const role = { role: 'EMSP', country_code: 'NL', party_id, business_details: { name: party_id } }
  const credentials = credentialsOf(stub, `b-${invited.id}`, [role])
  const { body } = await asPartner(tenant, invited.token)('POST', '/ocpi/cpo/2.2.1/credentials', credentials)
  if (body.status_code !== 1000) throw new Error(`the partner was not registered: ${JSON.stringify(body)}`)
  return {
    ...stub,
    id: invited.id,
    token: body.data.token,
    call: asPartner(tenant, body.data.token),
    resultAt: (at) => until(() => stub.requests.find((one) => one.path === at)?.json),
    told: (sessionId) =>
      stub.requests.filter((one) => one.method === 'PUT' && one.path === `/chargingprofiles/${sessionId}`),
  }
}

/** Drivers with this id tag are the partner's. */
async function sendToken({ call }: Partner, uid: string, party_id = 'EMP'): Promise<void> {
  const { body } = await call('PUT', `/ocpi/cpo/2.2.1/tokens/NL/${party_id}/${uid}?type=RFID`, {
    country_code: 'NL',
    party_id,
    uid,
    type: 'RFID',
    contract_id: `NL-${party_id}-${uid}`,
    issuer: party_id,
    valid: true,
    whitelist: 'ALWAYS',
    last_updated: '2026-01-01T10:00:00Z',
  })
  if (body.status_code !== 1000) throw new Error(`the token was not taken: ${JSON.stringify(body)}`)
}

interface Charge {
  readonly transactionId: number
  readonly sessionId: string
}

async function start(tenant: Tenant, client: OcppClient, id: string, fields: object = {}): Promise<Charge> {
  const { payload } = await client.call('StartTransaction', startRequest({ idTag: 'DRIVER', ...fields }))
  const { session_id: sessionId } = await sessionOf(tenant, id, payload.transactionId)
  return { transactionId: payload.transactionId, sessionId }
}

const periods = (...limits: readonly (readonly [number, number])[]) =>
  limits.map(([start_period, limit]) => ({ start_period, limit }))
const amperes = (limit: number) => ({ charging_rate_unit: 'A', charging_profile_period: periods([0, limit]) })

const put = ({ call, url }: Partner, sessionId: string, profile: object, at: string) =>
  call('PUT', `${path}/${sessionId}`, { charging_profile: profile, response_url: `${url}${at}` })
const remove = ({ call, url }: Partner, sessionId: string, at: string) =>
  call('DELETE', `${path}/${sessionId}?response_url=${encodeURIComponent(`${url}${at}`)}`)
const get = ({ call, url }: Partner, sessionId: string, duration: number, at: string) =>
  call('GET', `${path}/${sessionId}?duration=${duration}&response_url=${encodeURIComponent(`${url}${at}`)}`)

test('ocpi charging profiles - without a site, the charge point is sent a profile for the transaction, asked, and has it cleared', async (t) => {
  const tenant = await operatorOf(laboratory)
  const partner = await partnerOf(t, tenant)
  const client = await bootChargePoint(tenant, 'PROFILE-1', { connector_count: 2 })
  await sendToken(partner, 'DRIVER')
  const { sessionId, transactionId } = await start(tenant, client, 'PROFILE-1', { connectorId: 2 })
  const profile = {
    duration: 7200,
    charging_rate_unit: 'W',
    min_charging_rate: 1400.5,
    charging_profile_period: periods([0, 11_000], [3600, 4_200.5]),
  }
  const taken = await put(partner, sessionId, profile, '/put-1')
  t.match([taken.status, taken.body], [200, { status_code: 1000, data: { result: 'ACCEPTED', timeout: 30 } }])
  t.same(faultsOfSent(chargingProfileResponseSchema, taken.body.data), [])
  const [, , action, payload] = (await client.answerNext({ status: 'Accepted' })) as [number, string, string, object]
  t.equal(action, 'SetChargingProfile')
  t.same(payload, {
    connectorId: 2,
    csChargingProfiles: {
      chargingProfileId: 3002,
      transactionId,
      stackLevel: 0,
      chargingProfilePurpose: 'TxProfile',
      chargingProfileKind: 'Relative',
      chargingSchedule: {
        duration: 7200,
        chargingRateUnit: 'W',
        chargingSchedulePeriod: [
          { startPeriod: 0, limit: 11_000 },
          { startPeriod: 3600, limit: 4_200.5 },
        ],
        minChargingRate: 1400.5,
      },
    },
  })
  t.same(await partner.resultAt('/put-1'), { result: 'ACCEPTED' })
  const posted = partner.requests.find((one) => one.path === '/put-1')
  t.match(posted, { method: 'POST', headers: { 'ocpi-to-party-id': 'EMP' } })

  await put(partner, sessionId, { ...amperes(16), start_date_time: '2026-01-20T10:00:00Z' }, '/put-2')
  t.match(await client.answerNext({ status: 'Rejected' }), [
    2,
    String,
    'SetChargingProfile',
    {
      csChargingProfiles: {
        chargingProfileId: 3002,
        chargingProfileKind: 'Absolute',
        chargingSchedule: { startSchedule: '2026-01-20T10:00:00Z', chargingRateUnit: 'A' },
      },
    },
  ])
  t.same(await partner.resultAt('/put-2'), { result: 'REJECTED' })

  t.equal((await get(partner, sessionId, 1800, '/get-1')).body.data.result, 'ACCEPTED')
  const schedule = {
    status: 'Accepted',
    connectorId: 2,
    scheduleStart: '2026-01-20T10:00:00Z',
    chargingSchedule: {
      duration: 1800,
      chargingRateUnit: 'W',
      chargingSchedulePeriod: [{ startPeriod: 0, limit: 11_000, numberPhases: 3 }],
    },
  }
  t.match(await client.answerNext(schedule), [2, String, 'GetCompositeSchedule', { connectorId: 2, duration: 1800 }])
  const active = await partner.resultAt('/get-1')
  t.same(faultsOfSent(activeChargingProfileResultSchema, active), [])
  t.match(active, {
    result: 'ACCEPTED',
    profile: {
      start_date_time: '2026-01-20T10:00:00.000Z',
      charging_profile: {
        duration: 1800,
        charging_rate_unit: 'W',
        charging_profile_period: periods([0, 11_000]),
      },
    },
  })
  await get(partner, sessionId, 60, '/get-2')
  await client.answerNext({ status: 'Rejected' })
  t.same(await partner.resultAt('/get-2'), { result: 'REJECTED' })

  for (const [status, result] of [
    ['Accepted', 'ACCEPTED'],
    ['Unknown', 'UNKNOWN'],
  ] as const) {
    t.equal((await remove(partner, sessionId, `/delete-${status}`)).body.data.result, 'ACCEPTED')
    t.match(await client.answerNext({ status }), [2, String, 'ClearChargingProfile', { id: 3002 }])
    t.same(await partner.resultAt(`/delete-${status}`), { result })
  }
  t.equal(partner.told(sessionId).length, 0, 'what the charge point makes of it is not known')
  client.close()
})

test('ocpi charging profiles - what cannot be is refused at once, and nothing is sent', async (t) => {
  const tenant = await operatorOf(laboratory)
  const [partner, other] = [await partnerOf(t, tenant), await partnerOf(t, tenant, 'OTH')]
  const client = await bootChargePoint(tenant, 'PROFILE-2', { connector_count: 2 })
  await sendToken(partner, 'DRIVER')
  const charge = await start(tenant, client, 'PROFILE-2')
  const { sessionId } = charge
  const resultOf = async (answer: ReturnType<typeof put>) => (await answer).body.data?.result
  t.equal(await resultOf(put(partner, 'ses_0', amperes(16), '/never')), 'UNKNOWN_SESSION')
  t.equal(await resultOf(put(other, sessionId, amperes(16), '/never')), 'REJECTED', 'of a driver of another party')
  const stranger = await partnerOf(t, await operatorOf(laboratory))
  t.equal(await resultOf(put(stranger, sessionId, amperes(16), '/never')), 'UNKNOWN_SESSION')

  const faults = [
    { charging_rate_unit: 'A', charging_profile_period: [] },
    { charging_rate_unit: 'A', charging_profile_period: periods([60, 16]) },
    { charging_rate_unit: 'A', charging_profile_period: periods([0, 16], [60, 8], [60, 10]) },
    { charging_rate_unit: 'A', charging_profile_period: periods([0, -1]) },
    { charging_rate_unit: 'A', charging_profile_period: periods([0, 16.55]) },
    { charging_rate_unit: 'kW', charging_profile_period: periods([0, 16]) },
    {
      charging_rate_unit: 'A',
      charging_profile_period: Array.from({ length: 101 }, (_, start_period) => ({ start_period, limit: 8 })),
    },
  ]
  for (const profile of faults) {
    const { status, body } = await put(partner, sessionId, profile, '/never')
    t.match([status, body.status_code], [200, 2001], JSON.stringify(profile).slice(0, 80))
  }
  const nowhere = await partner.call('PUT', `${path}/${sessionId}`, { charging_profile: amperes(16) })
  t.match([nowhere.status, nowhere.body.status_code], [200, 2001])
  t.equal((await partner.call('GET', `${path}/${sessionId}?duration=60`)).body.status_code, 2001)
  t.equal((await partner.call('DELETE', `${path}/${sessionId}`)).body.status_code, 2001)

  await tenant.request('PUT', `/api/v1/ocpi/partners/${partner.id}`, { commands: false })
  t.equal(await resultOf(put(partner, sessionId, amperes(16), '/never')), 'NOT_SUPPORTED')
  await tenant.request('PUT', `/api/v1/ocpi/partners/${partner.id}`, { commands: true })

  const second = await start(tenant, client, 'PROFILE-2', { connectorId: 2, timestamp: secondsAgo(60) })
  for (let request = 0; request < 10; request++) {
    t.equal(await resultOf(put(partner, second.sessionId, amperes(10 + request), `/often-${request}`)), 'ACCEPTED')
    await client.answerNext({ status: 'Accepted' })
  }
  t.equal(await resultOf(put(partner, second.sessionId, amperes(6), '/never')), 'TOO_OFTEN')
  t.equal(await resultOf(remove(partner, second.sessionId, '/never')), 'TOO_OFTEN')

  await client.call('StopTransaction', {
    transactionId: charge.transactionId,
    meterStop: 2_000,
    timestamp: secondsAgo(0),
  })
  t.equal(await resultOf(put(partner, sessionId, amperes(16), '/never')), 'REJECTED', 'it is over')
  const third = await start(tenant, client, 'PROFILE-2', { timestamp: secondsAgo(0) })
  await client.close()
  await until(async () => (await tenant.request('GET', '/api/v1/chargepoints/PROFILE-2')).body.status === 'offline')
  t.equal(await resultOf(put(partner, third.sessionId, amperes(16), '/never')), 'REJECTED', 'it cannot be asked')
  for (const { requests } of [partner, other, stranger]) t.notOk(requests.some((one) => one.path === '/never'))
})

const site = { name: 'Quayside', address: 'Quay 1', max_grid_power_kw: 60, latitude: 53.5, longitude: 9.9 }

/** A managed site with two charge points that hold what they are sent; the driver of the first is the partner's. */
async function siteOf(t: Teardowns, service: Service, prefix: string) {
  const tenant = await operatorOf(service)
  const partner = await partnerOf(t, tenant)
  await sendToken(partner, 'TAG-1')
  const { site_id } = (await tenant.request('POST', '/api/v1/sites', site)).body
  const ids = [`${prefix}-1`, `${prefix}-2`] as const
  const boxes: LimitedBox[] = []
  for (const id of ids) {
    const client = await bootChargePoint(tenant, id, { connector_count: 1, max_power_kw: 22.08 })
    boxes.push(limitedBox(client))
    await tenant.request('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`)
  }
  const api = `/api/v1/smart-charging/sites/${site_id}`
  const configure = (body: object) => tenant.request('PUT', `${api}/config`, body)
  await configure({ max_power_kw: 30, strategy: 'equal' })
  const held = () => boxes.map((box) => box.limitOf(1))
  await until(() => held().every((limit) => limit === 6))
  const [first, second] = boxes as [LimitedBox, LimitedBox]
  const transactionId = await first.start()
  await second.start()
  await until(() => held().every((limit) => limit === 21.7))
  const { session_id: sessionId } = await sessionOf(tenant, ids[0], transactionId)
  return {
    tenant,
    partner,
    ids,
    first,
    second,
    sessionId,
    transactionId,
    site_id,
    configure,
    held,
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
    allocation: async (): Promise<any> => (await tenant.request('GET', `${api}/allocation`)).body,
  }
}

const limitNow = (partner: Partner, sessionId: string): number | undefined =>
  partner.told(sessionId).at(-1)?.json.charging_profile.charging_profile_period[0].limit

test('ocpi charging profiles - at a site, a profile is a bound of the charge, and never more than the site gives', async (t) => {
  const { tenant, site_id, ids, partner, sessionId, held, configure, allocation } = await siteOf(t, laboratory, 'PS')
  t.equal((await put(partner, sessionId, amperes(10), '/s1')).body.data.result, 'ACCEPTED')
  t.same(await partner.resultAt('/s1'), { result: 'ACCEPTED' })
  await until(() => held()[0] === 10)
  await until(() => Number(held()[1]) === 32)
  const [bound, free] = (await allocation()).chargers
  t.match(bound, {
    allocated_kw: 6.9,
    reason: 'profile',
    explanation: /6\.9 kW that the charging profile of a roaming/,
  })
  t.equal(free.reason, 'demand')
  t.ok((await allocation()).counted_kw <= 30)
  await until(() => limitNow(partner, sessionId) === 10)
  const [told] = partner.told(sessionId)
  t.same(faultsOfSent(activeChargingProfileSchema, told?.json), [])
  t.match(told?.headers, { 'ocpi-to-party-id': 'EMP', authorization: /^Token / })

  await configure({ max_power_kw: 12, strategy: 'equal' })
  await until(() => Number(held()[0]) < 10)
  await until(() => limitNow(partner, sessionId) === held()[0] && Number(held()[0]) < 10)
  t.ok((await allocation()).counted_kw <= 12, 'more than its share is not given')
  await configure({ max_power_kw: 30, strategy: 'equal' })
  await until(() => held()[0] === 10 && limitNow(partner, sessionId) === 10)

  const watts = { charging_rate_unit: 'W', charging_profile_period: periods([0, 8_300]) }
  await put(partner, sessionId, watts, '/s2')
  await until(() => held()[0] === 12)
  await put(partner, sessionId, { ...watts, charging_profile_period: periods([0, 100_000]) }, '/s3')
  await until(() => held()[0] === 21.7)
  await put(partner, sessionId, amperes(0), '/s4')
  await until(() => held()[0] === 0)
  t.equal((await remove(partner, sessionId, '/s5')).body.data.result, 'ACCEPTED')
  t.same(await partner.resultAt('/s5'), { result: 'ACCEPTED' })
  await until(() => held().every((limit) => limit === 21.7))
  await until(() => limitNow(partner, sessionId) === 21.7)
  await remove(partner, sessionId, '/s6')
  t.same(await partner.resultAt('/s6'), { result: 'UNKNOWN' }, 'there is none any more')
  await tenant.request('DELETE', `/api/v1/sites/${site_id}/chargers/${ids[0]}`)
  await until(() => limitNow(partner, sessionId) === 32)
})

test('ocpi charging profiles - at a site, a period begins at its time, and a minimum holds where nobody waits for it', async (t) => {
  const { partner, sessionId, held, configure, ids } = await siteOf(t, laboratory, 'PT')
  const start_date_time = secondsAgo(52)
  const profile = { start_date_time, charging_rate_unit: 'A', charging_profile_period: periods([0, 8], [60, 16]) }
  await put(partner, sessionId, profile, '/t1')
  await until(() => held()[0] === 8)
  const told = await until(() =>
    partner.told(sessionId).find(({ json }) => json.charging_profile.charging_profile_period.length === 2),
  )
  t.match(told.json.charging_profile.charging_profile_period, [{ start_period: 0, limit: 8 }, { limit: 16 }])
  const due = Date.parse(start_date_time) + 60_000
  await until(() => held()[0] === 16)
  t.ok(Date.now() >= due && Date.now() < due + 6_000, `${Date.now() - due} ms after its time`)

  await configure({ max_power_kw: 20, strategy: 'priority', priority_order: [ids[1]] })
  await until(() => held()[0] === 6)
  await put(partner, sessionId, { ...amperes(16), min_charging_rate: 9 }, '/t2')
  await until(() => held()[0] === 9)
  await configure({ max_power_kw: 10, strategy: 'priority', priority_order: [ids[1]] })
  await until(() => held()[0] === 6, 20_000)
})

test('ocpi charging profiles - a profile outlives a kill of the service, and ends with its session', async (t) => {
  const first = await startService(t, { flags })
  const all = await siteOf(t, first, 'PK')
  const { partner, sessionId, transactionId, held, ids, tenant } = all
  await put(partner, sessionId, amperes(10), '/k1')
  await until(() => held()[0] === 10 && limitNow(partner, sessionId) === 10)
  await first.stop('SIGKILL')
  const second = await tenantOf(await startService(t, { data: first.data, key: first.key, flags }), tenant)
  const boxes: LimitedBox[] = []
  for (const id of ids) boxes.push(limitedBox(await connectOcpp(`${second.ocppUrl}/${id}`)))
  await second.request('POST', `/api/v1/smart-charging/sites/${all.site_id}/rebalance`)
  await until(() => boxes[0]?.limitOf(1) === 10 && boxes[1]?.limitOf(1) === 32)
  t.ok(boxes[0], 'bound by what is stored')
  await boxes[0]?.stop(transactionId)
  const again = await boxes[0]?.start()
  await until(() => boxes[0]?.limitOf(1) === 21.7 && boxes[1]?.limitOf(1) === 21.7)
  const { session_id } = await sessionOf(second, ids[0], again as number)
  const call = asPartner(second, partner.token)
  t.equal((await put({ ...partner, call }, sessionId, amperes(8), '/k2')).body.data.result, 'REJECTED')
  t.equal(partner.told(session_id).length, 0)
})
