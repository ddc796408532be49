// What one turn of an actor gathers: what must reach the disk, on which conditions, and what is let out after it. Only gathers:
// actor-host.ts commits it.

import { encodeRow } from '../codec.js'
import type { Change, ChangeBatch, Condition } from '../store/store.js'
import type { Key, Table } from '../store/table.js'
import type { Effect, Refusal } from './actor.js'
import type { Delivery } from './actor-host-ports.js'
import { changeOf, type Note } from './notes.js'
import type { Reservation } from './number-sequences.js'
import { eventChange } from './outbox.js'

export interface Turn {
  readonly changes: Change[]
  readonly conditions: Condition[]
  /** One for each condition: what its failure is answered with. */
  readonly refusals: (Refusal | undefined)[]
  readonly reservations: Reservation[]
  /** Rows that nobody is promised. */
  readonly logs: Note[]
  readonly released: Effect[]
}

/** What one commit of a turn stands for: the messages that it handled, and what they gathered. */
export interface Part {
  readonly turn: Turn
  readonly handled: readonly Delivery[]
}

/** How much a turn had gathered at some moment. */
export type TurnMark = { readonly [Part in keyof Turn]: number }

export function newTurn(): Turn {
  return { changes: [], conditions: [], refusals: [], reservations: [], logs: [], released: [] }
}

export function markOf({ changes, conditions, refusals, reservations, logs, released }: Turn): TurnMark {
  return {
    changes: changes.length,
    conditions: conditions.length,
    refusals: refusals.length,
    reservations: reservations.length,
    logs: logs.length,
    released: released.length,
  }
}

/** What acts at once, because it promises nothing. */
export interface AtOnce {
  schedule(key: string, at: number, message: unknown): void
  cancel(key: string): void
  note(note: Note): void
  /** A row that is removed: what was noted of it is forgotten. */
  forget(table: Table<never>, key: Key): void
}

/** Sorts effects into what the disk must have, what waits for it, and what acts at once. `now`: wall time, ms. */
export function gatherInto(turn: Turn, effects: readonly Effect[], now: number, atOnce: AtOnce): void {
  for (const effect of effects) {
    switch (effect.type) {
      case 'put': {
        const table = effect.table as unknown as { name: string; key: (row: unknown) => readonly (string | number)[] }
        turn.changes.push({
          type: 'put',
          table: table.name,
          key: table.key(effect.row),
          row: encodeRow(effect.row),
          ...(effect.thin === true && { thin: true }),
        })
        break
      }
      case 'remove':
        turn.changes.push({ type: 'remove', table: effect.table.name, key: effect.key })
        atOnce.forget(effect.table, effect.key)
        break
      case 'event':
        turn.changes.push(eventChange(effect.event, now))
        break
      case 'require':
        turn.conditions.push(effect.condition)
        turn.refusals.push(effect.refusal)
        break
      case 'schedule':
        atOnce.schedule(effect.key, effect.at, effect.message)
        break
      case 'cancel':
        atOnce.cancel(effect.key)
        break
      case 'note':
        atOnce.note(effect)
        break
      case 'log':
        turn.logs.push(effect)
        break
      case 'send':
      case 'reply':
      case 'frame':
      case 'ping':
      case 'close':
      case 'job':
        turn.released.push(effect)
        break
      default:
        effect satisfies never
    }
  }
}

/** Takes what was gathered since then into a turn of its own. */
export function splitAt(turn: Turn, mark: TurnMark): Turn {
  return {
    changes: turn.changes.splice(mark.changes),
    conditions: turn.conditions.splice(mark.conditions),
    refusals: turn.refusals.splice(mark.refusals),
    reservations: turn.reservations.splice(mark.reservations),
    logs: turn.logs.splice(mark.logs),
    released: turn.released.splice(mark.released),
  }
}

/** What was gathered since then is as if it had never been. */
export function undoTo(turn: Turn, mark: TurnMark): void {
  turn.changes.length = mark.changes
  turn.conditions.length = mark.conditions
  turn.refusals.length = mark.refusals
  turn.reservations.length = mark.reservations
  turn.logs.length = mark.logs
  turn.released.length = mark.released
}

/** What a turn writes once it is over, and under which conditions: what nobody is promised goes with the rest. */
export function writtenBy(turn: Turn): Pick<ChangeBatch, 'changes' | 'conditions'> {
  const { changes, conditions, reservations, logs } = turn
  for (const { change } of reservations) changes.push(change)
  for (const row of logs) changes.push(changeOf(row))
  return conditions.length > 0 ? { changes, conditions } : { changes }
}
