// One coarse timer for a whole fleet of charge points: tasks fall into buckets of one tick, so that setting and
// cancelling cost nothing, and no message ever costs a timer. A task runs up to one tick late, never early.

import type { Timetable, TimetableEntry } from '../charge-point/timetable.js'

export function createTimetable(tickMs = 20): Timetable {
  const buckets = new Map<number, TimetableEntry[]>()
  let waiting = 0
  let lastTick = 0
  let timer: NodeJS.Timeout | undefined

  function run(entry: TimetableEntry): void {
    const task = entry.task
    if (task === undefined) return
    entry.task = undefined
    waiting--
    task()
  }

  function tick(): void {
    const current = Math.floor(performance.now() / tickMs)
    while (lastTick < current) {
      lastTick++
      const bucket = buckets.get(lastTick)
      if (bucket === undefined) continue
      buckets.delete(lastTick)
      for (const entry of bucket) run(entry)
    }
    if (waiting > 0) return
    clearInterval(timer)
    timer = undefined
    buckets.clear()
  }

  return {
    now: () => performance.now(),
    after(delayMs, task) {
      const now = performance.now()
      if (timer === undefined) {
        lastTick = Math.floor(now / tickMs)
        timer = setInterval(tick, tickMs)
      }
      const due = Math.max(lastTick + 1, Math.ceil((now + delayMs) / tickMs))
      const entry: TimetableEntry = { task }
      const bucket = buckets.get(due)
      if (bucket) bucket.push(entry)
      else buckets.set(due, [entry])
      waiting++
      return entry
    },
    cancel(entry) {
      if (entry?.task === undefined) return
      entry.task = undefined
      waiting--
    },
  }
}
