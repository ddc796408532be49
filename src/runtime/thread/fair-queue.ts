// Work of many owners that can be done only a few at a time: each owner has one at a time and a bounded number waiting, and they take
// turns, so that whoever asks for much delays nobody else by more than the work under way.

export interface FairQueueOptions {
  /** Of all owners together. */
  readonly atOnce: number
  readonly waitingPerOwner: number
  readonly waiting: number
}

export interface FairQueue {
  /** Undefined where as much waits as may: then `work` is not begun. */
  run<Value>(owner: string, work: () => Promise<Value>): Promise<Value> | undefined
}

export function createFairQueue({ atOnce, waitingPerOwner, waiting }: FairQueueOptions): FairQueue {
  const underWay = new Set<string>()
  /** In the order of their turns. */
  const lines = new Map<string, (() => void)[]>()
  let inLines = 0

  function next(): void {
    if (underWay.size >= atOnce) return
    for (const [owner, line] of lines) {
      const start = underWay.has(owner) ? undefined : line.shift()
      if (start === undefined) continue
      inLines--
      lines.delete(owner)
      if (line.length > 0) lines.set(owner, line)
      underWay.add(owner)
      start()
      return
    }
  }

  return {
    run(owner, work) {
      const line = lines.get(owner) ?? []
      if (line.length >= waitingPerOwner || inLines >= waiting) return undefined
      const turn = new Promise<void>((resolve) => line.push(resolve))
      lines.set(owner, line)
      inLines++
      next()
      return turn.then(work).finally(() => {
        underWay.delete(owner)
        next()
      })
    },
  }
}
