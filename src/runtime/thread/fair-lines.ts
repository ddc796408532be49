// What many owners wait with, in lines that take turns: however much one of them waits with, the next of another is not later for it. What waits
// is bounded, of each owner and of all.

export interface FairLinesOptions {
  readonly waitingPerOwner: number
  readonly waiting: number
}

export interface FairLines<Work> {
  /** False where as much waits as may. */
  add(owner: string, work: Work): boolean
  /** The next, of the owners that may have one now. */
  take(mayHave?: (owner: string) => boolean): Taken<Work> | undefined
  readonly waiting: number
}

export interface Taken<Work> {
  readonly owner: string
  readonly work: Work
}

export function createFairLines<Work>({ waitingPerOwner, waiting }: FairLinesOptions): FairLines<Work> {
  /** In the order of their turns; none is empty. */
  const lines = new Map<string, Work[]>()
  let inLines = 0

  return {
    add(owner, work) {
      const line = lines.get(owner)
      if (inLines >= waiting || (line?.length ?? 0) >= waitingPerOwner) return false
      if (line === undefined) lines.set(owner, [work])
      else line.push(work)
      inLines++
      return true
    },
    take(mayHave = () => true) {
      for (const [owner, line] of lines) {
        if (!mayHave(owner)) continue
        const work = line.shift() as Work
        inLines--
        lines.delete(owner)
        if (line.length > 0) lines.set(owner, line)
        return { owner, work }
      }
      return undefined
    },
    get waiting() {
      return inLines
    },
  }
}
