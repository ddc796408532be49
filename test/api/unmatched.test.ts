// Transaction messages that no session explains: listed, and attached by hand to the session that they are of.

import { test } from 'tap'
import { tariffAssignmentsTable, tariffsTable } from '../../src/records/tariff.js'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import { tariff } from '../pricing/examples.js'
import { createTestApi, type TestApi } from './fixture.js'

const path = '/api/v1/sessions/unmatched'

async function startSession(service: TestApi, connection: number, fields: object = {}) {
  const timestamp = new Date(service.now() - 3_600_000).toISOString()
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'A', meterStart: 0, timestamp, ...fields })
  await service.settled()
  return (await service.call('GET', '/api/v1/sessions')).body.sessions[0]
}

async function stopUnknown(service: TestApi, connection: number, meterStop: number, times = 1) {
  const timestamp = new Date(service.now()).toISOString()
  const stop = { transactionId: 77, meterStop, timestamp, reason: 'EVDisconnected' }
  for (let sent = 0; sent < times; sent++) service.tellFrom(connection, 'StopTransaction', stop)
  await service.settled()
}

async function sellAt(service: TestApi, chargePointId: string) {
  const { organizationId } = service.operator
  const components = [{ type: 'energy' as const, price: 0.5 }]
  await service.put(tariffsTable, tariff({ organization_id: organizationId, components }))
  await service.put(tariffAssignmentsTable, {
    charge_point_id: chargePointId,
    organization_id: organizationId,
    version: 1,
    tariff_id: 'trf_1',
    assigned_at: '2026-01-01T00:00:00.000Z',
  })
}

test('unmatched - a stop that no session explains is listed, and ends the session that it is attached to', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  await service.register('CP-2')
  await sellAt(service, 'CP-1')
  const connection = service.connect('CP-1')
  const other = service.connect('CP-2')
  const session = await startSession(service, connection)
  await stopUnknown(service, connection, 4_000, 2)
  await stopUnknown(service, other, 5_000)

  const listed = (await service.call('GET', path)).body
  t.match(listed, { total: 2, page: 1, per_page: 20 })
  t.match(listed.unmatched[0], { charge_point_id: 'CP-2' }, 'the newest first')
  const ofOne = (await service.call('GET', `${path}?charge_point_id=CP-1`)).body
  t.match(ofOne, { total: 1, unmatched: [{ action: 'StopTransaction', status: 'open', session_id: null }] })
  t.match(ofOne.unmatched[0].payload, { transactionId: 77, meterStop: 4_000 })

  const attach = `${path}/${ofOne.unmatched[0].unmatched_id}/attach`
  const body = { session_id: session.session_id }
  const attached = await service.call('POST', attach, body)
  t.equal(attached.status, 200)
  t.match(attached.body.session, {
    status: 'completed',
    energy_kwh: 4,
    cost: 2,
    currency: 'EUR',
    flags: ['reconciled'],
  })
  t.match(attached.body.unmatched, { status: 'attached', session_id: session.session_id, attached_by: /^api_key:/ })
  t.same((await service.call('GET', `/api/v1/sessions/${session.session_id}`)).body, attached.body.session)
  t.equal((await service.call('GET', path)).body.total, 1)
  t.match((await service.call('GET', `${path}?status=attached&charge_point_id=CP-1`)).body, { total: 1 })

  t.same((await service.call('POST', attach, body)).body, attached.body, 'once more changes nothing')
  const events = service.store
    .view()
    .list(outboxTable, [])
    .map(({ event }) => event)
  t.equal(events.filter((event) => event === 'session.reconciled').length, 1)
  t.equal(events.filter((event) => event === 'session.ended').length, 1)
})

test('unmatched - what cannot be attached is refused by name, and nothing is changed', async (t) => {
  const service = await createTestApi()
  for (const id of ['CP-1', 'CP-2']) await service.register(id)
  const connection = service.connect('CP-1')
  const session = await startSession(service, connection)
  const elsewhere = await startSession(service, service.connect('CP-2'))
  await stopUnknown(service, connection, 4_000)
  await stopUnknown(service, connection, 5_000)
  const [second, first] = (await service.call('GET', path)).body.unmatched
  const attach = async (unmatched: { unmatched_id: string }, session_id: string, key?: string) => {
    const target = `${path}/${unmatched.unmatched_id}/attach`
    const { status, body } = await service.call('POST', target, { session_id }, { key: key ?? service.operator.key })
    return status === 200 ? 200 : [status, body.error.code]
  }
  const stranger = await service.addOrganization()
  t.same(await attach(first, session.session_id, stranger.key), [404, 'not_found'])
  t.same((await service.call('GET', path, undefined, { key: stranger.key })).body.unmatched, [])
  t.same(await attach({ unmatched_id: 'unm_0' }, session.session_id), [404, 'not_found'])
  t.same(await attach(first, 'ses_0'), [404, 'not_found'])
  t.same(await attach(first, elsewhere.session_id), [409, 'charge_point_mismatch'])
  t.same(await attach(first, session.session_id), 200)
  t.same(await attach(second, session.session_id), [409, 'session_completed'])
  const next = await startSession(service, connection, { meterStart: 4_000 })
  t.same(await attach(first, next.session_id), [409, 'already_attached'])
  const reason = async ({ unmatched_id }: { unmatched_id: string }, session_id: string) =>
    (await service.call('POST', `${path}/${unmatched_id}/attach`, { session_id })).body.error.message
  t.match(await reason(first, next.session_id), /^this message is already attached to session ses_/)
  t.equal(await reason(second, elsewhere.session_id), 'the session belongs to another charge point')
  t.match((await service.call('GET', `/api/v1/sessions/${next.session_id}`)).body, { status: 'active' })
  const reader = await service.addKey(service.operator.organizationId, ['read:sessions'])
  const refused = await service.call(
    'POST',
    `${path}/${first.unmatched_id}/attach`,
    { session_id: 'x' },
    { key: reader },
  )
  t.equal(refused.status, 403)
})

test('unmatched - a stop without a reading ends its session at the last one', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const connection = service.connect('CP-1')
  const session = await startSession(service, connection)
  const timestamp = new Date(service.now() - 60_000).toISOString()
  const meterValue = [{ timestamp, sampledValue: [{ value: '2500' }] }]
  service.tellFrom(connection, 'MeterValues', { connectorId: 1, meterValue })
  service.tellFrom(connection, 'StopTransaction', { transactionId: 78, timestamp })
  await service.settled()
  const [unmatched] = (await service.call('GET', path)).body.unmatched
  const { body } = await service.call('POST', `${path}/${unmatched.unmatched_id}/attach`, {
    session_id: session.session_id,
  })
  t.match(body.session, { energy_kwh: 2.5, ended_at: timestamp, cost: null, currency: null })
  t.same(body.session.flags, ['reconciled', 'meter_stop_missing'])
})
