// What one turn of an actor gathers: what must reach the disk, on which conditions, and what is let out after it. Only gathers:
// actor-host.ts commits it.

import type { Effect } from './actor.js'
import type { Reservation } from './number-sequences.js'
import type { Change, Condition } from './store.js'

export interface Turn {
  readonly changes: Change[]
  readonly conditions: Condition[]
  readonly reservations: Reservation[]
  readonly released: Effect[]
}

/** How much a turn had gathered at some moment. */
export type TurnMark = { readonly [Part in keyof Turn]: number }

export function newTurn(): Turn {
  return { changes: [], conditions: [], reservations: [], released: [] }
}

export function markOf({ changes, conditions, reservations, released }: Turn): TurnMark {
  return {
    changes: changes.length,
    conditions: conditions.length,
    reservations: reservations.length,
    released: released.length,
  }
}

/** What was gathered since then is as if it had never been. */
export function undoTo(turn: Turn, mark: TurnMark): void {
  turn.changes.length = mark.changes
  turn.conditions.length = mark.conditions
  turn.reservations.length = mark.reservations
  turn.released.length = mark.released
}
