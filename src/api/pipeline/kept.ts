// What becomes of a stored field when some fields of its record are changed.

/** A field that is left out keeps its value; null removes it. */
export const kept = <Value>(before: Value | undefined, given: Value | null | undefined): Value | undefined =>
  given === undefined ? before : (given ?? undefined)
