// The alert about a disk that fills up: each node has a disk of its own.

import { pino } from 'pino'
import { test } from 'tap'
import { watchSpace } from '../../src/process/space-watch.js'
import { type Alert, alertsTable } from '../../src/records/alert.js'
import { tables } from '../../src/records/index.js'
import { alertsNameTheirNodeAndNoticesAreSeen } from '../../src/records/migrations/2-alerts.js'
import { installationTable } from '../../src/records/organization.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { createSpace } from '../../src/runtime/store/storage/space.js'
import { unowned } from '../../src/runtime/store/store.js'
import { createFakeClock } from '../support/fake-clock.js'

const mebibyte = 1_048_576

async function stage() {
  const clock = createFakeClock()
  const store = openMemoryStore(tables)
  const row = { id: 'installation', default_organization_id: 'org_1', created_at: '2026-11-22T10:00:00Z' } as const
  const { name: table, key } = installationTable
  await store.commit(unowned([{ type: 'put', table, key: key(row), row: encodeRow(row) }]))
  return {
    node(node: number) {
      let freeBytes = 1_000 * mebibyte
      const watch = watchSpace({
        node,
        measureDisk: () => ({ freeBytes, totalBytes: 10_000 * mebibyte }),
        space: createSpace(tables),
        store: () => store,
        lowBytes: 100 * mebibyte,
        clock,
        random: Math.random,
        log: pino({ level: 'silent' }),
      })
      return {
        look: watch.look,
        async hasFree(mebibytes: number) {
          freeBytes = mebibytes * mebibyte
          await watch.look()
        },
      }
    },
    alerts: () =>
      store
        .view()
        .listBy(alertsTable, 'byOrganization', ['org_1'])
        .map(({ kind, status }) => `${kind} ${status}`)
        .sort(),
  }
}

test('space watch - the alert about a disk is raised and resolved by the node whose disk it is', async (t) => {
  const { node, alerts } = await stage()
  const [one, other] = [node(0), node(1)]
  await one.hasFree(50)
  t.same(alerts(), ['storage_space_low open'])
  await other.look()
  t.same(alerts(), ['storage_space_low open'], 'a node with space leaves it alone')
  await other.hasFree(50)
  t.same(alerts(), ['storage_space_low open', 'storage_space_low open'])
  await one.hasFree(1_000)
  t.same(alerts(), ['storage_space_low open', 'storage_space_low resolved'])
  await other.hasFree(1_000)
  t.same(alerts(), ['storage_space_low resolved', 'storage_space_low resolved'])
})

test('space watch - the alert of a version that knew one node is resolved by that node', async (t) => {
  const store = openMemoryStore(tables)
  const stored = { alert_id: 'alr_1', kind: 'storage_space_low', subject: 'storage', status: 'open' } as Alert
  const beside = { view: store.view(), put: () => {} }
  const now = alertsNameTheirNodeAndNoticesAreSeen.change(stored, beside as never)
  t.match(now, { alert_id: 'alr_1', subject: 'storage/0', status: 'open' })
})
