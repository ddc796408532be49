// What routes answer while actors have too much to do: never that a charge point has not answered.

import { test } from 'tap'
import { sessionsTable } from '../../src/records/session.js'
import { createTestApi } from './fixture.js'

test('late actors - requests that an actor has to carry out are answered as overloaded, to come back later', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const connection = service.connect('CP-1', () => ({ status: 'Accepted' }))
  await service.settled()
  service.tellFrom(connection, 'StartTransaction', {
    connectorId: 1,
    idTag: 'TAG-1',
    meterStart: 0,
    timestamp: new Date(service.now()).toISOString(),
  })
  const reserved = await service.call('POST', '/api/v1/reservations', {
    charge_point_id: 'CP-1',
    connector_id: 2,
    id_tag: 'TAG-1',
    expiry_date: '2099-01-01T00:00:00Z',
  })
  t.equal(reserved.status, 201)
  const hook = { url: 'https://example.com/hook', events: ['*'] }
  const endpoint = await service.call('POST', '/api/v1/webhooks/endpoints', hook)
  const [session] = service.store.view().list(sessionsTable, [])
  service.setActorsLate()
  const asked: [string, string, unknown?][] = [
    ['POST', `/api/v1/sessions/${session?.session_id}/close`],
    ['DELETE', `/api/v1/reservations/${reserved.body.reservation_id}`],
    ['PATCH', `/api/v1/webhooks/endpoints/${endpoint.body.id}`, { active: false }],
  ]
  for (const [method, path, body] of asked) {
    const answer = await service.call(method, path, body)
    t.match(answer, { status: 503, body: { error: { code: 'overloaded' } } }, path)
    t.ok(Number(answer.headers['Retry-After']) > 0, path)
  }
})
