// Deliveries of webhooks: what a receiver is sent is on the disk, in the order of its charge point, and an endpoint passes no
// event that it was subscribed to without a delivery that is stored.

import type { Receiver, ReceiverObserver } from '../receivers.js'
import type { DiskWatch, Row, RowChange } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface DeliveryOracle extends ReceiverObserver {
  /** Some actors begin anew from the disk: what they had under way is attempted again. */
  forgotten(): void
  /** After a group of commits; the changed events are those of the same group. */
  written(events: readonly RowChange[]): void
  /** `clockSet`: retries are kept by the wall clock over a restart, so nothing can be said of their time. */
  settled(clockSet: boolean): void
}

export const deliveryTables = ['webhook_deliveries', 'webhook_progress']

/** How long after each failed attempt the next one is made at the latest, ms: the schedules that the contract names. */
const delaysMs: Readonly<Record<Receiver['format'], readonly number[]>> = {
  a: [60_000, 600_000],
  b: [5_000, 30_000, 300_000],
}
/** A receiver that asks for more time gets it. */
const asksForMs = 20_000
/** What a busy store, a throttled endpoint and a commit that was refused may add. */
const slackMs = 60_000

interface Account {
  readonly receiver: Receiver
  /** Ids of the events that it is subscribed to, in their order, and when they reached the disk. */
  readonly wanted: { readonly id: string; readonly at: number }[]
  /** How many of them it is past. */
  passed: number
  readonly bodies: Map<string, string>
  readonly taken: Set<string>
  readonly failedAt: Map<string, number>
  /** By subject: the newest event that was ever sent, and the attempt that is under way. */
  readonly newest: Map<string, string>
  readonly underWay: Map<string, number>
  readonly deliveries: Map<string, Row>
}

export function createDeliveryOracle(
  { check }: Verdict,
  disk: DiskWatch,
  now: () => number,
  receivers: readonly Receiver[],
): DeliveryOracle {
  const subjects = new Map<string, string>()
  const accounts = new Map<string, Account>(
    receivers.map((receiver) => [
      receiver.endpointId,
      {
        receiver,
        wanted: [],
        passed: 0,
        bodies: new Map(),
        taken: new Set(),
        failedAt: new Map(),
        newest: new Map(),
        underWay: new Map(),
        deliveries: new Map(),
      },
    ]),
  )
  const accountOf = (endpointId: unknown): Account => accounts.get(String(endpointId)) as Account

  function eventsStored(changes: readonly RowChange[]): void {
    for (const { after } of changes) {
      if (after === undefined) continue
      subjects.set(String(after.id), String(after.subject))
      for (const { receiver, wanted } of accounts.values()) {
        if (after.organizationId !== receiver.organizationId || !receiver.wants(String(after.event))) continue
        wanted.push({ id: String(after.id), at: now() })
      }
    }
  }

  function deliveriesStored(): void {
    for (const { after } of disk.changes('webhook_deliveries')) {
      if (after === undefined) continue
      const { deliveries, taken } = accountOf(after.endpoint_id)
      const id = String(after.delivery_id).replace('dlv_', 'evt_')
      deliveries.set(id, after)
      const honest = after.status !== 'succeeded' || taken.has(id)
      check('delivery-honest', honest, () => `${after.endpoint_id}: ${id} has succeeded, the receiver never took it`)
    }
  }

  function placesStored(): void {
    for (const { after } of disk.changes('webhook_progress')) {
      if (after === undefined) continue
      const account = accountOf(after.endpoint_id)
      const { wanted, deliveries } = account
      for (let next = wanted[account.passed]; next !== undefined && next.id <= String(after.cursor); ) {
        const { id } = next
        check(
          'delivery-kept',
          deliveries.has(id),
          () => `${after.endpoint_id} has passed ${id}, of which nothing is kept`,
        )
        next = wanted[++account.passed]
      }
    }
  }

  function isLate({ receiver, failedAt }: Account, id: string, { attempts }: Row): boolean {
    const delayMs = delaysMs[receiver.format][Number(attempts) - 1] ?? Number.POSITIVE_INFINITY
    return now() > (failedAt.get(id) ?? 0) + Math.max(delayMs, asksForMs) + slackMs
  }

  return {
    sent(endpointId, eventId, attempt, body) {
      const { bodies, newest, underWay, receiver } = accountOf(endpointId)
      const stored = subjects.get(eventId)
      check('delivery-honest', stored !== undefined, () => `${endpointId} is sent ${eventId}, which is not on disk`)
      const subject = stored ?? ''
      const alone = !underWay.has(subject)
      check('delivery-order', alone, () => `${endpointId} is sent ${eventId} beside another event of ${subject}`)
      underWay.set(subject, attempt)
      const before = bodies.get(eventId) ?? body
      check('delivery-honest', before === body, () => `${endpointId}: ${eventId} was ${before} and now is ${body}`)
      if (!bodies.has(eventId)) {
        const { event } = JSON.parse(body) as { event: string }
        check(
          'delivery-honest',
          receiver.wants(event),
          () => `${endpointId} is sent ${event}, and did not subscribe to it`,
        )
        const last = newest.get(subject) ?? ''
        check('delivery-order', eventId > last, () => `${endpointId} is sent ${eventId} of ${subject} after ${last}`)
        newest.set(subject, eventId)
      }
      bodies.set(eventId, body)
    },
    taken: (endpointId, eventId) => void accountOf(endpointId).taken.add(eventId),
    ended(endpointId, eventId, attempt, ok) {
      const { failedAt, underWay } = accountOf(endpointId)
      const subject = subjects.get(eventId) ?? ''
      if (underWay.get(subject) === attempt) underWay.delete(subject)
      if (!ok) failedAt.set(eventId, now())
    },
    forgotten() {
      for (const { underWay } of accounts.values()) underWay.clear()
    },
    written(events) {
      eventsStored(events)
      deliveriesStored()
      placesStored()
    },
    settled(clockSet) {
      for (const account of accounts.values()) {
        const { receiver, wanted, deliveries } = account
        for (const { id, at } of wanted) {
          if (now() < at + slackMs) continue
          const delivery = deliveries.get(id)
          check('settled', delivery !== undefined, () => `${receiver.endpointId} was never sent ${id}`)
          if (delivery === undefined || delivery.status === 'succeeded') continue
          const waits = delivery.status === 'pending' && (clockSet || !isLate(account, id, delivery))
          check(
            'settled',
            waits,
            () => `${receiver.endpointId}: ${id} is ${delivery.status} after ${delivery.attempts}`,
          )
        }
      }
    },
  }
}
