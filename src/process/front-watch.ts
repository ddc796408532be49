// Whether the event loop of every front turns. A front owns its sockets, which no other thread can take over: when one hangs, the process
// ends, and starts again. A front that is only starting is waited for by whoever has it listen.

export interface FrontWatchOptions {
  /** One counter a front, which the front raises as long as its event loop turns. */
  readonly alive: Int32Array
  readonly patienceMs: number
  readonly giveUp: (reason: string) => void
}

export interface FrontWatch {
  stop(): void
}

const lookEveryMs = 1_000

/** Counts looks and not time: where this thread had no time either, nothing is said of the fronts. */
export function watchFronts({ alive, patienceMs, giveUp }: FrontWatchOptions): FrontWatch {
  const last = new Int32Array(alive.length)
  const looks = new Array<number>(alive.length).fill(0)

  function look(): void {
    for (let front = 0; front < alive.length; front++) {
      const counter = Atomics.load(alive, front)
      const stands = counter !== 0 && counter === last[front]
      last[front] = counter
      const stood = stands ? (looks[front] ?? 0) + 1 : 0
      looks[front] = stood
      if (stood * lookEveryMs < patienceMs) continue
      clearInterval(watch)
      giveUp(`front ${front} has shown no sign of life for ${patienceMs / 1000} s`)
    }
  }

  const watch = setInterval(look, lookEveryMs)
  return { stop: () => clearInterval(watch) }
}

/** The threads that answer, for readiness: `ok`, or the numbers of the others. */
export function whichAnswer(answers: readonly boolean[]): string {
  const dead = answers.flatMap((answered, at) => (answered ? [] : [at]))
  return dead.length === 0 ? 'ok' : `not answering: ${dead.join(', ')}`
}
