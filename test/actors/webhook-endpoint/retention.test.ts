// How long a delivery is kept: an endpoint that was paused for long, or is far behind, delivers events that are as old as the
// feed keeps them, and each has its whole schedule.

import { test } from 'tap'
import { putRow } from '../../../src/api/pipeline/changes.js'
import { retentionDays } from '../../../src/process/retention-days.js'
import { tables } from '../../../src/records/index.js'
import { type WebhookDelivery, webhookDeliveriesTable } from '../../../src/records/webhook-delivery.js'
import { outboxTable } from '../../../src/runtime/actor/outbox.js'
import { makeId } from '../../../src/runtime/ids.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { unowned } from '../../../src/runtime/store/store.js'

const day = 24 * 3_600_000

/** What is left, after so many days, of an event and of a delivery of it that waits for a retry. */
async function leftAfter(days: number, eventRetentionDays: number): Promise<{ events: number; deliveries: number }> {
  const kept = retentionDays({
    event_retention_days: eventRetentionDays,
    audit_retention_days: 365,
    message_retention_days: 3,
  })
  const store = openMemoryStore(tables)
  await store.keep(kept)
  const at = 100 * day
  const id = makeId('evt', at, Math.random)
  const event = { event: 'session.ended', organizationId: 'org_1', subject: 'CP-1', data: {} }
  const delivery: WebhookDelivery = {
    delivery_id: id.replace('evt_', 'dlv_'),
    endpoint_id: 'whe_1',
    event: 'session.ended',
    status: 'pending',
    attempts: 1,
    run: 1,
    next_retry_at: at + days * day + 60_000,
  }
  await store.commit(unowned([putRow(outboxTable, { id, at, ...event }), putRow(webhookDeliveriesTable, delivery)]))
  await store.prune(at + days * day)
  const view = store.view()
  const left = { events: view.list(outboxTable, []).length, deliveries: view.list(webhookDeliveriesTable, []).length }
  await store.close()
  return left
}

test('webhook deliveries - are kept for 30 days, and as long as their events where those are kept longer', async (t) => {
  t.same(await leftAfter(89, 90), { events: 1, deliveries: 1 })
  t.same(await leftAfter(91, 90), { events: 0, deliveries: 0 })
  t.same(await leftAfter(29, 7), { events: 0, deliveries: 1 }, 'what became of it is known for longer')
  t.same(await leftAfter(31, 7), { events: 0, deliveries: 0 })
  t.end()
})
