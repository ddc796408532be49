// Which charge points have changed, in order, as far back as a stream may be behind. Of a charge point, only its newest change counts. Changes are numbered: a
// reader goes on after a number, and comes back with the place in the feed that it was told.

import { limits } from './limits.js'

export interface Changes {
  /** Ids of those that have changed, or are gone. */
  readonly chargePointIds: readonly string[]
  /** Where to go on. */
  readonly next: number
  /** How many wait behind these. */
  readonly more: number
}

export interface ChangeLog {
  /** `place`: the event up to which the charge point is current then. Places do not fall. */
  add(chargePointId: string, place: string): void
  /** What has happened since is not known: it begins anew at a place. */
  restart(place: string): void
  /** The number of the next change. */
  readonly next: number
  /** Behind all that a reader has seen who was told this place; undefined where changes since are not remembered. */
  after(place: string): number | undefined
  /** Those from a number on, `most` at most; undefined where they are not all remembered, or too many. */
  from(number: number, most: number): Changes | undefined
}

interface Change {
  readonly id: string
  readonly place: string
}

export function createChangeLog(begin: string): ChangeLog {
  let changes: Change[] = []
  /** Of the first of them. */
  let first = 0
  /** From this number on, nothing has been forgotten. */
  let completeFrom = 0
  let completeAfter = begin
  const newest = new Map<string, number>()

  const isNewest = ({ id }: Change, at: number): boolean => newest.get(id) === first + at

  /** Numbers only grow by it: who goes on after one misses nothing, and may be told something twice. */
  function compact(): void {
    const end = first + changes.length
    const live = changes.filter(isNewest)
    const kept = live.slice(-limits.rowsWaiting)
    const oldest = kept[0]
    first = end - kept.length
    if (live.length > kept.length && oldest !== undefined) {
      completeFrom = first
      completeAfter = oldest.place
    }
    changes = kept
    newest.clear()
    changes.forEach(({ id }, at) => void newest.set(id, first + at))
  }

  return {
    add(id, place) {
      newest.set(id, first + changes.length)
      changes.push({ id, place })
      if (changes.length > 2 * limits.rowsWaiting) compact()
    },
    restart(place) {
      first += changes.length
      changes = []
      newest.clear()
      completeFrom = first
      completeAfter = place
    },
    get next() {
      return first + changes.length
    },
    after(place) {
      if (place < completeAfter) return undefined
      let low = 0
      let high = changes.length
      while (low < high) {
        const middle = (low + high) >>> 1
        // Those at the very place may be changes of which no event speaks.
        if ((changes[middle] as Change).place < place) low = middle + 1
        else high = middle
      }
      return first + low
    },
    from(number, most) {
      if (number < completeFrom) return undefined
      const chargePointIds: string[] = []
      let more = 0
      let next = first + changes.length
      for (let at = Math.max(0, number - first); at < changes.length; at++) {
        const change = changes[at] as Change
        if (!isNewest(change, at)) continue
        if (chargePointIds.length < most) chargePointIds.push(change.id)
        else if (more++ === 0) next = first + at
      }
      if (chargePointIds.length + more > limits.rowsWaiting) return undefined
      return { chargePointIds, next, more }
    },
  }
}
