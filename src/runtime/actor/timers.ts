// The timers of one shard: a binary heap of due times with one JavaScript timer for the earliest.
// Cancelling marks an entry dead; dead entries leave the heap when they come up, or when they are more than the live ones.

import { assert } from '../assert.js'
import type { Clock } from '../clock.js'

export interface Timer<Value> {
  readonly at: number
  readonly value: Value
  live: boolean
}

export interface Timers<Value> {
  /** `at` in monotonic ms. */
  schedule(at: number, value: Value): Timer<Value>
  cancel(timer: Timer<Value>): void
  /** Takes every timer that is due, in order of due time. */
  due(): Value[]
  /** When the next live timer is due, in monotonic ms. */
  next(): number | undefined
  readonly size: number
}

/** Of two times that may be none. */
export function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || (other !== undefined && other < one) ? other : one
}

const deadEntriesKept = 16

export function createTimers<Value>(clock: Clock): Timers<Value> {
  const heap: Timer<Value>[] = []
  let live = 0

  function swap(a: number, b: number): void {
    const held = heap[a] as Timer<Value>
    heap[a] = heap[b] as Timer<Value>
    heap[b] = held
  }
  function before(a: number, b: number): boolean {
    return (heap[a] as Timer<Value>).at < (heap[b] as Timer<Value>).at
  }
  function pop(): Timer<Value> | undefined {
    const top = heap[0]
    const last = heap.pop()
    if (top === undefined || last === undefined || heap.length === 0) return top
    heap[0] = last
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const right = left + 1
      let least = at
      if (left < heap.length && before(left, least)) least = left
      if (right < heap.length && before(right, least)) least = right
      if (least === at) return top
      swap(at, least)
      at = least
    }
  }

  /** A list in order is a heap. */
  function removeDead(): void {
    const kept = heap.filter((timer) => timer.live).sort((one, other) => one.at - other.at)
    heap.length = 0
    for (const timer of kept) heap.push(timer)
  }

  return {
    schedule(at, value) {
      assert(!Number.isNaN(at), 'a timer is due some time', at)
      const timer: Timer<Value> = { at, value, live: true }
      let index = heap.push(timer) - 1
      live++
      while (index > 0) {
        const parent = (index - 1) >> 1
        if (!before(index, parent)) break
        swap(index, parent)
        index = parent
      }
      return timer
    },
    cancel(timer) {
      if (!timer.live) return
      timer.live = false
      live--
      if (heap.length - live > live + deadEntriesKept) removeDead()
    },
    due() {
      const values: Value[] = []
      const now = clock.monotonic()
      let latest = Number.NEGATIVE_INFINITY
      for (let top = heap[0]; top !== undefined && (!top.live || top.at <= now); top = heap[0]) {
        pop()
        if (!top.live) continue
        assert(top.at >= latest && top.at <= now, 'timers fire when they are due, the first one first', top.at, now)
        latest = top.at
        top.live = false
        live--
        values.push(top.value)
      }
      return values
    },
    next() {
      while (heap[0] !== undefined && !heap[0].live) pop()
      return heap[0]?.at
    },
    get size() {
      return live
    },
  }
}
