// Tags that nobody has registered: seen, listed, adopted.

import { test } from 'tap'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import { createTestApi } from './fixture.js'

const path = '/api/v1/id-tags/unknown'

test('unknown id tags - those that were shown are listed until somebody registers them', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  await service.register('CP-2')
  await service.call('POST', '/api/v1/id-tags', { id_tag: 'KNOWN' })
  const one = service.connect('CP-1')
  const two = service.connect('CP-2')
  const list = async () => (await service.call('GET', path)).body
  service.tellFrom(one, 'Authorize', { idTag: 'known' })
  service.tellFrom(one, 'Authorize', { idTag: 'Card-1' })
  service.tellFrom(one, 'Authorize', { idTag: 'CARD-1' })
  await service.settled()
  t.match(await list(), { total: 1, id_tags: [{ id_tag: 'Card-1', charge_point_id: 'CP-1', count: 1 }] })

  await service.pass(120_000)
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(two, 'StartTransaction', { connectorId: 1, idTag: 'CARD-1', meterStart: 0, timestamp })
  service.tellFrom(two, 'Authorize', { idTag: ' ' })
  await service.settled()
  const [tag] = (await list()).id_tags
  t.match(tag, { id_tag: 'CARD-1', charge_point_id: 'CP-2', count: 2, last_seen_at: /:00\.000Z$/ })
  t.ok(tag.first_seen_at < tag.last_seen_at)

  await service.pass(120_000)
  service.tellFrom(one, 'Authorize', { idTag: 'CARD-2' })
  await service.settled()
  t.same(
    (await list()).id_tags.map((row: { id_tag: string }) => row.id_tag),
    ['CARD-2', 'CARD-1'],
    'the latest first',
  )
  t.match((await service.call('GET', `${path}?per_page=1&page=2`)).body, { total: 2, id_tags: [{ id_tag: 'CARD-1' }] })
  t.equal((await service.call('POST', '/api/v1/id-tags', { id_tag: 'card-1', label: 'Adopted' })).status, 201)
  t.match(await list(), { total: 1, id_tags: [{ id_tag: 'CARD-2' }] })
  const stranger = await service.addOrganization()
  t.equal((await service.call('GET', path, undefined, { key: stranger.key })).body.total, 0)
})

test('authorization - a session that follows an accepted remote start of its tag says so, once', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  let answer = 'Accepted'
  const connection = service.connect('CP-1', () => ({ status: answer }))
  const remote = (id_tag: string) =>
    service.call('POST', '/api/v1/ocpp16/remote_start_transaction', { charge_point_id: 'CP-1', id_tag })
  const start = async (idTag: string, meterStart: number) => {
    const timestamp = new Date(service.now()).toISOString()
    service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag, meterStart, timestamp })
    await service.settled()
    return (await service.call('GET', '/api/v1/sessions')).body.sessions[0].auth_method
  }
  const authorized = () =>
    service.store
      .view()
      .list(outboxTable, [])
      .filter(({ event }) => event === 'session.authorized')
      .map(({ data }) => data.authorization_method)
  t.equal((await remote('app-1')).status, 200)
  t.equal(await start('APP-1', 1), 'remote')
  t.same(authorized(), ['remote'], 'the start tells of the authorisation')
  t.equal(await start('APP-1', 2), 'rfid', 'the next time it is a card')
  await remote('APP-2')
  service.tellFrom(connection, 'Authorize', { idTag: 'APP-2' })
  t.equal(await start('APP-2', 20), 'remote')
  t.same(authorized(), ['remote', 'remote'], 'of a charge point that asks, its question does, once')
  await remote('APP-2')
  await service.pass(16 * 60_000)
  t.equal(await start('APP-2', 3), 'rfid', 'too late')
  answer = 'Rejected'
  await remote('APP-3')
  t.equal(await start('APP-3', 4), 'rfid')
})
