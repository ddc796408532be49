// Reports a run to an installation of ampshard: once a second how it fares, and in the end its result. An installation that does not answer
// changes nothing about the run.

import { makeId } from '../../src/runtime/ids.js'
import type { Options } from './options.js'
import type { Percentiles, Results } from './results.js'
import type { Progress } from './run-load.js'
import type { SecondRow } from './seconds.js'

export interface Reporter {
  readonly runId: string
  /** Called at will. */
  progress(progress: Progress): void
  /** Resolves with why the result could not be reported. */
  result(results: Results, endedAt: Date): Promise<string | undefined>
}

const everyMs = 1_000
const withinMs = 5_000
const resultWithinMs = 30_000
/** As many as the route takes. */
const curveSteps = 300
/** A request has room for a little more. */
const resultBytes = 950_000

const whole = (value: number): number => Math.max(0, Math.round(value))
const known = (value: number | null | undefined): number | null => (value == null ? null : Math.max(0, value))

function percentilesOf({ count, p50, p90, p99, p999, maximum }: Percentiles) {
  return count === 0 ? null : { p50, p90, p99, p999, maximum }
}

/** The run so far in so many steps at most; a second of which nothing is known is null. */
export function curveOf(rows: readonly SecondRow[]) {
  const seconds = (rows.at(-1)?.second ?? -1) + 1
  const step = Math.max(1, Math.ceil(seconds / curveSteps))
  const steps = Array.from({ length: Math.ceil(seconds / step) }, (): SecondRow[] => [])
  for (const row of rows) steps[Math.floor(row.second / step)]?.push(row)
  const each = (value: (rows: readonly SecondRow[]) => number | null) =>
    steps.map((own) => (own.length === 0 ? null : known(value(own))))
  const sum = (own: readonly SecondRow[], value: (row: SecondRow) => number): number =>
    own.reduce((total, row) => total + value(row), 0)
  return {
    step_seconds: step,
    answered_per_second: each((own) => sum(own, ({ answered }) => answered) / own.length),
    p99_milliseconds: each((own) => {
      const found = own.flatMap(({ p99 }) => p99 ?? [])
      return found.length === 0 ? null : Math.max(...found)
    }),
    errors: each((own) => sum(own, ({ errors }) => errors)),
  }
}

/** The result with every other second left out, as often as it takes to fit. */
export function shortened(results: Results): Results {
  let { seconds } = results
  while (seconds.length > 1 && Buffer.byteLength(JSON.stringify({ ...results, seconds })) > resultBytes)
    seconds = seconds.filter((_, index) => index % 2 === 0)
  return { ...results, seconds }
}

/** Undefined where the run is reported to nobody. `end` ends the run early. */
export function createReporter(options: Options, startedAt: Date, end: () => void): Reporter | undefined {
  const { reportTo } = options
  if (reportTo === undefined) return undefined
  const runId = makeId('run', startedAt.getTime(), Math.random)
  const address = `${reportTo.url}/api/v1/load-runs/${runId}`
  const about = {
    started_at: startedAt.toISOString(),
    profile: options.profile,
    charge_points: options.identities.length,
  }
  const target = typeof options.rate === 'number' ? options.rate : null
  let reportedAt = Number.NEGATIVE_INFINITY
  let isReporting = false
  let isOver = false
  let hasComplained = false

  /** Throws in words. */
  async function send(method: string, url: string, body: object, timeoutMs: number): Promise<unknown> {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${reportTo?.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer: unknown = await response.json().catch(() => undefined)
    if (response.ok) return answer
    const { error } = (answer ?? {}) as { readonly error?: { readonly message?: string } }
    throw new Error(`${response.status} ${error?.message ?? response.statusText}`)
  }

  async function report(progress: Progress): Promise<void> {
    const { phase, elapsedSeconds, remainingSeconds, latest, sent, answered, errors } = progress
    const rows = progress.rows()
    const measured = rows.filter((row) => row.phase === 'measured').length
    const figures = {
      sent,
      answered,
      errors,
      answered_per_second: measured === 0 ? 0 : answered / measured,
      target_per_second: target,
      latency_milliseconds: percentilesOf(progress.latency()),
      service_time_milliseconds: null,
      tool_late_milliseconds: known(latest?.lagMs),
    }
    const body = {
      ...about,
      figures,
      phase,
      elapsed_seconds: elapsedSeconds,
      remaining_seconds: known(remainingSeconds),
      connected: whole(latest?.connected ?? 0),
      curve: curveOf(rows),
    }
    const answer = (await send('PUT', address, body, withinMs)) as { readonly is_asked_to_end?: boolean }
    if (answer.is_asked_to_end !== true || isOver) return
    isOver = true
    console.log('Somebody has asked to end the run: it ends now.')
    end()
  }

  return {
    runId,
    progress(progress) {
      const now = performance.now()
      if (isOver || isReporting || now - reportedAt < everyMs) return
      reportedAt = now
      isReporting = true
      report(progress)
        .catch((error: Error) => {
          if (!hasComplained) console.error(`load: ${reportTo.url} takes no report: ${error.message}`)
          hasComplained = true
        })
        .finally(() => {
          isReporting = false
        })
    },
    async result(results, endedAt) {
      isOver = true
      const { summary, generator } = results
      const figures = {
        sent: summary.sent,
        answered: summary.answered,
        errors: summary.errors,
        answered_per_second: summary.ratePerSecond,
        target_per_second: summary.targetRatePerSecond,
        latency_milliseconds: percentilesOf(summary.latencyMs),
        service_time_milliseconds: percentilesOf(summary.serviceTimeMs),
        tool_late_milliseconds: known(generator.lagMs.p99),
      }
      const body = {
        ...about,
        figures,
        ended_at: endedAt.toISOString(),
        ended_by: results.endedBy,
        result: shortened(results),
      }
      try {
        await send('POST', `${address}/result`, body, resultWithinMs)
        return undefined
      } catch (error) {
        return (error as Error).message
      }
    },
  }
}
