// An installer finds out why a charge point does not come online, and learns nothing of the charge points of others behind the same address.

import { test } from 'tap'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { registrationOf } from '../support/registration.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const service = await sharedService()
const path = '/api/v1/installer/charge-points'

async function installs(id: string): Promise<TestInstaller> {
  const installer = await installerOf(service)
  const box = { charge_point_id: id, model: 'Wall Box', vendor: 'V', serial_number: `SN-${id}`, project_id: 'Quayside' }
  const { status } = await installer.request('POST', path, box)
  if (status !== 201) throw new Error(`it was not registered: ${status}`)
  return installer
}

test('installer connection - a misspelt id is told to its installer alone, and to the organization that claims the charge point', async (t) => {
  const [installer, other] = await Promise.all([installs('MEND-00001'), installs('RIVAL-0001')])
  const statusOf = async (by: TestInstaller, id: string) =>
    (await by.request('GET', `${path}/${id}/connection-status`)).body
  await t.rejects(connectOcpp(`${service.ocppUrl}/MEND_00001`), /HTTP 404/)
  await t.rejects(connectOcpp(`${service.ocppUrl}/MEND-00001`, { subprotocols: ['ocpp2.0.1'] }), /HTTP 400/)
  const told = await until(async () => {
    const found = await statusOf(installer, 'MEND-00001')
    return found.attempts.length === 2 && found
  })
  t.match(told, {
    charge_point_id: 'MEND-00001',
    connected: false,
    last_heartbeat_at: null,
    websocket_state: 'never_opened',
    ip_address: null,
    attempts: [
      { match: 'id', reason: 'wrong_subprotocol', remote_address: '127.0.0.1' },
      { match: 'spelling', charge_point_id: 'MEND_00001', remedy: 'Set the id in the charge point to MEND-00001.' },
    ],
  })
  t.same((await statusOf(other, 'RIVAL-0001')).attempts, [])
  t.equal((await other.request('GET', `${path}/MEND-00001/connection-status`)).status, 404)
  t.equal((await other.request('POST', `${path}/MEND-00001/test-connection`)).status, 404)
  t.match((await installer.request('POST', `${path}/MEND-00001/test-connection`)).body, {
    reachable: false,
    result: 'offline',
    attempts: [{}, {}],
  })
  const client = await connectOcpp(`${service.ocppUrl}/MEND-00001`)
  await client.boot()
  t.match((await installer.request('POST', `${path}/MEND-00001/test-connection`)).body, {
    reachable: true,
    latency_ms: Number,
    ocpp_version: '1.6',
    result: 'answered',
  })
  const organization = await tenantOf(service)
  const claimed = await organization.request('POST', '/api/v1/chargepoints', registrationOf('MEND-00001'))
  t.equal(claimed.status, 201)
  t.match(await statusOf(installer, 'MEND-00001'), { connected: true, attempts: [{}, {}] }, 'not handed over yet')
  const status = `/api/v1/chargepoints/MEND-00001/connection-status`
  t.match((await organization.request('GET', status)).body, { connected: true, attempts: [{ match: 'spelling' }] })
  client.socket.close()
})
