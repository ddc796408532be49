// Log lines of one cause: one an hour, which says how many were left out since the one before. In memory of the thread.

interface Logged {
  readonly at: number
  leftOut: number
}

const hourMs = 3_600_000

export interface RareLines {
  /** How many were left out since the last line of this cause; undefined where this one is left out too. `now`: monotonic ms. */
  leftOut(cause: string, now: number): number | undefined
}

/** `most`: causes that are remembered. */
export function createRareLines(most: number): RareLines {
  /** The one that was logged longest ago first. */
  const logged = new Map<string, Logged>()
  return {
    leftOut(cause, now) {
      const before = logged.get(cause)
      if (before !== undefined && now >= before.at && now - before.at < hourMs) {
        before.leftOut++
        return undefined
      }
      logged.delete(cause)
      if (logged.size >= most) logged.delete(logged.keys().next().value as string)
      logged.set(cause, { at: now, leftOut: 0 })
      return before?.leftOut ?? 0
    },
  }
}
