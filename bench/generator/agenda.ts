// What is due when, for open loops: every entry has intended times that do not wait for anybody's answer. The agenda
// keeps them on one timer and measures how late it was itself. It knows nothing of what is sent.

export interface AgendaEntry {
  /** Milliseconds on the clock of `performance.now()`. */
  dueAt: number
  /**
   * Does what is due. Latency counts from `intendedAt`. Answers the milliseconds from this due time to the next one, or
   * undefined when there is no next one.
   */
  run(intendedAt: number): number | undefined
}

export interface Agenda {
  add(entry: AgendaEntry): void
  clear(): void
}

/**
 * A timer of Node.js is as fine as a millisecond or two, so messages leave in small batches. A batch that leaves within
 * this time of its slots is on time, and its intended time is the moment of the batch; after that the agenda is late,
 * and everything is measured from the slot it should have left in.
 */
export const timerGranularityMs = 2
/** Answers are read between batches: no batch takes longer than this. */
const longestBatchMs = 4
const longestSleepMs = 1_000

/** `late` is told, for everything that was due, by how many milliseconds the agenda missed it. */
export function createAgenda(late?: (milliseconds: number) => void): Agenda {
  // A binary heap, the earliest first.
  const heap: AgendaEntry[] = []
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let wakesAt = Number.POSITIVE_INFINITY
  // While a batch runs the heap's first entry is the one that runs: what is added meanwhile waits here.
  let incoming: AgendaEntry[] | undefined
  let cleared = false

  function push(entry: AgendaEntry): void {
    let at = heap.push(entry) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above] as AgendaEntry
      if (parent.dueAt <= entry.dueAt) break
      heap[at] = parent
      at = above
    }
    heap[at] = entry
  }

  function sinkFirst(): void {
    const entry = heap[0] as AgendaEntry
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      let smaller = heap[child]
      if (smaller === undefined) break
      const right = heap[child + 1]
      if (right !== undefined && right.dueAt < smaller.dueAt) {
        smaller = right
        child++
      }
      if (entry.dueAt <= smaller.dueAt) break
      heap[at] = smaller
      at = child
    }
    heap[at] = entry
  }

  function dropFirst(): void {
    const last = heap.pop() as AgendaEntry
    if (heap.length === 0) return
    heap[0] = last
    sinkFirst()
  }

  function sleep(): void {
    const first = heap[0]
    if (first === undefined) return
    wakesAt = first.dueAt
    const leftMs = first.dueAt - performance.now()
    // A timer would sleep for a millisecond at least.
    if (leftMs <= 0) immediate = setImmediate(pump)
    else timer = setTimeout(pump, Math.min(longestSleepMs, leftMs))
  }

  function halt(): void {
    clearTimeout(timer)
    clearImmediate(immediate)
    wakesAt = Number.POSITIVE_INFINITY
  }

  function pump(): void {
    halt()
    incoming = []
    cleared = false
    const startedAt = performance.now()
    for (let count = 1; ; count++) {
      const first = heap[0]
      if (first === undefined || first.dueAt > startedAt) break
      const lateMs = startedAt - first.dueAt
      late?.(lateMs)
      const nextMs = first.run(lateMs <= timerGranularityMs ? startedAt : first.dueAt)
      if (cleared) break
      if (nextMs === undefined) dropFirst()
      else {
        first.dueAt += nextMs
        sinkFirst()
      }
      if (count % 16 === 0 && performance.now() - startedAt > longestBatchMs) break
    }
    for (const entry of incoming) push(entry)
    incoming = undefined
    sleep()
  }

  return {
    add(entry) {
      if (incoming !== undefined) {
        incoming.push(entry)
        return
      }
      push(entry)
      if (entry.dueAt >= wakesAt) return
      halt()
      sleep()
    },
    clear() {
      heap.length = 0
      if (incoming !== undefined) incoming.length = 0
      cleared = true
      halt()
    },
  }
}
