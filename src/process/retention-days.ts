// How long rows are kept where the operator has a say in it: in days, by table. The tables themselves say it of the others.

import { auditTable } from '../records/audit-entry.js'
import { messagesTable } from '../records/message.js'
import { deliveriesKeptMs, webhookDeliveriesTable } from '../records/webhook-delivery.js'
import { outboxTable } from '../runtime/actor/outbox.js'
import type { Settings } from '../settings.js'

const dayMs = 24 * 3_600_000

export function retentionDays({
  event_retention_days,
  audit_retention_days,
  message_retention_days,
}: Pick<Settings, 'event_retention_days' | 'audit_retention_days' | 'message_retention_days'>): Readonly<
  Record<string, number>
> {
  return {
    [outboxTable.name]: event_retention_days,
    // As long as the event can be delivered: a delivery that goes sooner takes the retry with it that it waits for.
    [webhookDeliveriesTable.name]: Math.max(deliveriesKeptMs / dayMs, event_retention_days),
    [auditTable.name]: audit_retention_days,
    [messagesTable.name]: message_retention_days,
  }
}
