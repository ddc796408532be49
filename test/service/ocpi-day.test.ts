// A day of a roaming partner at the built service: it registers, reads locations and tariffs, sends a token, its driver charges with a card, it is told
// of the session and billed for it, exchanges new credentials in the middle, and leaves.

import { type Test, test } from 'tap'
import { invoiced, priceCdr } from '../../src/emsp/price-cdr.js'
import { cdrSchema } from '../../src/ocpi/schemas/cdr.js'
import { locationSchema } from '../../src/ocpi/schemas/location.js'
import { sessionSchema } from '../../src/ocpi/schemas/session.js'
import { tariffSchema } from '../../src/ocpi/schemas/tariff.js'
import { faultsOfSent } from '../../src/ocpi/validators.js'
import { bootChargePoint, energyAt, secondsAgo, sessionsOf } from '../support/charge-point.js'
import {
  asPartner,
  credentialsOf,
  invitePartner,
  type OcpiPartnerStub,
  type PartnerRequest,
  party,
  startPartner,
} from '../support/ocpi-partner.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const flags = ['--allow-insecure-webhooks', 'true']
const module = '/ocpi/cpo/2.2.1'
const chargePointId = 'OCPI-DAY-1'
const token = {
  country_code: 'NL',
  party_id: 'EMP',
  uid: 'CARD-7',
  type: 'RFID',
  contract_id: 'NL-EMP-C00000007-1',
  issuer: 'Example Mobility',
  valid: true,
  whitelist: 'ALLOWED',
  last_updated: '2026-01-01T10:00:00Z',
}

type Caller = ReturnType<typeof asPartner>

async function sell(service: Service): Promise<void> {
  const components = [
    { type: 'flat', price: 0.5 },
    { type: 'energy', price: 0.49 },
    { type: 'idle', price: 6, grace_minutes: 0 },
  ]
  const tariff = { name: 'Street', currency: 'EUR', tax_percentage: 21, components }
  const { body } = await service.request('POST', '/api/v1/billing/tariffs', tariff)
  await service.request('PUT', `/api/v1/chargepoints/${chargePointId}/tariff`, { tariff_id: body.tariff_id })
}

async function register(
  service: Service,
  stub: OcpiPartnerStub,
): Promise<{ readonly id: string; readonly call: Caller }> {
  await service.request('PUT', '/api/v1/ocpi/party', party)
  const { id, token: first } = await invitePartner(service)
  const { body } = await asPartner(service, first)('POST', `${module}/credentials`, credentialsOf(stub, 'token-b'))
  return { id, call: asPartner(service, body.data.token) }
}

/** Every page, as a client follows them. */
async function pull(call: Caller, path: string): Promise<object[]> {
  const rows: object[] = []
  for (let next: string | undefined = `${module}/${path}`; next !== undefined; ) {
    const { status, body, headers } = await call('GET', next)
    if (status !== 200) throw new Error(`${next} was answered with ${status}`)
    rows.push(...body.data)
    const link: string | undefined = /<[^/]+\/\/[^/]+([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    next = link
  }
  return rows
}

const to = ({ requests }: OcpiPartnerStub, method: string, path: RegExp): readonly PartnerRequest[] =>
  requests.filter((one) => one.method === method && path.test(one.path))

/** Charges for an hour, and then stands for a quarter of one. */
async function charge(client: OcppClient): Promise<number> {
  const start = { connectorId: 1, idTag: token.uid, meterStart: 10_000, timestamp: secondsAgo(4_500) }
  const { payload } = await client.call('StartTransaction', start)
  const { transactionId } = payload
  const tell = (status: string, seconds: number) =>
    client.call('StatusNotification', { connectorId: 1, status, errorCode: 'NoError', timestamp: secondsAgo(seconds) })
  await tell('Charging', 4_500)
  const meterValue = [energyAt(secondsAgo(2_700), 15_000), energyAt(secondsAgo(900), 20_450)]
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
  await tell('SuspendedEV', 900)
  return transactionId
}

const stop = (client: OcppClient, transactionId: number) =>
  client.call('StopTransaction', { transactionId, meterStop: 20_450, timestamp: secondsAgo(0), idTag: token.uid })

/** What the partner computes from the tariffs and periods of a CDR is what it is charged, to the cent. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
function checkPrice(t: Test, cdr: any): void {
  const computed = invoiced(priceCdr(cdr, 'UTC'), 2)
  const cents = (amount: number): number => Math.round(amount * 100)
  t.equal(cents(computed.excl_vat), cents(cdr.total_cost.excl_vat), 'without tax')
  t.equal(cents(computed.incl_vat), cents(cdr.total_cost.incl_vat), 'with tax')
}

test('ocpi day - a partner is shown what there is, told what happens, and billed what was charged', async (t) => {
  const service = await startService(t, { flags })
  const stub = await startPartner(t)
  const client = await bootChargePoint(service, chargePointId, {
    connector_count: 1,
    address: 'Oudegracht 1, 3511 AB Utrecht',
  })
  await client.call('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' })
  await sell(service)
  const { id, call } = await register(service, stub)

  const [location] = await until(async () => {
    const rows = await pull(call, 'locations')
    return rows.length === 0 ? undefined : rows
  })
  t.same(faultsOfSent(locationSchema, location), [])
  t.match(location, { id: chargePointId, city: 'Utrecht', evses: [{ status: 'AVAILABLE' }] })
  const [tariff] = await pull(call, 'tariffs')
  t.same(faultsOfSent(tariffSchema, tariff), [])
  t.match(tariff, { currency: 'EUR' })
  t.equal((await call('PUT', `${module}/tokens/NL/EMP/${token.uid}`, token)).status, 201)
  t.equal((await client.call('Authorize', { idTag: token.uid })).payload.idTagInfo.status, 'Accepted')

  const transactionId = await charge(client)
  const [session] = await sessionsOf(service, chargePointId)
  const at = new RegExp(`/sessions/NL/AMP/${session.session_id}$`)
  const pushed = await until(() => to(stub, 'PUT', at)[0])
  t.same(faultsOfSent(sessionSchema, pushed.json), [])
  t.match(pushed.json, { status: 'ACTIVE', cdr_token: { uid: token.uid, party_id: 'EMP' }, auth_method: 'WHITELIST' })
  const [running] = await pull(call, 'sessions')
  t.match(running, { id: session.session_id, status: 'ACTIVE', kwh: 10.45 })
  await until(() => to(stub, 'PATCH', /\/locations\/.*_1$/).some(({ json }) => json.status === 'CHARGING'))

  const renewed = await call('PUT', `${module}/credentials`, credentialsOf(stub, 'token-b2'))
  const again = asPartner(service, renewed.body.data.token)
  await stop(client, transactionId)
  await until(() =>
    stub.requests.some(
      ({ path, json }) => at.test(path) && json.status === 'COMPLETED' && json.end_date_time !== undefined,
    ),
  )
  const posted = await until(() => to(stub, 'POST', /\/cdrs$/)[0])
  t.equal(posted.headers.authorization, `Token ${Buffer.from('token-b2').toString('base64')}`, 'with the new token')
  const cdr = posted.json
  t.same(faultsOfSent(cdrSchema, cdr), [])
  t.match(cdr, {
    session_id: session.session_id,
    total_energy: 10.45,
    cdr_location: { id: chargePointId, city: 'Utrecht' },
  })
  const [ended] = await sessionsOf(service, chargePointId)
  t.equal(cdr.total_cost.incl_vat.toFixed(2), ended.cost.toFixed(2), 'what we say that it costs')
  checkPrice(t, cdr)
  t.same(await pull(again, 'cdrs'), [cdr])
  t.same(await pull(again, `cdrs?date_from=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`), [])
  const [completed] = await pull(again, `sessions?date_from=${encodeURIComponent(secondsAgo(60))}`)
  t.match(completed, { id: session.session_id, status: 'COMPLETED' })

  t.equal((await again('DELETE', `${module}/credentials`)).body.status_code, 1000)
  t.equal((await again('GET', `${module}/locations`)).status, 401)
  t.equal((await service.request('GET', `/api/v1/ocpi/partners/${id}`)).body.status, 'ended')
  const before = stub.requests.length
  await client.call('StatusNotification', { connectorId: 1, status: 'Faulted', errorCode: 'OtherError' })
  t.equal(
    (await client.call('Authorize', { idTag: token.uid })).payload.idTagInfo.status,
    'Accepted',
    'by the rule for unknown tags',
  )
  t.equal(stub.requests.length, before, 'nothing is sent any more')
})

test('ocpi day - a service that is killed again and again bills the partner once', async (t) => {
  let service = await startService(t, { flags })
  const stub = await startPartner(t)
  await bootChargePoint(service, chargePointId, { connector_count: 1 })
  await sell(service)
  const { call } = await register(service, stub)
  await call('PUT', `${module}/tokens/NL/EMP/${token.uid}`, token)

  const restart = async (): Promise<OcppClient> => {
    await service.stop('SIGKILL')
    service = await startService(t, { flags, data: service.data, key: service.key })
    const client = await connectOcpp(`${service.ocppUrl}/${chargePointId}`)
    await client.boot()
    return client
  }
  // It hangs where it is billed, so that whether it has taken a CDR is not known when the service dies.
  stub.misbehave(({ path }) => (path === '/cdrs' ? true : undefined))
  const transactionId = await charge(await restart())
  await stop(await restart(), transactionId)
  await restart()
  await until(() => to(stub, 'POST', /\/cdrs$/).length > 0)
  await restart()
  stub.misbehave(undefined)
  await until(() => to(stub, 'POST', /\/cdrs$/).length > 1)
  await until(() => stub.requests.some(({ path, json }) => /\/sessions\//.test(path) && json?.status === 'COMPLETED'))
  const billed = new Set(to(stub, 'POST', /\/cdrs$/).map(({ json }) => JSON.stringify(json)))
  t.equal(billed.size, 1, 'each attempt is the same CDR')
  checkPrice(t, JSON.parse([...billed][0] as string))
  const taken = to(stub, 'POST', /\/cdrs$/).length
  await restart()
  await until(async () => (await service.request('GET', '/readyz')).status === 200)
  t.equal(to(stub, 'POST', /\/cdrs$/).length, taken, 'what was taken is not sent again')
})
