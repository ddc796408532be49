// The states of a session over time, from what the connector reported: what pricing takes for idle, and what not.

import type { SpanState, StatusSpan } from './session-facts.js'

export interface ReportedStatus {
  /** ms. */
  readonly at: number
  /** OCPP 1.6, 7.7 ChargePointStatus. */
  readonly status: string
}

/** What is left of a session's first statuses where it had too many to keep them. */
export interface EarlierStatuses {
  /** The instant from which on the others count, ms. */
  readonly until: number
  /** Of the last of them that says anything of the charge. */
  readonly status: string
  readonly has_charged: boolean
  readonly charging_ms: number
  readonly suspended_ev_ms: number
  readonly suspended_evse_ms: number
  readonly idle_ms: number
}

type Reported = 'charging' | 'suspended-ev' | 'suspended-evse' | 'finishing'

const states: Readonly<Record<string, Reported>> = {
  Charging: 'charging',
  SuspendedEV: 'suspended-ev',
  SuspendedEVSE: 'suspended-evse',
  Finishing: 'finishing',
}

/** A vehicle that pauses at once has not charged before, though its charge point had told nothing yet. */
const beginningMs = 120_000

function stateOf(status: string): Reported | undefined {
  return Object.hasOwn(states, status) ? states[status] : undefined
}

/**
 * `statuses` in order of time; other statuses say nothing of the charge and are passed over. Idle is every SuspendedEV and Finishing
 * after the vehicle has charged once: what comes later takes none of it back. SuspendedEVSE is never idle: the charge point held the
 * power back. Before the first status the session counts as charging. The last span has no end.
 */
export function statusSpans(
  statuses: readonly ReportedStatus[],
  startedAt: number,
  earlier?: EarlierStatuses,
): StatusSpan[] {
  return readStatuses(statuses, startedAt, earlier).spans
}

function readStatuses(statuses: readonly ReportedStatus[], startedAt: number, earlier: EarlierStatuses | undefined) {
  const reported: { state: Reported; from: number }[] = [
    { state: stateOf(earlier?.status ?? '') ?? 'charging', from: earlier?.until ?? startedAt },
  ]
  let isSupposed = earlier === undefined
  for (const { at, status } of statuses) {
    const state = stateOf(status)
    if (state === undefined) continue
    const last = reported.at(-1) as { state: Reported; from: number }
    // The status at the start is the last one from before it.
    if (at <= last.from) last.state = state
    else if (state !== last.state) reported.push({ state, from: at })
    if (reported.length === 1) isSupposed = false
  }
  let hasCharged = earlier?.has_charged ?? false
  const spans = reported.map(({ state, from }, index): StatusSpan => {
    const next = reported[index + 1]
    const lasts = next === undefined || next.from - from >= beginningMs
    if (state === 'charging' && (!isSupposed || index > 0 || lasts)) hasCharged = true
    const pauses = state === 'suspended-ev' || state === 'finishing'
    const named: SpanState = !pauses ? state : hasCharged ? 'idle' : 'suspended-ev'
    return { state: named, from, ...(next === undefined ? {} : { to: next.from }) }
  })
  return { spans, hasCharged }
}

/** ms in each state until `end`. */
export function timeInStates(
  statuses: readonly ReportedStatus[],
  startedAt: number,
  end: number,
  earlier?: EarlierStatuses,
): Record<SpanState, number> {
  const sums = {
    charging: earlier?.charging_ms ?? 0,
    'suspended-ev': earlier?.suspended_ev_ms ?? 0,
    'suspended-evse': earlier?.suspended_evse_ms ?? 0,
    idle: earlier?.idle_ms ?? 0,
  }
  for (const { state, from, to } of statusSpans(statuses, startedAt, earlier))
    sums[state] += Math.max(0, Math.min(to ?? end, end) - from)
  return sums
}

/** The statuses up to `until` as sums: with them, those after it say what all of them said. */
export function sumStatuses(
  statuses: readonly ReportedStatus[],
  startedAt: number,
  until: number,
  earlier?: EarlierStatuses,
): EarlierStatuses {
  const sums = timeInStates(statuses, startedAt, until, earlier)
  const last = statuses.findLast(({ status }) => stateOf(status) !== undefined)?.status ?? earlier?.status ?? 'Charging'
  return {
    until,
    status: last,
    has_charged: readStatuses(statuses, startedAt, earlier).hasCharged,
    charging_ms: sums.charging,
    suspended_ev_ms: sums['suspended-ev'],
    suspended_evse_ms: sums['suspended-evse'],
    idle_ms: sums.idle,
  }
}
