// Load tests that run now, as their tools report them: in the memory of the main thread, for all fronts. Only what has ended is stored. A tool
// reports every second; one that has said nothing for a while has died.

import type { NotedLoadRun, RunningLoadRun } from '../api/pipeline/services.js'
import type { Clock } from '../runtime/clock.js'
import { limits } from './limits.js'

export interface LoadRuns {
  note(run: NotedLoadRun): RunningLoadRun
  /** The newest first. */
  running(): readonly RunningLoadRun[]
  /** Undefined where there is no such run. */
  askToEnd(runId: string): RunningLoadRun | undefined
  /** Returns it where it was running. */
  ended(runId: string): RunningLoadRun | undefined
}

export function createLoadRuns(clock: Clock): LoadRuns {
  const runs = new Map<string, { readonly run: RunningLoadRun; readonly notedAt: number }>()

  function sweep(): void {
    const silent = clock.monotonic() - limits.loadRunSilenceMs
    for (const [runId, { notedAt }] of runs) if (notedAt < silent) runs.delete(runId)
  }

  return {
    note({ runId, progress }) {
      sweep()
      const run = { runId, progress, isAskedToEnd: runs.get(runId)?.run.isAskedToEnd ?? false }
      // Those that have been silent for the longest come first.
      runs.delete(runId)
      runs.set(runId, { run, notedAt: clock.monotonic() })
      const [oldest] = runs.keys()
      if (runs.size > limits.runningLoadRuns && oldest !== undefined) runs.delete(oldest)
      return run
    },
    running() {
      sweep()
      return [...runs.values()].map(({ run }) => run).reverse()
    },
    askToEnd(runId) {
      sweep()
      const known = runs.get(runId)
      if (known === undefined) return undefined
      const run = { ...known.run, isAskedToEnd: true }
      runs.set(runId, { ...known, run })
      return run
    },
    ended(runId) {
      const run = runs.get(runId)?.run
      runs.delete(runId)
      return run
    },
  }
}
