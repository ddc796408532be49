// Work that several clients wait for: it is done once for all of them, each waits for it no longer than a bound, and once nobody waits any more it may end.

import type { Clock } from '../../../runtime/clock.js'
import { within } from '../../../runtime/delay.js'
import { overloaded } from '../../../runtime/errors.js'
import { limits } from './limits.js'

/** Whether a client has closed the connection. */
export type IsGone = () => boolean

export interface SharedWork<Value> {
  /** Whether it was given up: from then on, nobody may join. */
  readonly isAbandoned: boolean
  /** Asked by the work itself at its next step: nobody waits for it any more, and it ends. */
  isUnwanted(): boolean
  /** Rejects with `overloaded` where it takes too long. */
  wait(isGone: IsGone): Promise<Value>
  done(value: Value): void
  failed(error: unknown): void
}

export function createSharedWork<Value>(clock: Pick<Clock, 'monotonic'>): SharedWork<Value> {
  const clients = new Set<{ readonly isGone: IsGone }>()
  let isAbandoned = false
  let done: (value: Value) => void = () => undefined
  let failed: (error: unknown) => void = () => undefined
  const result = new Promise<Value>((resolve, reject) => {
    done = resolve
    failed = reject
  })
  // It may fail when nobody waits.
  result.catch(() => undefined)

  return {
    get isAbandoned() {
      return isAbandoned
    },
    isUnwanted() {
      isAbandoned ||= [...clients].every(({ isGone }) => isGone())
      return isAbandoned
    },
    async wait(isGone) {
      const client = { isGone }
      clients.add(client)
      try {
        return await inTime(result)
      } catch (error) {
        // Who was told to come again finds it done, or further on: else what takes long would never be done.
        const until = clock.monotonic() + limits.comesAgainMs
        if (!isGone()) clients.add({ isGone: () => clock.monotonic() >= until })
        throw error
      } finally {
        clients.delete(client)
      }
    },
    done,
    failed,
  }
}

/** Rejects with `overloaded` where something takes too long. */
export async function inTime<Value>(result: Promise<Value>): Promise<Value> {
  const answered = await within(
    result.then((value) => ({ value })),
    limits.fleetWaitMs,
  )
  if (answered !== undefined) return answered.value
  throw overloaded('the fleet takes too long to read at the moment; try again later', { retryAfterSeconds: 10 })
}
