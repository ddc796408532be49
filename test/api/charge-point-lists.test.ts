// The list of charge points: its pages and its filters.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { type ChargePointState, chargePointStatesTable } from '../../src/records/charge-point-state.js'
import { createTestApi } from './fixture.js'

test('charge points - lists are paged and filtered by status, site and text', async (t) => {
  const service = await createTestApi()
  for (let at = 0; at < 5; at++)
    await service.register(`CP-${at}`, { name: at % 2 === 0 ? `Harbour ${at}` : 'Station', address: `Damrak ${at}` })
  await service.call('PATCH', '/api/v1/chargepoints/CP-4', { serial_number: 'SN-4711' })
  const connection = service.connect('CP-1')
  await service.settled()
  service.tellFrom(connection, 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' })
  service.connect('CP-2')
  await service.settled()
  const ids = async (query: string) => {
    const { body } = await service.call('GET', `/api/v1/chargepoints?${query}`)
    return [body.total, body.charge_points.map((row: { charge_point_id: string }) => row.charge_point_id)]
  }
  t.same(await ids('per_page=2'), [5, ['CP-0', 'CP-1']])
  t.same(await ids('per_page=2&page=3'), [5, ['CP-4']])
  t.same(await ids('per_page=2&page=4'), [5, []])
  t.same(await ids('status=charging'), [1, ['CP-1']])
  t.same(await ids('status=available'), [1, ['CP-2']])
  t.same(await ids('status=offline'), [3, ['CP-0', 'CP-3', 'CP-4']])
  t.same(await ids('status=offline&per_page=1&page=2'), [3, ['CP-3']])
  t.same(await ids('q=harbour'), [3, ['CP-0', 'CP-2', 'CP-4']])
  t.same(await ids('q=cp-3'), [1, ['CP-3']])
  t.same(await ids('q=sn-47'), [1, ['CP-4']])
  t.same(await ids('q=damrak%201'), [1, ['CP-1']])
  t.same(await ids('q=harbour&status=available'), [1, ['CP-2']])
  t.same(await ids('site_id=site_1'), [0, []])
  service.disconnect(connection)
  await service.settled()
  t.same(await ids('status=charging'), [0, []])
})

test('charge points - one that is removed, and registered by somebody else at once, is in no list of its former organization', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  await service.register('CP-1')
  service.connect('CP-1')
  await service.settled()
  // The row of what it has reported, as it is until its actor has removed it.
  const reported = service.store.view().get(chargePointStatesTable, ['CP-1'])
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
  await service.settled()
  await service.register('CP-1', { name: 'Theirs' }, other.key)
  await service.commit(putRow(chargePointStatesTable, reported as ChargePointState))
  t.same((await service.call('GET', '/api/v1/chargepoints?status=available')).body.charge_points, [])
})

test('charge points - a filter over more rows than one step reads gives every page once', async (t) => {
  const service = await createTestApi()
  for (let at = 0; at < 450; at++) await service.register(`CP-${String(at).padStart(4, '0')}`)
  const seen: string[] = []
  for (let page = 1; page <= 3; page++) {
    const { body } = await service.call('GET', `/api/v1/chargepoints?status=offline&per_page=200&page=${page}`)
    t.equal(body.total, 450)
    seen.push(...body.charge_points.map((row: { charge_point_id: string }) => row.charge_point_id))
  }
  t.equal(seen.length, 450)
  t.equal(new Set(seen).size, 450)
})
