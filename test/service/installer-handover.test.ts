// A charge point on its way from an installer to an organization, over real sockets: it stays connected, and each side sees its own.

import { test } from 'tap'
import { startRequest } from '../support/charge-point.js'
import { installerOf } from '../support/installer.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { registrationOf } from '../support/registration.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const shared = await sharedService()
const registry = '/api/v1/installer/charge-points'

const boxOf = (id: string) => ({
  charge_point_id: id,
  model: 'Wall Box 22',
  vendor: 'Example',
  serial_number: `SN-${id}`,
  project_id: 'Quayside',
})

test('installer handover - a charge point is registered, configured, commissioned and claimed while it stays connected', async (t) => {
  const [installer, organization] = [await installerOf(shared), await tenantOf(shared)]
  const own = `${registry}/HANDED-1`
  t.equal((await installer.request('POST', registry, boxOf('HANDED-1'))).status, 201)
  const status = async () => (await installer.request('GET', own)).body.status
  t.equal(await status(), 'registered')
  t.equal((await installer.request('GET', `${own}/config/download`)).status, 200)
  t.equal(await status(), 'configured')
  for (let at = 0; at < 2; at++)
    t.equal((await installer.request('POST', `${own}/certificates/generate`, { key_type: 'p-256' })).status, 201)
  const [certificate] = (await installer.request('GET', `${own}/certificates`)).body.certificates
  t.notOk('issued_by' in certificate, 'nobody of the organization would be named to its installer')
  const client = await connectOcpp(`${shared.ocppUrl}/HANDED-1`)
  await client.boot()
  t.equal(await status(), 'connected')
  const test = (await client.call('StartTransaction', startRequest({ idTag: 'TEST' }))).payload
  t.match((await installer.request('GET', `${own}/status`)).body, {
    operational_status: 'charging',
    connectors: [{ active_transaction_id: String(test.transactionId) }],
  })
  t.equal((await installer.request('POST', `${own}/commission`)).status, 200)
  t.equal(await status(), 'commissioned')
  t.equal((await installer.request('DELETE', own)).status, 409)

  const body = registrationOf('HANDED-1', { serial_number: 'SN-HANDED-1' })
  const claimed = await organization.request('POST', '/api/v1/chargepoints', body)
  t.match(claimed, {
    status: 201,
    body: { handover: { vendor: 'Example', commissioned_at: String, good_certificate_count: 2 } },
  })
  t.match((await organization.request('GET', '/api/v1/chargepoints/HANDED-1')).body, { online: true })
  t.match((await organization.request('GET', '/api/v1/chargepoints/HANDED-1/certificates')).body.certificates, [
    { certificate_id: certificate.certificate_id, issued_by: 'installer' },
    { issued_by: 'installer' },
  ])
  const events = async () => {
    const { data } = (await organization.request('GET', '/api/v1/events')).body
    return data.map(({ event }: { event: string }) => event).sort()
  }
  await until(async () => (await events()).length === 3)
  t.same(await events(), ['charge_point.connected', 'charge_point.registered', 'handover.completed'])
  const stop = { transactionId: test.transactionId, meterStop: 2_000, timestamp: new Date().toISOString() }
  t.notOk((await client.call('StopTransaction', stop)).error)
  const unmatched = await organization.request('GET', '/api/v1/sessions/unmatched')
  t.equal(unmatched.body.total, 0, 'the session of the installer explains it')
  const { transactionId } = (await client.call('StartTransaction', startRequest({ idTag: 'DRIVER' }))).payload
  const sessions = await organization.request('GET', '/api/v1/sessions')
  t.match(sessions.body, { total: 1, sessions: [{ transaction_id: transactionId, id_tag: 'DRIVER' }] })
  t.match((await installer.request('GET', `${own}/status`)).body, { operational_status: 'handed_over', connectors: [] })
  t.match((await installer.request('GET', own)).body, { status: 'commissioned', claimed: true })
  t.equal((await organization.request('PATCH', '/api/v1/chargepoints/HANDED-1', { name: 'Bay 1' })).status, 200)
  await client.close()
  await until(async () => (await status()) === 'offline')
})

test('installer handover - one that its installer deletes can be registered by anybody, who finds nothing of it', async (t) => {
  const [installer, other] = [await installerOf(shared), await installerOf(shared)]
  const own = `${registry}/HANDED-2`
  await installer.request('POST', registry, boxOf('HANDED-2'))
  t.equal((await other.request('POST', registry, boxOf('HANDED-2'))).status, 409)
  const client = await connectOcpp(`${shared.ocppUrl}/HANDED-2`)
  await client.boot()
  await client.close()
  await until(async () => (await installer.request('GET', own)).body.status === 'offline')
  t.equal((await installer.request('DELETE', own)).status, 204)
  await t.rejects(connectOcpp(`${shared.ocppUrl}/HANDED-2`), /404/)
  t.equal((await other.request('POST', registry, boxOf('HANDED-2'))).status, 201)
  t.match((await other.request('GET', own)).body, { status: 'registered', last_seen_at: null })
  t.equal((await installer.request('GET', own)).status, 404)
})

test('installer handover - what nobody has claimed of an installer is gone soon after the account', async (t) => {
  const installer = await installerOf(shared)
  t.equal((await installer.request('POST', registry, boxOf('LEFT-1'))).status, 201)
  t.equal((await shared.request('DELETE', `/api/v1/installers/${installer.id}`)).status, 204)
  const left = async () => (await shared.request('GET', `/api/v1/installers/${installer.id}/charge-points`)).body.total
  await until(async () => (await left()) === 0, 30_000)
  const other = await installerOf(shared)
  t.equal((await other.request('POST', registry, boxOf('LEFT-1'))).status, 201, 'its id is free')
  const { body } = await shared.request('GET', '/metrics')
  t.match(String(body), /ampshard_unclaimed_removed_total\{front="\d+",reason="account_deleted"\} [1-9]/)
})
