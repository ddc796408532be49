// The states of a session over time, from what the connector reported: what pricing takes for idle, and what not.

import type { StatusSpan } from './session-facts.js'

export interface ReportedStatus {
  /** ms. */
  readonly at: number
  /** OCPP 1.6, 7.7 ChargePointStatus. */
  readonly status: string
}

type Reported = 'charging' | 'suspended-ev' | 'suspended-evse' | 'finishing'

const states: Readonly<Record<string, Reported>> = {
  Charging: 'charging',
  SuspendedEV: 'suspended-ev',
  SuspendedEVSE: 'suspended-evse',
  Finishing: 'finishing',
}

/**
 * `statuses` in order of time; other statuses say nothing of the charge and are passed over. Idle is SuspendedEV and Finishing after
 * the last Charging: a vehicle that pauses and goes on was not blocking anybody. SuspendedEVSE is never idle: the charge point
 * held the power back. Before the first status the session counts as charging. The last span has no end.
 */
export function statusSpans(statuses: readonly ReportedStatus[], startedAt: number): StatusSpan[] {
  const reported: { state: Reported; from: number }[] = [{ state: 'charging', from: startedAt }]
  for (const { at, status } of statuses) {
    const state = Object.hasOwn(states, status) ? states[status] : undefined
    if (state === undefined) continue
    const last = reported.at(-1) as { state: Reported; from: number }
    // The status at the start is the last one from before it.
    if (at <= last.from) last.state = state
    else if (state !== last.state) reported.push({ state, from: at })
  }
  const lastCharging = reported.findLastIndex(({ state }) => state === 'charging')
  return reported.map(({ state, from }, index) => {
    const next = reported[index + 1]
    const over = index > lastCharging && (state === 'suspended-ev' || state === 'finishing')
    const named = over ? 'idle' : state === 'finishing' ? 'suspended-ev' : state
    return { state: named, from, ...(next === undefined ? {} : { to: next.from }) }
  })
}
