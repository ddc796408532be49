// Log lines of one cause: one an hour, which says how many were left out since the one before. In memory of the thread.

interface Logged {
  readonly at: number
  leftOut: number
}

const hourMs = 3_600_000

export interface RareLines {
  /**
   * How many were left out since the last line of this cause; undefined where this one is left out too. `now`: monotonic ms. `mayLog`: asked
   * only when a line is due; one that may not be written is left out as well, and the next is due.
   */
  leftOut(cause: string, now: number, mayLog?: () => boolean): number | undefined
  /** Whether this cause is remembered, or can be without forgetting one that was logged within the hour. */
  hasRoom(cause: string, now: number): boolean
}

/** `most`: causes that are remembered; beyond them the one that was logged longest ago is forgotten. */
export function createRareLines(most: number): RareLines {
  /** The one that was logged longest ago first. */
  const logged = new Map<string, Logged>()
  const isRecent = ({ at }: Logged, now: number): boolean => now >= at && now - at < hourMs
  return {
    leftOut(cause, now, mayLog = () => true) {
      const before = logged.get(cause)
      if (before !== undefined && isRecent(before, now)) {
        before.leftOut++
        return undefined
      }
      const leftOut = before?.leftOut ?? 0
      const isLogged = mayLog()
      logged.delete(cause)
      if (logged.size >= most) logged.delete(logged.keys().next().value as string)
      logged.set(cause, isLogged ? { at: now, leftOut: 0 } : { at: Number.NEGATIVE_INFINITY, leftOut: leftOut + 1 })
      return isLogged ? leftOut : undefined
    },
    hasRoom(cause, now) {
      if (logged.size < most || logged.has(cause)) return true
      const [oldest] = logged.values()
      return oldest === undefined || !isRecent(oldest, now)
    },
  }
}
