// A store of schema version 2 in this version: sessions that no invoice has are on the next one, and nothing that was billed is billed again.

import { test } from 'tap'
import { invoiceIdOf, itemOf } from '../../src/actors/billing/month.js'
import { periodAround } from '../../src/actors/billing/periods.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { schemaVersion, tables } from '../../src/records/index.js'
import { billingProgressTable, invoiceItemsTable } from '../../src/records/invoice.js'
import { migrations } from '../../src/records/migrations/index.js'
import { sessionCostsTable, unbilledSessionsTable } from '../../src/records/session-cost.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { memoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import { unowned } from '../../src/runtime/store/store.js'
import { billedSession } from '../api/billed-sessions.js'

const organizationId = 'org_1'
const november = periodAround(Date.UTC(2026, 10, 15), 'UTC')
const december = periodAround(Date.UTC(2026, 11, 15), 'UTC')

function costOf(sessionId: string, endedAt: string, energyWh = 10_000) {
  return billedSession({ organizationId, sessionId, endedAt, energyWh }).cost
}

test('upgrade - sessions that version 2 has passed over are unbilled, those on an invoice are not', async (t) => {
  const billed = costOf('ses_billed', '2026-11-10T12:00:00.000Z')
  const forgotten = costOf('ses_forgotten', '2026-11-29T12:00:00.000Z')
  const corrected = costOf('ses_corrected', '2026-11-11T12:00:00.000Z')
  const unfinished = costOf('ses_unfinished', '2026-12-02T12:00:00.000Z')
  const now = costOf('ses_corrected', '2026-11-11T12:00:00.000Z', 11_000)
  const items = [
    itemOf(billed, [], november),
    itemOf(corrected, [], november),
    // Its month was being closed.
    itemOf(unfinished, [], december),
  ].flatMap((item) => item ?? [])
  t.equal(items[0]?.invoice_id, invoiceIdOf(organizationId, '2026-11', 'EUR'))
  const progress = { organization_id: organizationId, closed_through: '2026-11', closed_until: november.to }
  const disk = memoryDisk()
  const before = openMemoryStore(tables, { disk, schemaVersion: 2 })
  await before.commit(
    unowned([
      ...[billed, forgotten, now, unfinished].map((cost) => putRow(sessionCostsTable, cost)),
      ...items.map((item) => putRow(invoiceItemsTable, item)),
      putRow(billingProgressTable, progress),
    ]),
  )
  await before.close()
  const after = openMemoryStore(tables, { disk, schemaVersion, migrations })
  const unbilled = after.view().listBy(unbilledSessionsTable, 'byDue', [organizationId])
  t.same(
    unbilled.map(({ session_id, due_at }) => [session_id, new Date(due_at).toISOString()]),
    [
      ['ses_corrected', '2026-11-11T12:00:00.000Z'],
      ['ses_forgotten', '2026-11-29T12:00:00.000Z'],
      ['ses_unfinished', '2026-12-02T12:00:00.000Z'],
    ],
  )
  t.equal(after.view().list(invoiceItemsTable, []).length, items.length, 'items stay as they were')
  await after.close()
})
