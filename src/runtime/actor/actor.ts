// What an actor is: an address, state loaded at its first message, and a synchronous handler that returns effects.
// Handlers do no I/O and read no clock of their own; the shard carries their effects out once the disk has the puts.

import type { Logger } from 'pino'
import type { ErrorCode } from '../errors.js'
import type { Condition, ReadView } from '../store/store.js'
import type { Key, Table } from '../store/table.js'

/** `kind/id`: where messages go. It need not exist until its first message. */
export interface Address {
  readonly kind: string
  readonly id: string
  /** `kind/id`, where it is needed for every message and so made once. */
  readonly key?: string
}

/** Where the answer to an ask goes: a front, and the number of the ask that waits there. */
export interface ReplyAddress {
  /** The node that the front is on; absent for a front of the receiver's own. */
  readonly node?: number
  /** The front's index in its node. */
  readonly front: number
  readonly ask: number
}

/** A live socket: `connection` is unique among those that live (counter, node and front), `epoch` grows with every connection of its actor. */
export interface Connection {
  readonly connection: number
  readonly epoch: number
  /** What the edge knew at the upgrade; its shape is agreed between the edge and the actor. */
  readonly details: unknown
}

/** What the runtime itself tells an actor about sockets; everything else is the actor's own message type. */
export type SocketMessage =
  | { readonly type: 'attached'; readonly connection: Connection }
  | { readonly type: 'detached'; readonly connection: number; readonly code: number; readonly reason: string }
  | { readonly type: 'frame'; readonly connection: number; readonly text: string }

/** The outcome of a job, delivered as a message. */
export type JobOutcome =
  | { readonly ok: true; readonly value: unknown }
  /** `isRefused`: too many wait, or one of the owner took too long a while ago, and it was not begun. */
  | { readonly ok: false; readonly message: string; readonly isRefused?: boolean }

export type Effect =
  /** Durable: committed with everything else of this turn before anything of this turn is released. */
  | {
      readonly type: 'put'
      readonly table: Table<never>
      readonly row: unknown
      /** Only what has to be kept of it, as while space is low. */
      readonly thin?: true
    }
  | { readonly type: 'remove'; readonly table: Table<never>; readonly key: Key }
  /** Durable within limits.notesWithinMs, unless the shard dies before: nothing waits for it, and of one row only the newest is written. */
  | { readonly type: 'note'; readonly table: Table<never>; readonly row: unknown }
  /** A row that nobody is promised: in the commit of its turn, if that has one, and otherwise in one that nothing waits for. */
  | { readonly type: 'log'; readonly table: Table<never>; readonly row: unknown }
  | { readonly type: 'event'; readonly event: DomainEvent }
  /**
   * Where it does not hold at the commit, nothing of this message is done, and it is handled again, by what the store has then. If it
   * is overtaken again and again (limits.messageAttempts), whoever has asked is refused: by `refusal`, or `conflict`.
   * A message that requires something has a commit of its own; those before and after it do not depend on what it requires.
   */
  | { readonly type: 'require'; readonly condition: Condition; readonly refusal?: Refusal }
  /** `always`: also into a full mailbox. For answers to what the receiver has asked; it bounds them by what it asks. */
  | { readonly type: 'send'; readonly to: Address; readonly message: unknown; readonly always?: true }
  | { readonly type: 'reply'; readonly to: ReplyAddress; readonly body: unknown }
  | { readonly type: 'frame'; readonly connection: number; readonly text: string }
  /** Whoever holds the socket tells the actor what comes of it, in a message of the edge's own. */
  | { readonly type: 'ping'; readonly connection: number }
  | { readonly type: 'close'; readonly connection: number; readonly code: number; readonly reason: string }
  /** Delivers `message` to this actor at `at` (monotonic ms); a second one with the same key replaces the first. */
  | { readonly type: 'schedule'; readonly key: string; readonly at: number; readonly message: unknown }
  | { readonly type: 'cancel'; readonly key: string }
  /** Runs a named job in the job pool and delivers `answer(outcome)` to this actor. */
  | {
      readonly type: 'job'
      readonly job: string
      readonly input: unknown
      readonly answer: (outcome: JobOutcome) => unknown
    }

/** What whoever has asked is answered instead. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
}

export interface DomainEvent {
  readonly event: string
  readonly organizationId: string
  /** Order is kept per subject: the charge point, where there is one. */
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface Context {
  readonly id: string
  /** Wall time, ms. For the times that people read. */
  now(): number
  /** Monotonic time, ms. For deadlines in memory. */
  monotonic(): number
  /** Steady time, ms. For everything that waits longer than memory lasts: wake-ups, retries, ages. */
  steady(): number
  /** Wall time as far as it is confirmed, ms. For everything that cannot be undone. */
  confirmed(): number
  newId(prefix: string): string
  random(): number
  read(): ReadView
  /** Grows with every turn: what earlier turns wrote is in the view, what this one writes is not. */
  readonly turn: number
  /**
   * The next number of a durable sequence of this partition: unique in the installation, positive, below 2^31. After some millions they begin
   * anew: from then on, those that `isInUse` says are passed over. Before, it is not asked.
   */
  nextNumber(sequence: string, isInUse?: (number: number) => boolean): number
  /** The newest live socket of this actor, if any. */
  readonly connection: Connection | undefined
  /** Who asked, when the message in hand is an ask. */
  readonly replyTo: ReplyAddress | undefined
  readonly log: Logger
}

/** How a state divides into parts that do not depend on each other: what fails for one of them leaves the others as they are. */
export interface ActorParts<State, Message> {
  /** Which part a message concerns; the state is undefined before the actor is loaded. */
  of(message: Message, state: State | undefined): string
  /** A message of this part has failed: forgets what the state holds of it, and returns whose question only that could answer. */
  forget(state: State, part: string): readonly ReplyAddress[]
}

export interface ActorDefinition<State, Message> {
  readonly kind: string
  /** Reads the state from the store, at the first message; everything not in the store is lost with the shard. */
  load(context: Context): State
  /** Once after `load`: the timers to arm again. */
  activated?(state: State, context: Context): readonly Effect[]
  handle(state: State, message: Message, context: Context): readonly Effect[]
  /** What is said when a message could not be handled or its turn not committed: frames, replies and sends only. */
  refused?(message: Message, code: ErrorCode, context: Context): readonly Effect[]
  /** What is stored and told when the actor, or a part of it, has failed so often that it is left alone for a while. */
  quarantined?(context: Context, part?: string): readonly Effect[]
  /** For an actor that many share; without it, a failure concerns all of the actor. */
  readonly parts?: ActorParts<State, Message>
  /** Handlers look in the store for what an earlier message wrote: a turn then ends with the first message that writes. */
  readonly readsItsWrites?: boolean
  /** Messages that may wait for one actor of this kind; limits.mailboxMessages by default. */
  readonly mailboxMessages?: number
  /** Whether the state holds nothing but what the store holds, so that it may leave memory. */
  idle(state: State): boolean
  /** Whose question only this state can still answer: told that it was interrupted when the state is lost. */
  askers?(state: State): readonly ReplyAddress[]
}

// The typed way to build effects; `put` and `remove` tie a row to its table.
export const effect = {
  put: <Row>(table: Table<Row>, row: Row): Effect => ({ type: 'put', table: table as unknown as Table<never>, row }),
  remove: <Row>(table: Table<Row>, key: Key): Effect => ({
    type: 'remove',
    table: table as unknown as Table<never>,
    key,
  }),
  note: <Row>(table: Table<Row>, row: Row): Effect => ({ type: 'note', table: table as unknown as Table<never>, row }),
  log: <Row>(table: Table<Row>, row: Row): Effect => ({ type: 'log', table: table as unknown as Table<never>, row }),
  event: (event: DomainEvent): Effect => ({ type: 'event', event }),
  require: (condition: Condition, refusal?: Refusal): Effect => ({
    type: 'require',
    condition,
    ...(refusal !== undefined && { refusal }),
  }),
  send: (to: Address, message: unknown): Effect => ({ type: 'send', to, message }),
  /** To an actor that has asked for it, and must not miss it. */
  answer: (to: Address, message: unknown): Effect => ({ type: 'send', to, message, always: true }),
  reply: (to: ReplyAddress, body: unknown): Effect => ({ type: 'reply', to, body }),
  frame: (connection: number, text: string): Effect => ({ type: 'frame', connection, text }),
  ping: (connection: number): Effect => ({ type: 'ping', connection }),
  close: (connection: number, code: number, reason: string): Effect => ({ type: 'close', connection, code, reason }),
  schedule: (key: string, at: number, message: unknown): Effect => ({ type: 'schedule', key, at, message }),
  cancel: (key: string): Effect => ({ type: 'cancel', key }),
  job: (job: string, input: unknown, answer: (outcome: JobOutcome) => unknown): Effect => ({
    type: 'job',
    job,
    input,
    answer,
  }),
}
