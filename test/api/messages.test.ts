// Pages of messages over memory and the store, and captures that are begun at once: what the fronts of one service have in common.

import { test } from 'tap'
import { type Message, messagesTable } from '../../src/records/message.js'
import { makeId } from '../../src/runtime/ids.js'
import { createTestApi } from './fixture.js'

test('messages - pages of each size have what is in memory and what is stored, each message once', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const stored = Array.from({ length: 5 }, (_, index): Message => {
    const at = service.now() - 3_600_000 + index * 60_000
    const about = { organization_id: service.operator.organizationId, charge_point_id: 'CP-1' }
    const said = { kind: 'status', direction: 'in', action: 'StatusNotification', answer_type: 'none' } as const
    return { id: makeId('msg', at, Math.random), at, ...about, ...said }
  })
  for (const message of stored) await service.put(messagesTable, message)
  const connection = service.connect('CP-1')
  await service.settled()
  for (let beat = 0; beat < 3; beat++) service.tellFrom(connection, 'Heartbeat', {})
  await service.settled()
  const path = '/api/v1/chargepoints/CP-1/messages'
  const all = (await service.call('GET', `${path}?limit=200`)).body.data.map(({ id }: { id: string }) => id)
  const inMemory = all.length - stored.length
  t.ok(inMemory >= 4)
  t.same(all.slice(inMemory), stored.map(({ id }) => id).reverse())
  for (let limit = 1; limit <= all.length; limit++) {
    const seen: string[] = []
    let before = ''
    for (let pages = 0; pages <= all.length; pages++) {
      const { status, body } = await service.call('GET', `${path}?limit=${limit}${before}`)
      t.equal(status, 200, `${limit} a page`)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      if (body.next === null) break
      before = `&before=${body.next}`
    }
    t.same(seen, all, `${limit} a page`)
  }
})

test('captures - of several that are begun at once, one runs', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const path = '/api/v1/chargepoints/CP-1/captures'
  const answers = await Promise.all([1, 2, 3].map(() => service.call('POST', path, {})))
  t.same(answers.map(({ status }) => status).sort(), [201, 409, 409])
  t.equal((await service.call('GET', path)).body.data.length, 1)
})
