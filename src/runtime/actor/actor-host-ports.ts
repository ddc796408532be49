// What an actor host needs of its surroundings, and what it offers them. actor-host.ts does the work.

import type { Logger } from 'pino'
import type { ServiceClock } from '../steady-time.js'
import type { Store } from '../store/store.js'
import type { ActorDefinition, Address, Connection, Effect, JobOutcome, ReplyAddress } from './actor.js'
import type { Quarantined } from './blame.js'
import type { PartitionTable } from './partition-table.js'
import type { ReplyOutcome } from './transport.js'

/** An actor definition of any state and message; the host only hands their own values back to them. */
export type AnyActorDefinition = ActorDefinition<never, never>

/** Where the host's released effects go. */
export interface HostPorts {
  send(to: Address, message: unknown, always?: true): void
  reply(to: ReplyAddress, outcome: ReplyOutcome): void
  frame(connection: number, text: string): void
  /** Absent where nobody holds sockets that could be pinged. */
  ping?(connection: number): void
  close(connection: number, code: number, reason: string): void
  /** The message that came with this ticket has been handled and everything it promised is on disk. */
  done(ticket: number): void
  runJob(job: string, input: unknown): Promise<JobOutcome>
  connectionOf(address: string): Connection | undefined
  /** Asks for another run() in a later turn of the event loop, because work is left; setImmediate unless given. */
  again?(): void
}

/** What a turn has promised others leaves; the rest of its effects is on disk, or the host's own. */
export function letOut(ports: HostPorts, effect: Effect): void {
  if (effect.type === 'frame') ports.frame(effect.connection, effect.text)
  else if (effect.type === 'send') ports.send(effect.to, effect.message, effect.always)
  else if (effect.type === 'reply') ports.reply(effect.to, { ok: true, body: effect.body })
  else if (effect.type === 'ping') ports.ping?.(effect.connection)
  else if (effect.type === 'close') ports.close(effect.connection, effect.code, effect.reason)
}

export interface Delivery {
  readonly message: unknown
  readonly replyTo?: ReplyAddress | undefined
  /** Reported through `done` once handled; 0 for none. */
  readonly ticket?: number
  /** Said again and again: of those with the same text that have to wait for long, one is enough. */
  readonly repeated?: string
  /** Taken by a full mailbox too: what the runtime itself tells once (a socket's end, a timer), and nobody tells again. */
  readonly always?: true
  /** When whoever asked stops waiting, monotonic ms of this machine: it is not handled after that. */
  readonly expiresAt?: number
  /** Of this life of the actor alone, which has set a timer or begun a job: another life of it does not know what for. */
  readonly isOwn?: true
  /** The second time that it is handled is 2, and so on; absent the first time. */
  readonly attempt?: number
}

/** What an actor had not handled when it left. */
export interface Unhandled {
  readonly to: Address
  readonly delivery: Delivery
}

export interface HostOptions {
  readonly definitions: readonly AnyActorDefinition[]
  readonly store: Pick<Store, 'view' | 'commit'>
  readonly partitions: PartitionTable
  /**
   * Whether its actors are this host's, which then alone may have them in memory; those of all partitions are unless this is given. Not any
   * more while it lets go of them: the epoch is its own until then, and what has left the memory must not come back.
   */
  readonly holds?: (partition: number) => boolean
  readonly clock: ServiceClock
  readonly random: () => number
  readonly log: Logger
  readonly ports: HostPorts
  readonly passivateAfterMs: number
  /** Told which actor (`kind/id`), and which part of it, handles which message from now on, undefined for none: if the thread dies,
   * that one is to blame. */
  readonly onHandling?: (actor: string | undefined, message: unknown, part: string) => void
  /** Actors, or parts of them, that earlier lives of this host have ended of: they have no turn for a while. */
  readonly quarantined?: readonly Quarantined[]
}

export interface ActorHost {
  /** Whether there are actors of this kind. */
  hosts(kind: string): boolean
  /** Queues a message; false when the actor's mailbox is full. */
  deliver(to: Address, delivery: Delivery): boolean
  /** Acknowledges what `of` is true of without handling it, where its turn has not begun. Returns how many messages that were. */
  discard(to: Address, of: (message: unknown) => boolean): number
  /** Gives each actor that is ready a turn, for as long as a slice may take; what is left, or becomes ready meanwhile, runs later. */
  run(): void
  /** Delivers due timers, then runs. Call at nextTimer(). */
  runTimers(): void
  nextTimer(): number | undefined
  /** Drops actors that have been idle; returns how many are left. */
  passivate(): number
  /**
   * Lets go of the actors of these partitions, which get nothing delivered from now on: each once its turn is on disk. Who waits for an
   * answer that only their memory could give is told that it was interrupted. Resolves with what they had not handled.
   */
  release(partitions: ReadonlySet<number>): Promise<readonly Unhandled[]>
  /** Whether any actor of these partitions is in its memory. */
  hasActorsOf(partitions: ReadonlySet<number>): boolean
  /** As HostOptions.quarantined; for an actor of another host's it does nothing. */
  leaveAlone(quarantined: Quarantined): void
  statistics(): HostStatistics
}

export interface HostStatistics {
  readonly actors: number
  readonly mailbox: number
  readonly committing: number
  readonly timers: number
  readonly turns: number
  readonly failures: number
}
