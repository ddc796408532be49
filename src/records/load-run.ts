// A load test that has ended, as its tool reported it: what is compared of it, and apart from that its whole result, which may be large.

import { defineTable } from '../runtime/store/table.js'

/** Of the measured time. */
export interface LoadPercentiles {
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  readonly maximum: number
}

export interface LoadFigures {
  readonly sent: number
  readonly answered: number
  readonly errors: number
  readonly answered_per_second: number
  /** null where none was set. */
  readonly target_per_second: number | null
  /** From the moment at which a message should have left. */
  readonly latency_milliseconds: LoadPercentiles | null
  /** From the moment at which it left. */
  readonly service_time_milliseconds: LoadPercentiles | null
  /** How late the tool itself was, at p99. */
  readonly tool_late_milliseconds: number | null
}

export interface LoadRun {
  /** Given by the tool. */
  readonly run_id: string
  readonly organization_id: string
  readonly started_at: string
  readonly ended_at: string
  readonly profile: string
  readonly charge_points: number
  readonly ended_by: string
  readonly figures: LoadFigures
}

export const loadRunsTable = defineTable<LoadRun>({
  name: 'load_runs',
  key: (row) => [row.run_id],
  indexes: { byOrganization: (row) => [{ group: [row.organization_id], order: [Date.parse(row.started_at)] }] },
})

export interface LoadRunResult {
  readonly run_id: string
  readonly organization_id: string
  /** As the tool writes it into its file. */
  readonly result: Readonly<Record<string, unknown>>
}

export const loadRunResultsTable = defineTable<LoadRunResult>({
  name: 'load_run_results',
  key: (row) => [row.run_id],
})
