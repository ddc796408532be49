// Simulated time: one queue of steps in the order of their due time, two clocks that only move with it, and the timers
// of the language tied to it while a world runs. It never waits, and knows nothing of what the steps do.

import type { Clock } from '../../src/runtime/clock.js'

/** Whose step it is. What a thread that has ended still had to do is not done. */
export interface SimulatedThread {
  readonly name: string
  alive: boolean
}

export function newThread(name: string): SimulatedThread {
  return { name, alive: true }
}

/** Thrown inside a step to end its thread there; the world has already noted why. */
export class SimulatedDeath extends Error {}

interface Step {
  readonly at: number
  readonly order: number
  readonly thread: SimulatedThread
  run: (() => void) | undefined
  /** Whether promises may be settled by it, whose reactions belong to the same step. */
  readonly settles: boolean
}

export interface SimulatedTime extends Clock {
  /** The thread of the step in hand. */
  readonly thread: SimulatedThread
  readonly steps: number
  after(milliseconds: number, thread: SimulatedThread, run: () => void): void
  /** As `after`, for a step that settles promises. */
  settleAfter(milliseconds: number, thread: SimulatedThread, run: () => void): void
  /** Sets the wall clock forward or back; deadlines do not move. */
  stepWall(milliseconds: number): void
  /** The latest that the wall clock has ever shown, ms. */
  latestWall(): number
  /** Runs every step that is due within `milliseconds`; `afterStep` is told of each. */
  run(milliseconds: number, afterStep: () => void): Promise<void>
  setTimer(milliseconds: number, run: () => void, settles: boolean): object
  clearTimer(timer: object): void
}

const real = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate }
/** The longest chain of promises from a commit that is written to the actor that waited for it is shorter. */
const reactionsDeep = 16
const stepsBetweenTurns = 2_000

/** Once every reaction of the promises that a step has settled has run. */
async function reactions(): Promise<void> {
  for (let depth = 0; depth < reactionsDeep; depth++) await undefined
}

/** A real turn of the event loop: rejections that nobody took are told of in between. */
const turnOfLoop = (): Promise<void> => new Promise((resolve) => real.setImmediate(resolve))

/** `startOfWallMs`: what the wall clock shows at first. */
export function createTime(startOfWallMs: number): SimulatedTime {
  const queue = createQueue()
  let monotonic = 1_000
  let wallOffset = startOfWallMs
  let latest = startOfWallMs
  let order = 0
  let steps = 0
  let thread: SimulatedThread = newThread('world')

  function add(milliseconds: number, owner: SimulatedThread, run: () => void, settles: boolean): Step {
    const step = { at: monotonic + Math.max(0, milliseconds), order: order++, thread: owner, run, settles }
    queue.push(step)
    return step
  }

  return {
    now: () => Math.floor(wallOffset + monotonic),
    monotonic: () => monotonic,
    get thread() {
      return thread
    },
    get steps() {
      return steps
    },
    after(milliseconds, owner, run) {
      add(milliseconds, owner, run, false)
    },
    settleAfter(milliseconds, owner, run) {
      add(milliseconds, owner, run, true)
    },
    stepWall(milliseconds) {
      latest = Math.max(latest, wallOffset + monotonic)
      wallOffset += milliseconds
    },
    latestWall: () => Math.max(latest, wallOffset + monotonic),
    setTimer: (milliseconds, run, settles) => add(milliseconds, thread, run, settles),
    clearTimer(timer) {
      ;(timer as Step).run = undefined
    },
    async run(milliseconds, afterStep) {
      const end = monotonic + milliseconds
      for (let step = queue.first(); step !== undefined && step.at <= end; step = queue.first()) {
        queue.shift()
        const { run } = step
        if (run === undefined || !step.thread.alive) continue
        monotonic = Math.max(monotonic, step.at)
        thread = step.thread
        steps++
        try {
          run()
        } catch (error) {
          if (!(error instanceof SimulatedDeath)) throw error
        }
        if (step.settles) await reactions()
        if (steps % stepsBetweenTurns === 0) await turnOfLoop()
        afterStep()
      }
      monotonic = end
      await turnOfLoop()
    },
  }
}

/** A binary heap: the earliest step first, and of those the one that was added first. */
function createQueue() {
  const heap: Step[] = []
  const before = (one: Step, other: Step): boolean =>
    one.at < other.at || (one.at === other.at && one.order < other.order)

  return {
    first: () => heap[0],
    push(step: Step): void {
      let at = heap.length
      heap.push(step)
      while (at > 0) {
        const parent = (at - 1) >> 1
        if (!before(step, heap[parent] as Step)) break
        heap[at] = heap[parent] as Step
        at = parent
      }
      heap[at] = step
    },
    shift(): void {
      const last = heap.pop() as Step
      if (heap.length === 0) return
      let at = 0
      for (;;) {
        let child = 2 * at + 1
        if (child >= heap.length) break
        if (child + 1 < heap.length && before(heap[child + 1] as Step, heap[child] as Step)) child++
        if (!before(heap[child] as Step, last)) break
        heap[at] = heap[child] as Step
        at = child
      }
      heap[at] = last
    },
  }
}

/** Gives the language's timers to `time` until the returned function is called: the system under test uses them. */
export function takeTimers(time: SimulatedTime): () => void {
  const simulated = {
    setTimeout: (run: () => void, milliseconds = 0) =>
      Object.assign(time.setTimer(milliseconds, run, true), { unref() {} }),
    setInterval(run: () => void, milliseconds: number): object {
      let next = time.setTimer(milliseconds, again, true)
      function again(): void {
        next = time.setTimer(milliseconds, again, true)
        run()
      }
      return { unref() {}, clear: () => time.clearTimer(next) }
    },
    clearInterval: (held: { clear(): void } | undefined) => held?.clear(),
    setImmediate: (run: () => void) => time.setTimer(0, run, true),
    clearTimeout: (held: object | undefined) => held !== undefined && time.clearTimer(held),
    clearImmediate: (held: object | undefined) => held !== undefined && time.clearTimer(held),
  }
  Object.assign(globalThis, simulated)
  return () => void Object.assign(globalThis, real)
}
