// Work of many owners that can be done only a few at a time: each owner has a few at a time and a bounded number waiting, and they take
// turns, so that whoever asks for much delays nobody else by more than the work under way.

import { createFairLines, type FairLinesOptions } from './fair-lines.js'

export interface FairQueueOptions extends FairLinesOptions {
  /** Of all owners together. */
  readonly atOnce: number
  readonly atOncePerOwner: number
}

export interface FairQueue {
  /** Undefined where as much waits as may: then `work` is not begun. */
  run<Value>(owner: string, work: () => Promise<Value>): Promise<Value> | undefined
  readonly underWay: number
  readonly waiting: number
}

export function createFairQueue({ atOnce, atOncePerOwner, ...bounds }: FairQueueOptions): FairQueue {
  /** How many, by owner. */
  const underWay = new Map<string, number>()
  let allUnderWay = 0
  const lines = createFairLines<() => void>(bounds)

  function next(): void {
    if (allUnderWay >= atOnce) return
    const taken = lines.take((owner) => (underWay.get(owner) ?? 0) < atOncePerOwner)
    if (taken === undefined) return
    const { owner, work: start } = taken
    underWay.set(owner, (underWay.get(owner) ?? 0) + 1)
    allUnderWay++
    start()
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
      let start = (): void => {}
      const turn = new Promise<void>((resolve) => {
        start = resolve
      })
      if (!lines.add(owner, start)) return undefined
      next()
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
