// Work of many owners that can be done only a few at a time: each owner has a few at a time and a bounded number waiting, and they take
// turns, so that whoever asks for much delays nobody else by more than the work under way.

export interface FairQueueOptions {
  /** Of all owners together. */
  readonly atOnce: number
  readonly atOncePerOwner: number
  readonly waitingPerOwner: number
  readonly waiting: number
}

export interface FairQueue {
  /** Undefined where as much waits as may: then `work` is not begun. */
  run<Value>(owner: string, work: () => Promise<Value>): Promise<Value> | undefined
  readonly underWay: number
  readonly waiting: number
}

export function createFairQueue({ atOnce, atOncePerOwner, waitingPerOwner, waiting }: FairQueueOptions): FairQueue {
  /** How many, by owner. */
  const underWay = new Map<string, number>()
  let allUnderWay = 0
  /** In the order of their turns. */
  const lines = new Map<string, (() => void)[]>()
  let inLines = 0

  function next(): void {
    if (allUnderWay >= atOnce) return
    for (const [owner, line] of lines) {
      const own = underWay.get(owner) ?? 0
      const start = own >= atOncePerOwner ? undefined : line.shift()
      if (start === undefined) continue
      inLines--
      lines.delete(owner)
      if (line.length > 0) lines.set(owner, line)
      underWay.set(owner, own + 1)
      allUnderWay++
      start()
      return
    }
  }

  function ended(owner: string): void {
    const left = (underWay.get(owner) ?? 1) - 1
    if (left === 0) underWay.delete(owner)
    else underWay.set(owner, left)
    allUnderWay--
    next()
  }

  return {
    run(owner, work) {
      const line = lines.get(owner) ?? []
      if (line.length >= waitingPerOwner || inLines >= waiting) return undefined
      const turn = new Promise<void>((resolve) => line.push(resolve))
      lines.set(owner, line)
      inLines++
      next()
      return turn.then(work).finally(() => ended(owner))
    },
    get underWay() {
      return allUnderWay
    },
    get waiting() {
      return inLines
    },
  }
}
