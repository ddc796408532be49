// What is known of the installation, second by second: every figure by name, what it means, and what many seconds of it become when they are
// shown as one. The main thread measures them (src/process/installation-figures.ts), out of what /metrics counts.

import type { Combine } from '../../../runtime/thread/series-ring.js'

export interface Figure {
  readonly combine: Combine
  readonly about: string
}

const mean = (about: string): Figure => ({ combine: 'mean', about })
const maximum = (about: string): Figure => ({ combine: 'maximum', about })
const sum = (about: string): Figure => ({ combine: 'sum', about })

/** Of the process as a whole. */
export const processFigures = {
  connections: mean('OCPP connections.'),
  frames_received_per_second: mean('OCPP frames received.'),
  frames_sent_per_second: mean('OCPP frames sent.'),
  messages_per_second: mean('OCPP requests of charge points, of all actions.'),
  connections_refused_per_second: mean('Connection attempts refused, for all reasons.'),
  connections_ended_per_second: mean('Connections that the service has ended by itself.'),
  requests_refused_per_second: mean('HTTP requests refused before a route saw them.'),
  frames_dropped_per_second: mean('Frames not handled because their connection had sent more than it may.'),
  overload_level: maximum(
    'The step of the overload ladder: 0 nothing is refused, 1 new connections, 2 lists too, 3 commands too.',
  ),
  asks: mean('Questions of requests to actors that wait for an answer.'),
  unacknowledged_items: mean('Frames and socket events that a shard has not finished.'),
  event_streams: mean('Event streams that are open.'),
  long_reads: mean('Long reads that are under way.'),
  long_reads_waiting: mean('Long reads that wait for their turn.'),
  actors: mean('Actors in memory.'),
  mailbox_messages: mean('Messages that wait for an actor.'),
  commits_waiting: mean('Actors that wait for the disk.'),
  timers: mean('Timers of actors.'),
  turns_per_second: mean('Turns of actors.'),
  failures_per_second: mean('Messages that could not be handled, and turns that could not be committed.'),
  messages_dropped_per_second: mean('Messages between actors that a full mailbox did not take.'),
  webhook_attempts_per_second: mean('Attempts to deliver an event.'),
  webhook_failures_per_second: mean('Those of them that failed.'),
  roaming_pushes_per_second: mean('Attempts to tell a roaming partner of a change.'),
  roaming_push_failures_per_second: mean('Those of them that failed.'),
  store_groups_per_second: mean('Transactions of the store.'),
  commits_per_second: mean('Batches committed; a transaction of the store has several.'),
  rows_changed_per_second: mean('Rows changed.'),
  store_busy_share: mean('Share of the time in which the store was in a transaction, 0 to 1.'),
  store_refused_groups_per_second: mean('Transactions that the disk refused.'),
  store_writable: mean('1 while the disk takes writes, 0 while it does not.'),
  disk_free_bytes: mean('Free space of the disk of the store.'),
  space_level: maximum(
    'The step of the ladder of a disk that fills up: 0 enough space; 1 meter values are thinned; 2 only what charge points and transactions need is stored; 3 only transactions.',
  ),
  batches_refused_for_space_per_second: mean('Batches refused because space is low.'),
  shards_replaced: sum('Shard threads that ended or hung, and were replaced.'),
  processor_cores: mean('Processor time that all threads together used, in cores.'),
  resident_bytes: mean('Memory of the process.'),
} satisfies Readonly<Record<string, Figure>>

/** Of each thread. */
export const threadFigures = {
  loop_delay_milliseconds: maximum('The longest delay of the event loop in a second.'),
  busy_share: mean('Share of the time in which the event loop had something to do, 0 to 1.'),
  heap_used_bytes: mean('Heap in use.'),
  waiting: mean(
    'In a front, what a shard has not finished; in a shard, messages that wait for an actor. Not known of the store.',
  ),
} satisfies Readonly<Record<string, Figure>>

/** Of each lane of jobs. */
export const laneFigures = {
  running: mean('Jobs that run.'),
  waiting: mean('Jobs that wait for their turn.'),
} satisfies Readonly<Record<string, Figure>>

/** By a reason or an action: a number a second. */
export const perSecond = mean('A number a second.')

export type ProcessFigure = keyof typeof processFigures
export type ThreadFigure = keyof typeof threadFigures
export type LaneFigure = keyof typeof laneFigures

/** The kinds of series that there is one of for each name. */
export const groups = ['thread', 'lane', 'action', 'refusal', 'request_refusal'] as const
export type Group = (typeof groups)[number]

/** The name of a series in the ring: of the process alone, or with what it is about. */
export function seriesName(figure: string, group?: Group, of?: string): string {
  return group === undefined ? figure : `${group} ${of} ${figure}`
}

/** Undefined of a series of the process. */
export function aboutOf(
  name: string,
): { readonly group: Group; readonly of: string; readonly figure: string } | undefined {
  const [group, of, figure] = name.split(' ')
  return of === undefined || figure === undefined ? undefined : { group: group as Group, of, figure }
}
