// A certificate whose authority has just been made is handed over only once every front trusts that authority: whoever gets it may connect
// with it at once.

import type { JobOutcome } from '../runtime/actor/actor.js'

export interface TrustOptions {
  /** The mark of what fronts trust since they listen. */
  readonly mark: string | undefined
  /** Has every front read its certificates again; whether each has. Never rejects. */
  readonly reload: () => Promise<boolean>
}

interface Reloading {
  readonly mark: string
  readonly done: Promise<boolean>
}

/** Passes outcomes of jobs on, those with new authorities when fronts trust them. Where a front could not, the job has failed, and the next one tries again. */
export function createTrust({ mark, reload }: TrustOptions): (outcome: JobOutcome) => Promise<JobOutcome> {
  let trusted = mark
  let reloading: Reloading | undefined

  function trust(wanted: string): Promise<boolean> {
    if (reloading?.mark === wanted) return reloading.done
    const begun = { mark: wanted, done: reload() }
    reloading = begun
    void begun.done.then((isTrusted) => {
      if (isTrusted) trusted = wanted
      if (reloading === begun) reloading = undefined
    })
    return begun.done
  }

  return async (outcome) => {
    const wanted = outcome.ok ? trustOf(outcome.value) : undefined
    if (wanted === undefined || wanted === trusted || (await trust(wanted))) return outcome
    return {
      ok: false,
      message: 'the listeners do not trust the new authority yet: they could not read their certificates again',
    }
  }
}

/** What a job that issues certificates says beside its answer: the mark of the authorities that are trusted since. */
export interface Trusting {
  readonly trust?: string
}

function trustOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? (value as Trusting).trust : undefined
}
