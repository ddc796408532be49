// The threads of one lane of jobs. Where each job has a thread to itself, the thread of one that takes too long ends, and no other. Where many
// jobs share a thread, it ends only if it no longer answers at all: a single job that is late holds up no other.

import type { Piscina } from 'piscina'

export interface StartedJob {
  readonly done: Promise<unknown>
  /** It takes too long, and nobody waits for it any more. */
  giveUp(): void
}

export interface JobThreads {
  start(task: object): StartedJob
  stop(): Promise<void>
}

/** `createPool`: a pool of one thread. As many are made as jobs run at once. */
export function threadForEachJob(createPool: () => Piscina): JobThreads {
  /** The one that was used last is used first, so that what it has loaded is used again. */
  const idle: Piscina[] = []
  const all = new Set<Piscina>()

  function take(): Piscina {
    const pool = idle.pop() ?? createPool()
    all.add(pool)
    return pool
  }

  return {
    start(task) {
      const pool = take()
      const done = pool.run(task).finally(() => {
        if (all.has(pool)) idle.push(pool)
      })
      return {
        done,
        giveUp() {
          // It cannot be told to stop: a job that never lets go of its thread hears nothing.
          all.delete(pool)
          void pool.destroy()
        },
      }
    },
    async stop() {
      await Promise.all([...all].map((pool) => pool.destroy()))
    },
  }
}

/** What the module of a shared thread exports under this name answers at once. */
const question = 'answers'

/** `createPool`: a pool of one thread, with room for one job more than run at once. `replaced`: told when the thread has not answered `withinMs`. */
export function sharedThread(createPool: () => Piscina, withinMs: number, replaced: () => void): JobThreads {
  let pool = createPool()
  /** Until it is known whether the thread answers; then jobs wait so that they are not lost with it. */
  let asked: Promise<void> | undefined

  async function ask(): Promise<void> {
    const { promise: late, stop } = after(withinMs)
    // One that fails has heard: the thread has ended, and the next job starts another.
    const heard = pool.run(undefined, { name: question }).then(
      () => true,
      () => true,
    )
    const isAlive = await Promise.race([heard, late.then(() => false)])
    stop()
    asked = undefined
    if (isAlive) return
    replaced()
    const hanging = pool
    pool = createPool()
    void hanging.destroy()
  }

  return {
    start(task) {
      return {
        done: asked === undefined ? pool.run(task) : asked.then(() => pool.run(task)),
        giveUp() {
          asked ??= ask()
        },
      }
    },
    stop: () => pool.destroy(),
  }
}

function after(milliseconds: number): { readonly promise: Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  return { promise, stop: () => clearTimeout(timer) }
}
