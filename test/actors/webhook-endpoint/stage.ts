// A webhook endpoint's actor over the store in memory, in time that passes at once, with a receiver that answers as a test
// says, and a shard that may end between any two steps.

import { pino } from 'pino'
import { webhookFollowers } from '../../../src/actors/webhook-endpoint/followers.js'
import {
  type CreateEndpointMessage,
  type WebhookEndpointMessage,
  webhookEndpointAddress,
} from '../../../src/actors/webhook-endpoint/messages.js'
import { webhookEndpoint } from '../../../src/actors/webhook-endpoint/webhook-endpoint.js'
import { tables } from '../../../src/records/index.js'
import { type WebhookDelivery, webhookDeliveriesTable } from '../../../src/records/webhook-delivery.js'
import { webhookEndpointsTable, webhookProgressTable } from '../../../src/records/webhook-endpoint.js'
import type { JobOutcome } from '../../../src/runtime/actor/actor.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { eventChange, outboxTable } from '../../../src/runtime/actor/outbox.js'
import type { ReplyOutcome } from '../../../src/runtime/actor/transport.js'
import { createWakeUpSweep, wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import type { AnswerHeaders, OutboundOutcome, OutboundRequest } from '../../../src/runtime/outbound-jobs.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { type Change, type ChangeBatch, type CommitResult, unowned } from '../../../src/runtime/store/store.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'

export const endpointId = 'whe_1'
export const organizationId = 'org_1'
export const secretText = 'a secret of the test'.replaceAll(' ', '-')
export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
const partitions = ownPartitions()

export interface Attempt {
  /** Wall ms. */
  readonly at: number
  readonly eventId: string
  readonly subject: string
  readonly request: OutboundRequest
  /** The own process refused it: nothing was sent. */
  noRoom: boolean
  /** Its actor has lost its memory since. */
  forgotten: boolean
}

/** After so long, this; `never` is a receiver that hangs until the request's time is over. */
export type Answered = number | { readonly status: number; readonly headers?: AnswerHeaders; readonly afterMs?: number }
export type Reaction = Answered | 'never' | 'unreachable' | 'no room'

function outcomeOf(reaction: Reaction, request: OutboundRequest): { afterMs: number; outcome: JobOutcome } {
  const failed = (reason: 'timeout' | 'connection', message: string, milliseconds: number) => {
    const value: OutboundOutcome = { type: 'failed', reason, message, milliseconds }
    return { afterMs: milliseconds, outcome: { ok: true, value } as const }
  }
  if (reaction === 'no room') return { afterMs: 0, outcome: { ok: false, message: 'the queue is full' } }
  if (reaction === 'never') return failed('timeout', 'there was no complete answer', request.timeoutMs)
  if (reaction === 'unreachable') return failed('connection', 'the connection was refused', 1)
  const { status, headers = {}, afterMs = 1 } = typeof reaction === 'number' ? { status: reaction } : reaction
  const value: OutboundOutcome = { type: 'answered', status, headers, milliseconds: afterMs }
  return { afterMs, outcome: { ok: true, value } }
}

interface UnderWay {
  readonly attempt: Attempt
  readonly at: number
  readonly resolve: (outcome: JobOutcome) => void
  readonly outcome: JobOutcome
}

export interface Stage extends ReturnType<typeof createStage> {}

export interface StageOptions {
  readonly random?: () => number
  /** Turns of the event loop that a commit takes: what comes meanwhile is one turn of the actor. */
  readonly commitTurns?: number
}

export function createStage(options: StageOptions = {}) {
  const clock = createFakeClock()
  const store = openMemoryStore(tables, { clock })
  const { random = () => 0, commitTurns = 0 } = options
  const attempts: Attempt[] = []
  const replies: ReplyOutcome[] = []
  let commits: ChangeBatch[] = []
  let mayCommit = () => true
  let react: (attempt: Attempt) => Reaction = () => 200
  let underWay: UnderWay[] = []

  async function runJob(request: OutboundRequest): Promise<JobOutcome> {
    const eventId = request.headers['webhook-id'] as string
    const subject = store.view().get(outboxTable, [eventId])?.subject ?? ''
    const attempt: Attempt = { at: clock.now(), eventId, subject, request, noRoom: false, forgotten: false }
    attempts.push(attempt)
    const { afterMs, outcome } = outcomeOf(react(attempt), request)
    attempt.noRoom = !outcome.ok
    return new Promise((resolve) => underWay.push({ attempt, at: clock.monotonic() + afterMs, resolve, outcome }))
  }

  /** The actor forgets what it was at, as after a crash; the answers come all the same. */
  function refuse(): CommitResult {
    for (const { attempt } of underWay) attempt.forgotten = true
    return { ok: false, reason: 'storage_unavailable', message: 'the disk is full' }
  }

  let lives = 0
  /** Of a shard that has ended, nothing is heard any more. */
  const silence = new Promise<never>(() => {})

  function startShard() {
    const life = ++lives
    const host = createActorHost({
      definitions: [webhookEndpoint] as unknown as readonly AnyActorDefinition[],
      store: {
        view: store.view,
        async commit(batch) {
          for (let turns = 0; turns < commitTurns; turns++) await new Promise((resolve) => setImmediate(resolve))
          if (life !== lives) return silence
          if (!mayCommit()) return refuse()
          commits.push(batch)
          return store.commit(batch)
        },
      },
      partitions: ownPartitions(),
      clock,
      random,
      log: pino({ level: 'silent' }),
      passivateAfterMs: minute,
      ports: {
        send: (to, message) => void host.deliver(to, { message }),
        reply: (_, outcome) => replies.push(outcome),
        frame() {},
        close() {},
        done() {},
        runJob: (_, input) => (life === lives ? runJob(input as OutboundRequest) : silence),
        connectionOf: () => undefined,
      },
    })
    return { host, sweep: createWakeUpSweep({ view: store.view, clock, partitions, owner: 0, host }) }
  }
  let shard = startShard()

  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      const answered = await turn()
      const { mailbox, committing } = shard.host.statistics()
      quiet = mailbox === 0 && committing === 0 && answered === 0 ? quiet + 1 : 0
    }
  }

  /** One turn of the event loop, with the answers that are due. */
  async function turn(): Promise<number> {
    const due = underWay.filter(({ at }) => at <= clock.monotonic())
    underWay = underWay.filter(({ at }) => at > clock.monotonic())
    for (const { resolve, outcome } of due) resolve(outcome)
    shard.host.runTimers()
    await new Promise((resolve) => setImmediate(resolve))
    return due.length
  }

  /** When anything happens next, monotonic: a timer, an answer, or the sweep after a wake-up. */
  function nextStep(): number {
    const now = clock.monotonic()
    const [wakeUp] = [...store.view().list(wakeUpsTable, [])].sort((one, other) => one.at - other.at)
    // What has been told of and is not done yet waits for a later sweep.
    const due = wakeUp === undefined ? Number.POSITIVE_INFINITY : now + Math.max(1, wakeUp.at - clock.now())
    const timer = shard.host.nextTimer() ?? Number.POSITIVE_INFINITY
    return Math.min(timer, Math.ceil(due / second) * second, ...underWay.map(({ at }) => at))
  }

  const view = () => store.view()
  const stage = {
    clock,
    view,
    attempts,
    replies,
    settle,
    commits: () => commits,
    underWay: () => underWay.map(({ attempt }) => attempt),
    endpoint: () => view().get(webhookEndpointsTable, [endpointId]),
    progress: () => view().get(webhookProgressTable, [endpointId]),
    wakeUps: () => view().list(wakeUpsTable, []),
    events: () => view().list(outboxTable, []),
    deliveries: (): WebhookDelivery[] => view().listBy(webhookDeliveriesTable, 'byEndpoint', [endpointId]),
    statistics: () => shard.host.statistics(),
    passivate: () => shard.host.passivate(),
    commit: (changes: readonly Change[]) => store.commit(unowned(changes)),
    receiver(next: (attempt: Attempt) => Reaction) {
      react = next
    },
    disk(takes: () => boolean) {
      mayCommit = takes
    },
    forgetCommits() {
      commits = []
    },
    async ask(message: WebhookEndpointMessage) {
      shard.host.deliver(webhookEndpointAddress(endpointId), { message, replyTo: { front: 0, ask: 1 } })
      shard.host.run()
      await settle()
      const reply = replies.at(-1)
      return reply?.ok === true ? reply.body : reply
    },
    create(fields: Partial<CreateEndpointMessage['endpoint']> = {}, secret = secretText) {
      const usual = { url: 'https://example.com/hooks', events: ['*'], active: true, payload_format: 'b' } as const
      return stage.ask({ type: 'create', endpoint: { organization_id: organizationId, ...usual, ...fields }, secret })
    },
    /** Events as actors emit them; the endpoint is told, as the store tells its followers. */
    async emit(subject: string, count = 1, event = 'charge_point.fault', organization = organizationId) {
      await stage.append(subject, count, event, organization)
      await settle()
    },
    async append(subject: string, count = 1, event = 'charge_point.fault', organization = organizationId) {
      const changes = Array.from({ length: count }, (_, number) =>
        eventChange({ event, organizationId: organization, subject, data: { number } }, clock.now()),
      )
      await store.commit(unowned(changes))
      stage.tellFollowers(organization)
    },
    tellFollowers(organization = organizationId) {
      for (const to of webhookFollowers.of(view(), organization))
        shard.host.deliver(to, { message: { type: 'appended' }, always: true })
      shard.host.run()
    },
    /** Everything that is due within this time happens, in its order. */
    async pass(ms: number) {
      const end = clock.monotonic() + ms
      await settle()
      for (let next = nextStep(); next <= end; next = nextStep()) {
        clock.advance(Math.max(0, next - clock.monotonic()))
        // The sweep is a shard's, once a second.
        if (clock.monotonic() % second === 0 && shard.sweep.sweep() > 0) shard.host.run()
        await settle()
      }
      clock.advance(end - clock.monotonic())
      await settle()
    },
    /** So many turns of the event loop, and no more: something may be half done then. */
    async turns(count: number) {
      for (let made = 0; made < count; made++) await turn()
    },
    /** The end of a shard at this moment: what was in memory is lost, and what was under way is heard of no more. */
    crash() {
      underWay = []
      shard = startShard()
    },
    /** As a shard does at its start. */
    start() {
      for (const to of webhookFollowers.all(view()))
        shard.host.deliver(to, { message: { type: 'appended' }, always: true })
      shard.sweep.sweep()
      shard.host.run()
    },
    async restart() {
      stage.crash()
      stage.start()
      await settle()
    },
  }
  return stage
}
