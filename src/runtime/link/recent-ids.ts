// Ids seen lately, so that what comes twice is done once. Bounded: the oldest is forgotten first.

export interface RecentIds<Id> {
  has(id: Id): boolean
  /** Remembers an id; false when it was known. */
  add(id: Id): boolean
  /** As if it had never been seen. */
  forget(id: Id): void
}

export function createRecentIds<Id>(bound: number): RecentIds<Id> {
  const ids = new Set<Id>()
  return {
    has: (id) => ids.has(id),
    add(id) {
      if (ids.has(id)) return false
      if (ids.size >= bound) ids.delete(ids.values().next().value as Id)
      ids.add(id)
      return true
    },
    forget: (id) => void ids.delete(id),
  }
}
