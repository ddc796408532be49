// The close of a session by an operator, through the API: the session, the fleet's figures, and the charge point's removal.

import { test } from 'tap'
import { createTestApi } from './fixture.js'

async function withSession() {
  const service = await createTestApi()
  await service.register('CP-1')
  const connection = service.connect('CP-1')
  await service.settled()
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'TAG-1', meterStart: 1_000, timestamp })
  await service.settled()
  const { session_id, transaction_id } = (await service.call('GET', '/api/v1/sessions')).body.sessions[0]
  service.tellFrom(connection, 'MeterValues', {
    connectorId: 1,
    transactionId: transaction_id,
    meterValue: [{ timestamp, sampledValue: [{ value: '1500' }] }],
  })
  await service.settled()
  service.disconnect(connection)
  await service.settled()
  return { service, close: `/api/v1/sessions/${session_id}/close`, session_id }
}

test('close session - a session of a charge point that is gone is closed by estimate, and the charge point can be removed', async (t) => {
  const { service, close, session_id } = await withSession()
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 409)
  const answer = await service.call('POST', close)
  t.equal(answer.status, 200)
  t.match(answer.body, { session_id, status: 'estimated', energy_kwh: 0.5, stop_reason: 'Other' })
  t.same(answer.body.flags, ['estimated_close', 'closed_by_operator'])
  t.match((await service.call('GET', '/api/v1/cpo/fleet/summary')).body, { active_sessions: 0 })
  t.match((await service.call('GET', `/api/v1/sessions/${session_id}`)).body, { status: 'estimated', energy_kwh: 0.5 })
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
})

test('close session - one that has ended is 409, an unknown reason 400, another organization’s 404', async (t) => {
  const { service, close } = await withSession()
  t.match(await service.call('POST', close, { reason: 'Boredom' }), { status: 400 })
  const other = await service.addOrganization()
  t.match(await service.call('POST', close, {}, { key: other.key }), { status: 404 })
  t.match(await service.call('POST', close, { reason: 'PowerLoss' }), {
    status: 200,
    body: { stop_reason: 'PowerLoss' },
  })
  t.match(await service.call('POST', close), { status: 409, body: { error: { code: 'session_ended' } } })
})

test('close session - a charge point that is registered no more does not keep its session from being closed', async (t) => {
  const { service, close } = await withSession()
  const key = ['CP-1']
  await service.commit({ type: 'remove', table: 'charge_points', key })
  t.match(await service.call('POST', close), { status: 200, body: { status: 'estimated', energy_kwh: 0.5 } })
})

test('close session - the time of silence is a setting of the organization', async (t) => {
  const service = await createTestApi()
  const path = `/api/v1/organizations/${service.operator.organizationId}/settings`
  t.match((await service.call('GET', path)).body, { session_silence_hours: 24 })
  t.match((await service.call('PUT', path, { session_silence_hours: null })).body, { session_silence_hours: null })
  t.match((await service.call('GET', path)).body, { session_silence_hours: null })
  t.match((await service.call('PUT', path, { session_silence_hours: 6 })).body, { session_silence_hours: 6 })
  t.equal((await service.call('PUT', path, { session_silence_hours: 0 })).status, 400)
})
