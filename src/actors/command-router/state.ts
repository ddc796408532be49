// What the command router holds in memory: the commands that are on their way, and who waits for them.

import type { BegunCommand, CommandRecord } from '../../records/command.js'
import type { Address, ReplyAddress } from '../../runtime/actor/actor.js'
import type { RecentIds } from '../../runtime/link/recent-ids.js'
import type { Bulk } from './bulk.js'
import type { CommandRates } from './command-rate.js'
import type { RecordRoom } from './record-room.js'

/** Who waits for a command: an asker, an actor, or a bulk command at the place of one target. */
export type Asker =
  | { readonly type: 'asker'; readonly replyTo: ReplyAddress | undefined }
  | { readonly type: 'actor'; readonly notify: Address }
export type Waiter = Asker | { readonly type: 'bulk'; readonly bulkId: string; readonly at: number }

export interface Running {
  readonly begun: BegunCommand
  readonly waiter: Waiter
  /** Monotonic ms. */
  readonly deadline: number
  /** What the charge point was sent and its answer must not repeat. */
  readonly secrets: readonly string[]
}

export interface TimedOut {
  readonly record: CommandRecord
  readonly secrets: readonly string[]
}

export interface CommandRouterState {
  readonly running: Map<string, Running>
  readonly bulks: Map<string, Bulk>
  readonly rates: CommandRates
  readonly room: RecordRoom
  /** The records of commands that timed out lately, in case their answers come after all. */
  readonly timedOut: Map<string, TimedOut>
  /** Commands that have been begun lately, also those whose end is not on disk yet. */
  readonly begun: RecentIds<string>
}
