// Actors whose messages are scripts: each is a function of the state that returns effects, so that a test says all it does.
// They run in a real host over the store in memory; what the host lets out is written down in order.

import pino from 'pino'
import type {
  ActorDefinition,
  Connection,
  Context,
  Effect,
  JobOutcome,
  ReplyAddress,
} from '../../src/runtime/actor/actor.js'
import { effect } from '../../src/runtime/actor/actor.js'
import { createActorHost } from '../../src/runtime/actor/actor-host.js'
import type { ActorHost, AnyActorDefinition, Delivery } from '../../src/runtime/actor/actor-host-ports.js'
import { numberSequencesTable } from '../../src/runtime/actor/number-sequences.js'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import type { PartitionTable } from '../../src/runtime/actor/partition-table.js'
import type { ReplyOutcome } from '../../src/runtime/actor/transport.js'
import { wakeUpsTable } from '../../src/runtime/actor/wake-ups.js'
import { type MemoryStore, openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { type MemoryDisk, memoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import { defineTable } from '../../src/runtime/store/table.js'
import { createFakeClock, type FakeClock } from '../support/fake-clock.js'

export const silent = pino({ level: 'silent' })

export interface Counter {
  readonly id: string
  readonly count: number
}

export const countersTable = defineTable<Counter>({ name: 'counters', key: (row) => [row.id] })
export const scriptedTables = [countersTable, numberSequencesTable, outboxTable, wakeUpsTable]

export interface ScriptState {
  count: number
  /** Not in the store: the state may leave memory only while this is false. */
  busy: boolean
  /** Who is answered by a later message. */
  waiting: ReplyAddress[]
}

export type Script = (state: ScriptState, context: Context) => readonly Effect[]

export interface ScriptedOptions {
  readonly kind?: string
  readonly mailboxMessages?: number
  readonly readsItsWrites?: boolean
  readonly activated?: Script
  /** What is answered on connection 1 when a message is refused: `refused <code>`. */
  readonly saysRefusals?: boolean
  readonly tellsQuarantine?: boolean
  /** A message concerns the part that its script's name begins with, up to a `$`; askers wait for their script's part. */
  readonly hasParts?: boolean
}

/** The same script, for one part of an actor that has parts. */
export function forPart(part: string, script: Script): Script {
  const own: Script = (state, context) => script(state, context)
  Object.defineProperty(own, 'name', { value: `${part}$` })
  return own
}

function partOf({ name }: Script): string {
  return name.slice(0, Math.max(0, name.indexOf('$')))
}

export function scriptedActor(options: ScriptedOptions = {}): AnyActorDefinition {
  const definition: ActorDefinition<ScriptState, Script> = {
    kind: options.kind ?? 'counter',
    load: (context) => ({
      count: context.read().get(countersTable, [context.id])?.count ?? 0,
      busy: false,
      waiting: [],
    }),
    handle: (state, script, context) => script(state, context),
    idle: (state) => !state.busy,
    askers: (state) => state.waiting,
    ...(options.mailboxMessages !== undefined && { mailboxMessages: options.mailboxMessages }),
    ...(options.readsItsWrites !== undefined && { readsItsWrites: options.readsItsWrites }),
    ...(options.activated !== undefined && { activated: options.activated }),
    ...(options.saysRefusals === true && {
      refused: (_script, code): readonly Effect[] => [{ type: 'frame', connection: 1, text: `refused ${code}` }],
    }),
    ...(options.hasParts === true && {
      parts: {
        of: (script) => partOf(script),
        forget(state, part) {
          const lost = state.waiting.filter((asker) => asker.front === Number(part))
          state.waiting = state.waiting.filter((asker) => !lost.includes(asker))
          return lost
        },
      },
    }),
    ...(options.tellsQuarantine === true && {
      quarantined: ({ id }) => [
        { type: 'event', event: { event: 'alert.triggered', organizationId: 'org', subject: id, data: {} } },
      ],
    }),
  }
  return definition as unknown as AnyActorDefinition
}

export const anyPartition: PartitionTable = { owner: () => 0, epoch: () => 1 }

export interface Stage {
  readonly clock: FakeClock
  readonly store: MemoryStore
  readonly host: ActorHost
  /** What the host let out, oldest first: `frame 1 text`, `reply 7 {...}`, `send kind/id`, `close 1 1000`, `done 3`. */
  readonly out: string[]
  /** Queues a script for `counter/<id>`. */
  tell(id: string, script: Script, delivery?: Partial<Delivery>): boolean
  /** Queues a script and runs. */
  play(id: string, script: Script, delivery?: Partial<Delivery>): void
  /** Writes what waits and lets the host hear of it. */
  flush(): Promise<void>
  count(id: string): number | undefined
}

export interface StageOptions {
  readonly disk?: MemoryDisk
  readonly definitions?: readonly AnyActorDefinition[]
  readonly passivateAfterMs?: number
  readonly runJob?: (job: string, input: unknown) => Promise<JobOutcome>
  readonly connectionOf?: (address: string) => Connection | undefined
  /** Called instead of running soon, when work is left. */
  readonly again?: () => void
  /** Actors hear what they send to each other. */
  readonly delivers?: boolean
}

/** Everything that has been promised settles before the next immediate. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function saidOf(outcome: ReplyOutcome): string {
  if (outcome.ok) return JSON.stringify(outcome.body)
  return outcome.interrupted === true ? 'interrupted' : JSON.stringify(outcome.code)
}

export function createStage(options: StageOptions = {}): Stage {
  const clock = createFakeClock()
  const store = openMemoryStore(scriptedTables, { flushWhen: 'manual', disk: options.disk ?? memoryDisk() })
  const out: string[] = []
  let seed = 1
  const host = createActorHost({
    definitions: options.definitions ?? [scriptedActor()],
    store,
    partitions: anyPartition,
    clock,
    random: () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    },
    log: silent,
    passivateAfterMs: options.passivateAfterMs ?? 60_000,
    ports: {
      send(to, message) {
        out.push(`send ${to.kind}/${to.id}`)
        if (options.delivers === true) host.deliver(to, { message })
      },
      reply: (to, outcome) => out.push(`reply ${to.ask} ${saidOf(outcome)}`),
      frame: (connection, text) => out.push(`frame ${connection} ${text}`),
      close: (connection, code) => out.push(`close ${connection} ${code}`),
      done: (ticket) => out.push(`done ${ticket}`),
      runJob: options.runJob ?? (() => Promise.resolve({ ok: false, message: 'there are no jobs here' })),
      connectionOf: options.connectionOf ?? (() => undefined),
      again: options.again ?? (() => queueMicrotask(() => host.run())),
    },
  })
  const tell: Stage['tell'] = (id, script, delivery = {}) =>
    host.deliver({ kind: 'counter', id }, { message: script, ...delivery })
  return {
    clock,
    store,
    host,
    out,
    tell,
    play(id, script, delivery) {
      tell(id, script, delivery)
      host.run()
    },
    async flush() {
      store.flush()
      await settled()
    },
    count: (id) => store.view().get(countersTable, [id])?.count,
  }
}

// Scripts that many tests use.

export const frame = (text: string, connection = 1): Effect => ({ type: 'frame', connection, text })

/** Adds one, durably, and says the new count. */
export const add: Script = (state, context) => {
  state.count++
  return [put(context.id, state.count), frame(`${context.id} is ${state.count}`)]
}

/** Says the count; writes nothing. */
export const tellCount: Script = (state, context) => [frame(`${context.id} has ${state.count}`)]

/** Answers nobody yet. */
export const keepWaiting: Script = (state, context) => {
  if (context.replyTo !== undefined) state.waiting.push(context.replyTo)
  return []
}

export const broken: Script = (state) => {
  state.count += 1_000
  throw new Error('this message cannot be handled')
}

export function put(id: string, count: number): Effect {
  return { type: 'put', table: countersTable as never, row: { id, count } satisfies Counter }
}

export function note(id: string, count: number): Effect {
  return effect.note(countersTable, { id, count })
}

export const asker = (ask: number): { readonly replyTo: ReplyAddress } => ({ replyTo: { front: 0, ask } })
