// An organization claims the charge point of an installer: by registering its id.

import { type Test, test } from 'tap'
import { type Certificate, certificateRow, certificatesTable } from '../../src/records/certificate.js'
import { chargePointsTable, type Installed } from '../../src/records/charge-point.js'
import { issuedCertificate } from '../support/issued.js'
import { installedRow, registrationOf } from '../support/registration.js'
import { createTestApi, type TestApi } from './fixture.js'

const id = 'CP-1'
const path = `/api/v1/chargepoints/${id}`

async function installed(fields: Partial<Installed> = {}): Promise<TestApi> {
  const service = await createTestApi()
  await service.put(chargePointsTable, installedRow(id, fields))
  return service
}

const claim = (service: TestApi, fields = {}, key = service.operator.key) =>
  service.call('POST', '/api/v1/chargepoints', registrationOf(id, fields), { key })

/** The handovers that the organization is informed of. */
async function handovers(service: TestApi, key = service.operator.key) {
  const { body } = await service.call('GET', '/api/v1/events?types=handover.completed', undefined, { key })
  return body.data
}

function refuses(t: Test, { status, body }: Awaited<ReturnType<typeof claim>>) {
  t.equal(status, 409)
  t.equal(body.error.code, 'charge_point_exists')
  t.notMatch(JSON.stringify(body), /ins_1|SN-CP-1|Quayside/)
}

test('claims - an organization takes over a charge point as it stands, and nothing tells it the id of the installer', async (t) => {
  const service = await installed()
  const connection = service.connect(id)
  await service.settled()
  const { status, body } = await claim(service, { name: 'Bay 1' })
  t.equal(status, 201)
  t.match(body, { charge_point_id: id, name: 'Bay 1', status: 'available' })
  t.match(body.handover, {
    installer: null,
    vendor: 'Example',
    model: 'One',
    serial_number: `SN-${id}`,
    commissioned_at: null,
    good_certificate_count: 0,
  })
  const read = await service.call('GET', path)
  t.match(read.body, { name: 'Bay 1', online: true, connector_count: 2, latitude: 52.5, serial_number: `SN-${id}` })
  await service.settled()
  t.same(service.closed, [], `connection ${connection} goes on`)
  const summary = await service.call('GET', '/api/v1/cpo/fleet/summary')
  t.match(summary.body, { total: 1, online: 1, connectors: { total: 2 } })
  const shown = [body, read.body, (await service.call('GET', '/api/v1/chargepoints')).body]
  t.notMatch(JSON.stringify(shown), /ins_1|Quayside/)
  t.same(await handovers(service), [], 'it is not commissioned yet')
})

test('claims - the handover says how many certificates the charge point can connect with', async (t) => {
  const service = await installed()
  const chargePoint = installedRow(id)
  const now = service.now()
  const dayMs = 24 * 3_600_000
  const issue = (name: string, { ends = 1, fields = {} }: { ends?: number; fields?: Partial<Certificate> } = {}) => {
    const about = { certificate_id: `cert_${name}`, source: 'key' } as const
    const issued = issuedCertificate({ validFrom: now - 2 * dayMs, expiresAt: now + ends * dayMs })
    return service.put(certificatesTable, { ...certificateRow(issued, chargePoint, about, now), version: 1, ...fields })
  }
  await issue('good')
  await issue('longer', { ends: 300 })
  await issue('expired', { ends: -1 })
  await issue('revoked', { fields: { revoked_at: new Date(now).toISOString() } })
  await issue('of-another', { fields: { registration: 'another' } })
  t.equal((await claim(service)).body.handover.good_certificate_count, 2)
})

test('claims - the handover of a commissioned charge point is published once, to the organization', async (t) => {
  const commissioned_at = '2026-11-02T00:00:00.000Z'
  const service = await installed({ commissioned_at })
  const other = await service.addOrganization()
  t.match((await claim(service)).body.handover, { commissioned_at })
  t.match(await handovers(service), [{ data: { charge_point_id: id } }])
  t.same(await handovers(service, other.key), [])
  refuses(t, await claim(service))
  refuses(t, await claim(service, {}, other.key))
  t.equal((await handovers(service)).length, 1)
})

test('claims - one of two organizations has it, and a serial number or a case that differs means another charge point', async (t) => {
  const service = await installed()
  const other = await service.addOrganization()
  refuses(t, await claim(service, { charge_point_id: id.toLowerCase() }))
  refuses(t, await claim(service, { serial_number: 'SN-OTHER' }))
  t.equal((await service.call('GET', path)).status, 404)
  const serial_number = `sn-${id}`
  const both = await Promise.all([service.operator.key, other.key].map((key) => claim(service, { serial_number }, key)))
  t.same(both.map(({ status }) => status).sort(), [201, 409])
  const loser = both.find(({ status }) => status === 409)
  if (loser !== undefined) refuses(t, loser)
})

test('claims - until it is claimed, an installer’s charge point is in no list of an organization', async (t) => {
  const service = await installed()
  service.connect(id)
  await service.settled()
  for (const list of [
    '/api/v1/chargepoints',
    '/api/v1/chargepoints?status=available',
    '/api/v1/chargepoints?q=SN',
    '/api/v1/chargepoints/search?latitude=0&longitude=0&radius_km=500',
    '/api/v1/ocpp16/charge_points/status',
  ])
    t.match((await service.call('GET', list)).body, { charge_points: [], total: 0 }, list)
  for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const)
    t.equal((await service.call(method, path, body)).status, 404, method)
  const reset = { charge_point_id: id, type: 'Soft' }
  t.equal((await service.call('POST', '/api/v1/ocpp16/reset', reset)).status, 404)
  t.match((await service.call('GET', '/api/v1/cpo/fleet/summary')).body, { total: 0, online: 0 })
})

test('claims - a test transaction that ran stays the installer’s, and holds up no removal', async (t) => {
  const service = await installed()
  const connection = service.connect(id)
  await service.settled()
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'TEST', meterStart: 0, timestamp })
  await service.settled()
  t.equal((await claim(service)).status, 201)
  await service.settled()
  t.match((await service.call('GET', '/api/v1/sessions')).body, { sessions: [], total: 0 })
  t.match((await service.call('GET', `/api/v1/ocpp16/active_transactions/${id}`)).body, { total: 0 })
  t.equal((await service.call('DELETE', path)).status, 204)
})
