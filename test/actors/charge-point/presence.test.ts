// Who is connected, where several nodes hold sockets: totals and lists are those of the nodes that live.

import { test } from 'tap'
import { putRow } from '../../../src/api/pipeline/changes.js'
import { readPageOfAll } from '../../../src/api/pipeline/paging.js'
import { type ChargePointState, chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { tables } from '../../../src/records/index.js'
import {
  chargePointStatus,
  connectorsTotal,
  isOnline,
  listLost,
  listsByConnectorStatus,
  listsByStatus,
  onlineTotal,
  wasLost,
  wattsTotal,
} from '../../../src/records/presence.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { unowned } from '../../../src/runtime/store/store.js'
import { actorOverStore } from './actor-over-store.js'

function heldBy(run: number, id: string): ChargePointState {
  return {
    charge_point_id: id,
    organization_id: 'org_1',
    run,
    connected: true,
    registration: 'Accepted',
    connectors: [{ connector_id: 1, status: 'Charging', error_code: 'NoError', info: null, timestamp: '2026-01-01' }],
    power_watts: 1_000,
  }
}

test('presence - charge points of every node that lives are online, and counted and listed together', async (t) => {
  const store = openMemoryStore(tables)
  const rows = [
    heldBy(1, 'CP-1'),
    heldBy(2, 'CP-2'),
    heldBy(2, 'CP-3'),
    heldBy(3, 'CP-4'),
    heldBy(4, 'CP-5'),
    heldBy(5, 'CP-6'),
  ]
  const changes = rows.map((row) => putRow(chargePointStatesTable, row))
  await store.commit(unowned(changes))
  const view = store.view()
  const live = new Set([4, 2])
  t.same(
    rows.map((row) => isOnline(row, live)),
    [false, true, true, false, true, false],
  )
  t.equal(chargePointStatus(rows[1], live), 'charging')
  t.equal(chargePointStatus(rows[0], live), 'offline')
  t.equal(onlineTotal(view, 'org_1', 'charging', live), 3)
  t.equal(connectorsTotal(view, 'org_1', 'Charging', live), 3)
  t.equal(wattsTotal(view, 'org_1', live), 3_000)
  for (const lists of [listsByStatus('org_1', 'charging', live), listsByConnectorStatus('org_1', 'Charging', live)]) {
    const page = (number: number) => {
      const query = { offset: 2 * (number - 1), limit: 2 }
      const { rows: found, total } = readPageOfAll({ view, table: chargePointStatesTable, lists, query })
      return [total, ...found.map(({ charge_point_id }) => charge_point_id)]
    }
    t.same([page(1), page(2), page(3)], [[3, 'CP-5', 'CP-2'], [3, 'CP-3'], [3]])
  }
  const lost = (limit: number) => listLost(view, live, limit).map(({ charge_point_id }) => charge_point_id)
  t.same(lost(10), ['CP-1', 'CP-4', 'CP-6'], 'before, between and behind the lives that last')
  t.same(lost(2), ['CP-1', 'CP-4'])
  t.ok(wasLost(heldBy(3, 'CP-4'), live))
})

test('presence - the row of a charge point names the node that holds its socket, whichever node its actor is on', async (t) => {
  const actor = await actorOverStore('CP-1')
  await actor.attach(16, 100, { incarnation: 7 })
  t.match(actor.view().get(chargePointStatesTable, ['CP-1']), { connected: true, run: 7 })
})
