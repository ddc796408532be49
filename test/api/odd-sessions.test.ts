// No session, whatever its charger did, makes a request fail.

import { test } from 'tap'
import { tariffAssignmentsTable, tariffsTable } from '../../src/records/tariff.js'
import { tariff } from '../pricing/examples.js'
import { createTestApi } from './fixture.js'

/** Readings of a broken meter, the last of them the only one that counts. */
const readings = ['1e300', '-1e300', '-5', '0', 'abc', '99999999999999999999']

test('odd sessions - whatever the meter says, running and ended sessions are read and listed', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1', { connector_count: readings.length })
  const { organizationId } = service.operator
  const components = [{ type: 'energy' as const, price: 0.5 }]
  await service.put(tariffsTable, tariff({ organization_id: organizationId, components }))
  const assignment = { charge_point_id: 'CP-1', organization_id: organizationId, version: 1, tariff_id: 'trf_1' }
  await service.put(tariffAssignmentsTable, { ...assignment, assigned_at: new Date(service.now()).toISOString() })
  const connection = service.connect('CP-1')
  const timestamp = new Date(service.now()).toISOString()
  for (const [at, value] of readings.entries()) {
    const connectorId = at + 1
    service.tellFrom(connection, 'StartTransaction', { connectorId, idTag: 'A', meterStart: -at, timestamp })
    await service.settled()
    service.tellFrom(connection, 'MeterValues', { connectorId, meterValue: [{ timestamp, sampledValue: [{ value }] }] })
  }
  await service.settled()
  const all = async (status: string) => {
    const { body } = await service.call('GET', `/api/v1/sessions?status=${status}`)
    t.equal(body.total, readings.length)
    for (const listed of body.sessions) {
      const { status: code, body: session } = await service.call('GET', `/api/v1/sessions/${listed.session_id}`)
      t.equal(code, 200)
      t.ok(session.cost >= 0 && session.cost <= 5_000 && session.energy_kwh >= 0, `${session.energy_kwh} kWh`)
    }
  }
  await all('active')
  t.equal((await service.call('GET', '/api/v1/ocpp16/active_transactions/CP-1')).status, 200)
  await service.pass(1_000)
  // The same outlets again: the sessions before are ended by estimate.
  const later = new Date(service.now()).toISOString()
  for (const [at] of readings.entries())
    service.tellFrom(connection, 'StartTransaction', {
      connectorId: at + 1,
      idTag: 'B',
      meterStart: 1,
      timestamp: later,
    })
  await service.settled()
  await all('estimated')
})
