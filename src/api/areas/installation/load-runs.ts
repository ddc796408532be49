// How load runs are reported and shown.

import { type Static, Type } from 'typebox'
import type { LoadRun } from '../../../records/load-run.js'
import { line, patternOf } from '../../../runtime/fault-words.js'
import { anyObject, named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { RunningLoadRun } from '../../pipeline/services.js'
import { limits } from './limits.js'

export const runId = Type.String({
  ...patternOf('^[A-Za-z0-9_-]{1,64}$', '1 to 64 letters, digits, hyphens and underscores'),
  description: 'Made by the tool, and different for each run: `run_` and a ULID, say.',
})

const positive = (description: string) => Type.Number({ minimum: 0, description })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const word = (description: string) => Type.String({ minLength: 1, maxLength: 100, ...line, description })

const percentiles = named('LoadPercentiles', {
  p50: Type.Number({ minimum: 0 }),
  p90: Type.Number({ minimum: 0 }),
  p99: Type.Number({ minimum: 0 }),
  p999: Type.Number({ minimum: 0 }),
  maximum: Type.Number({ minimum: 0 }),
})

const figures = named('LoadFigures', {
  sent: count('Messages that were sent in the measured time.'),
  answered: count('Messages that were answered.'),
  errors: count('Messages that failed, and other errors.'),
  answered_per_second: positive('On average.'),
  target_per_second: nullable(positive('What was to be reached; null where nothing was.')),
  latency_milliseconds: nullable(percentiles),
  service_time_milliseconds: nullable(percentiles),
  tool_late_milliseconds: nullable(positive('How late the tool itself was, for 99 of 100 messages.')),
})

/** What is said of a run whether it runs or has ended. */
const about = {
  started_at: timestamp(),
  profile: word('What the charge points do.'),
  charge_points: count('How many charge points take part.'),
  figures,
}

const values = Type.Array(nullable(Type.Number({ minimum: 0 })), { maxItems: limits.loadRunSteps })

export const progressBody = Type.Object({
  ...about,
  phase: Type.Enum(['connecting', 'warm-up', 'measured']),
  elapsed_seconds: positive('Since the start.'),
  remaining_seconds: nullable(positive('Of the measured time; null before it.')),
  connected: count('Charge points that are connected now.'),
  curve: Type.Object(
    {
      step_seconds: Type.Integer({ minimum: 1 }),
      answered_per_second: values,
      p99_milliseconds: values,
      errors: values,
    },
    { description: 'The run so far, in equal steps since its start.' },
  ),
})

export const resultBody = Type.Object({
  ...about,
  ended_at: timestamp(),
  ended_by: word('Why it ended: `duration`, `signal`, or what went wrong.'),
  result: anyObject('The whole result, as the tool writes it into its file.'),
})

const shownAbout = {
  run_id: Type.String(),
  status: Type.Enum(['running', 'ended']),
  ...about,
  ended_at: nullable(timestamp()),
  ended_by: nullable(Type.String()),
}

export const loadRun = named('LoadRun', shownAbout)

export const loadRunDetails = named('LoadRunDetails', {
  ...shownAbout,
  progress: nullable(progressBody),
  is_asked_to_end: Type.Boolean({ description: 'Whether somebody has asked the tool to end the run early.' }),
  result: nullable(anyObject('As the tool reported it when the run had ended.')),
})

export type Progress = Static<typeof progressBody>

export function shownRunning({ runId: run_id, progress }: RunningLoadRun) {
  const { started_at, profile, charge_points, figures } = progress as Progress
  const shown = { run_id, status: 'running' as const, started_at, profile, charge_points, figures }
  return { ...shown, ended_at: null, ended_by: null }
}

export function shownEnded({ organization_id: _, ...row }: LoadRun) {
  return { ...row, status: 'ended' as const }
}
