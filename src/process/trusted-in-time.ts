// A certificate whose authority has just been made is handed over only once every front trusts that authority: whoever gets it may connect
// with it at once.

import type { JobOutcome } from '../runtime/actor/actor.js'

export interface TrustOptions {
  /** The mark of what fronts trust since they listen. */
  readonly mark: string | undefined
  /** Has every front read its certificates again. Never rejects. */
  readonly reload: () => Promise<unknown>
}

/** Passes outcomes of jobs on, those with new authorities when fronts trust them. */
export function createTrust({ mark, reload }: TrustOptions): (outcome: JobOutcome) => Promise<JobOutcome> {
  let trusted = mark
  let reloaded: Promise<unknown> = Promise.resolve()
  return async (outcome) => {
    const wanted = outcome.ok ? trustOf(outcome.value) : undefined
    if (wanted === undefined) return outcome
    if (wanted !== trusted) {
      trusted = wanted
      reloaded = reload()
    }
    await reloaded
    return outcome
  }
}

/** What a job that issues certificates says beside its answer: the mark of the authorities that are trusted since. */
export interface Trusting {
  readonly trust?: string
}

function trustOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? (value as Trusting).trust : undefined
}
