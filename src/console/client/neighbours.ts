// The list that somebody came from, as it was when they left it: what is before and after a charge point there.

import { organizationId } from './session.js'

interface Listed {
  readonly of: string
  readonly ids: readonly string[]
  /** What the list shows, in the language of its filter; empty where it shows all. */
  readonly filter: string
}

let listed: Listed | undefined

export function leaveList(ids: readonly string[], filter: string): void {
  listed = { of: organizationId(), ids, filter }
}

export interface Neighbours {
  readonly previous: string | null
  readonly next: string | null
  /** `3 of 20`; undefined where they are simply those before and after it by their ids. */
  readonly place: string | undefined
}

/** Undefined for one that the list does not have. */
export function neighboursOf(id: string): Neighbours | undefined {
  if (listed?.of !== organizationId()) return undefined
  const { ids, filter } = listed
  const at = ids.indexOf(id)
  if (at === -1) return undefined
  return {
    previous: ids[at - 1] ?? null,
    next: ids[at + 1] ?? null,
    place: `${at + 1} of ${ids.length}${filter === '' ? '' : ` with ${filter}`}`,
  }
}
