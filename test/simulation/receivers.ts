// The receivers of webhooks in a world: one endpoint of each organization, and what its receiver answers. They are away for
// a while, lose requests and answers, and say that they are busy; what they have taken they have taken for good.

import { type PayloadFormat, type WebhookEndpoint, webhookEndpointsTable } from '../../src/records/webhook-endpoint.js'
import type { JobOutcome } from '../../src/runtime/actor/actor.js'
import type { OutboundOutcome, OutboundRequest } from '../../src/runtime/outbound-jobs.js'
import type { Table } from '../../src/runtime/store/table.js'
import type { Faults } from './faults.js'
import { organizationIdOf } from './organizations.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

export interface Receiver {
  readonly endpointId: string
  readonly organizationId: string
  readonly format: PayloadFormat
  /** What it is subscribed to; and the same as the contract words it, for the oracle. */
  readonly events: readonly string[]
  readonly wants: (event: string) => boolean
}

/** Both forms of payloads, and three ways to subscribe. */
export const receivers: readonly Receiver[] = [
  { format: 'b', events: ['*'], wants: () => true },
  { format: 'a', events: ['session.*'], wants: (event: string) => event.startsWith('session.') },
  { format: 'b', events: ['session.ended'], wants: (event: string) => event === 'session.ended' },
].map((subscription, organization) => ({
  ...(subscription as Pick<Receiver, 'format' | 'events' | 'wants'>),
  endpointId: `whe_${organization}`,
  organizationId: organizationIdOf(organization),
}))

export interface ReceiverObserver {
  /** An attempt begins; its number is its own. */
  sent(endpointId: string, eventId: string, attempt: number, body: string): void
  /** The receiver has it, whether or not the service hears so. */
  taken(endpointId: string, eventId: string): void
  /** The service hears of it: that it has been taken, that it has not, or nothing in time. */
  ended(endpointId: string, eventId: string, attempt: number, ok: boolean): void
}

export interface Receivers {
  /** The job of the outbound thread: resolves in `thread`, which waits for it. */
  post(request: OutboundRequest, thread: SimulatedThread): Promise<JobOutcome>
  /** One of them is not there for a while. */
  goAway(milliseconds: number): void
}

export interface ReceiversOptions {
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly outside: SimulatedThread
  readonly observer: ReceiverObserver
}

const slowestAnswerMs = 60
const busySeconds = 20

const urlOf = (endpointId: string): string => `https://${endpointId.replace('_', '-')}.example/events`

export function createReceivers({ time, faults, outside, observer }: ReceiversOptions): Receivers {
  const { random } = faults
  let attempts = 0
  const backAt = new Map<string, number>()
  const delay = (): number => 0.5 + random() * slowestAnswerMs

  return {
    post({ url, headers, body = '', timeoutMs }, thread) {
      const { endpointId } = receivers.find((receiver) => urlOf(receiver.endpointId) === url) as Receiver
      const eventId = headers['webhook-id'] as string
      const attempt = ++attempts
      observer.sent(endpointId, eventId, attempt, body)

      function outcome(afterMs: number, value: OutboundOutcome): Promise<JobOutcome> {
        return new Promise((resolve) => {
          time.settleAfter(afterMs, thread, () => {
            observer.ended(endpointId, eventId, attempt, value.type === 'answered' && value.status === 200)
            resolve({ ok: true, value })
          })
        })
      }
      const silence = (reason: 'connection' | 'timeout', milliseconds: number): Promise<JobOutcome> =>
        outcome(milliseconds, { type: 'failed', reason, message: `no answer: ${reason}`, milliseconds })
      function answer(status: number, answerHeaders: Readonly<Record<string, string>>): Promise<JobOutcome> {
        const milliseconds = there + delay()
        return outcome(milliseconds, { type: 'answered', status, headers: answerHeaders, milliseconds })
      }

      const there = delay()
      if (time.monotonic() < (backAt.get(endpointId) ?? 0)) return silence('connection', there)
      const trouble = faults.happens('deliveryTrouble') ? random() : 1
      if (trouble < 0.25) return silence('timeout', timeoutMs)
      if (trouble < 0.5) return answer(503, { 'retry-after': String(busySeconds) })
      time.after(there, outside, () => observer.taken(endpointId, eventId))
      return trouble < 1 ? silence('timeout', timeoutMs) : answer(200, {})
    },
    goAway(milliseconds) {
      const { endpointId } = receivers[Math.floor(random() * receivers.length)] as Receiver
      backAt.set(endpointId, time.monotonic() + milliseconds)
    },
  }
}

export function endpointRows<Put>(
  endpoints: readonly Receiver[],
  at: string,
  put: <Row>(table: Table<Row>, row: Row) => Put,
): Put[] {
  return endpoints.map(({ endpointId, organizationId, format, events }) =>
    put<WebhookEndpoint>(webhookEndpointsTable, {
      endpoint_id: endpointId,
      organization_id: organizationId,
      url: urlOf(endpointId),
      events,
      active: true,
      payload_format: format,
      secrets: [{ secret: 'a secret that the receiver has' }],
      created_at: at,
      updated_at: at,
    }),
  )
}
