// A thread with a store that holds a month of many sessions, thin ones, and that takes the commits of whoever closes it: as in the
// service, the thread that works on the month and the one that writes are two.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { tables } from '../../../src/records/index.js'
import { billingProgressTable } from '../../../src/records/invoice.js'
import { organizationsTable } from '../../../src/records/organization.js'
import {
  type SessionCost,
  sessionCostsTable,
  unbilledSession,
  unbilledSessionsTable,
} from '../../../src/records/session-cost.js'
import { encodeRow } from '../../../src/runtime/codec.js'
import { serveStore } from '../../../src/runtime/link/store-service.js'
import { openWriter } from '../../../src/runtime/store/lmdb-store.js'
import { type Change, unowned } from '../../../src/runtime/store/store.js'
import type { Table } from '../../../src/runtime/store/table.js'

export interface MonthStoreStart {
  readonly path: string
  readonly organizationId: string
  readonly sessions: number
  /** ms; the sessions end and are priced between them. */
  readonly from: number
  readonly to: number
  readonly port: MessagePort
}

const rowsPerCommit = 5_000

const { path, organizationId, sessions, from, to, port } = workerData as MonthStoreStart
const store = openWriter(path, tables)

function put<Row>(table: Table<Row>, row: Row): Change {
  return { type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }
}

function costOf(number: number): SessionCost {
  const endedAt = new Date(from + Math.floor(((to - from) * number) / sessions)).toISOString()
  const amounts = { subtotal: 5.25, tax: 1, total: 6.25 }
  const trace = { tariff: { name: 'Standard' }, energy: { measured_wh: 10_000 }, rounding: { minor_units: 2 } }
  const priced = { currency: 'EUR', tariff_id: 'tar_1', tax_percentage: 19, ...amounts, trace }
  return {
    session_id: `ses_${String(number).padStart(8, '0')}`,
    organization_id: organizationId,
    charge_point_id: `CP-${number % 15_000}`,
    ended_at: endedAt,
    priced_at: endedAt,
    tariff_snapshot: '',
    priced: priced as unknown as SessionCost['priced'],
    rules: [],
  }
}

async function fill(): Promise<void> {
  const month = new Date(from - 1).toISOString().slice(0, 7)
  const organization = { organization_id: organizationId, name: 'Vast', country: 'DE', contact_email: 'a@example.com' }
  await store.commit(
    unowned([
      put(organizationsTable, organization as never),
      put(billingProgressTable, {
        organization_id: organizationId,
        closed_through: month,
        closed_until: from,
      }),
    ]),
  )
  for (let first = 0; first < sessions; first += rowsPerCommit) {
    const numbers = Array.from({ length: Math.min(rowsPerCommit, sessions - first) }, (_, at) => first + at)
    const costs = numbers.map(costOf)
    const unbilled = costs.map((cost) => put(unbilledSessionsTable, unbilledSession(cost, to)))
    await store.commit(unowned([...costs.map((cost) => put(sessionCostsTable, cost)), ...unbilled]))
  }
}

await fill()
serveStore(store, port)
parentPort?.postMessage('filled')
