// Work of many owners that can be done only a few at a time: each owner has a few at a time and a bounded number waiting, and they take
// turns, so that whoever asks for much delays nobody else by more than the work under way. Work that can begin at once is never refused for
// what others wait for.

import { createFairLines, type FairLinesOptions } from './fair-lines.js'

export interface FairQueueOptions extends FairLinesOptions {
  /** Of all owners together. */
  readonly atOnce: number
  readonly atOncePerOwner: number
}

export interface FairQueue {
  /** Undefined where as much waits as may: then `work` is not begun. `member`: one of those who share the turn of the owner. */
  run<Value>(owner: string, work: () => Promise<Value>, member?: string): Promise<Value> | undefined
  readonly underWay: number
  readonly waiting: number
}

export function createFairQueue({ atOnce, atOncePerOwner, ...bounds }: FairQueueOptions): FairQueue {
  /** How many, by owner. */
  const underWay = new Map<string, number>()
  let allUnderWay = 0
  const lines = createFairLines<() => void>(bounds)

  const mayHave = (owner: string): boolean => (underWay.get(owner) ?? 0) < atOncePerOwner

  function begin(owner: string, start: () => void): void {
    underWay.set(owner, (underWay.get(owner) ?? 0) + 1)
    allUnderWay++
    start()
  }

  function next(): void {
    if (allUnderWay >= atOnce) return
    const taken = lines.take(mayHave)
    if (taken !== undefined) begin(taken.owner, taken.work)
  }

  function ended(owner: string): void {
    const left = (underWay.get(owner) ?? 1) - 1
    if (left === 0) underWay.delete(owner)
    else underWay.set(owner, left)
    allUnderWay--
    next()
  }

  return {
    run(owner, work, member) {
      let start = (): void => {}
      const turn = new Promise<void>((resolve) => {
        start = resolve
      })
      // Nothing of an owner waits that may have more under way.
      if (allUnderWay < atOnce && mayHave(owner)) begin(owner, start)
      else if (!lines.add(owner, start, member)) return undefined
      return turn.then(work).finally(() => ended(owner))
    },
    get underWay() {
      return allUnderWay
    },
    get waiting() {
      return lines.waiting
    },
  }
}
