// What records say of themselves.

import { test } from 'tap'
import { sameGroup } from '../../src/records/id-tag.js'
import { type Session, sessionsTable } from '../../src/records/session.js'
import { mixedDeliveryId } from '../../src/records/webhook-delivery.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { totalsDatabase } from '../../src/runtime/store/storage/byte-store.js'
import { memoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import { commit, put } from '../contract/store-stage.js'

test('id tags - those of one parent are one group, and so is the parent; whoever has none is alone', (t) => {
  const tag = (id_tag: string, parent_id_tag?: string) => ({ id_tag, parent_id_tag })
  t.ok(sameGroup(tag('A', 'family'), tag('B', 'FAMILY')))
  t.ok(sameGroup(tag('Family'), tag('B', 'FAMILY')))
  t.ok(sameGroup(tag('a'), tag('A')))
  t.ok(sameGroup(tag('a', 'family'), tag('A')), 'a tag that has been moved since is still itself')
  t.notOk(sameGroup(tag('A', 'FAMILY'), tag('B', 'OTHER')))
  t.notOk(sameGroup(tag('A'), tag('B')))
  t.notOk(sameGroup(tag(''), tag('')), 'no tag is no group')
  t.end()
})

test('sessions - a start is written to no more lists and totals than it has to be', async (t) => {
  const disk = memoryDisk()
  const store = openMemoryStore([sessionsTable], { disk })
  const session: Session = {
    session_id: 'ses_1',
    transaction_id: 1,
    organization_id: 'org_1',
    charge_point_id: 'CP-1',
    connector_id: 1,
    id_tag: 'TAG',
    authorization: 'Accepted',
    status: 'active',
    started_at: '2026-05-01T08:00:00.000Z',
    received_at: '2026-05-01T08:00:00.000Z',
    meter_start: 0,
    flags: [],
    start_key: '1|TAG|2026-05-01T08:00:00Z|0',
  }
  const written = () => {
    const counts = [...disk].map(([database, { keys }]) => [database, keys.length] as const)
    const lists = counts.filter(([database]) => database.startsWith('index:'))
    const totals = counts.find(([database]) => database === totalsDatabase)
    return { lists: lists.reduce((sum, [, count]) => sum + count, 0), totals: totals?.[1] }
  }
  await commit(store, [put(sessionsTable, session)])
  t.same(written(), { lists: 9, totals: 5 })
  await commit(store, [put(sessionsTable, { ...session, status: 'completed' })])
  t.same(written(), { lists: 7, totals: 4 }, 'and stands in fewer once it has ended')
  await store.close()
})

test('webhook deliveries - the ids that endpoints are shown of one event all differ, and lead back to its own', (t) => {
  const own = 'dlv_01M81VG8YBT8ASFH7BK6AFZWNM'
  const endpoints = Array.from({ length: 5_000 }, (_, at) => `whe_${at}`)
  const shown = endpoints.map((endpoint) => mixedDeliveryId(own, endpoint))
  t.equal(new Set(shown).size, endpoints.length)
  t.ok(endpoints.every((endpoint, at) => mixedDeliveryId(shown[at] as string, endpoint) === own))
  t.end()
})
