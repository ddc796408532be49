// How one cause becomes one alert, and one end of it. A watch is a step of: nothing, a cause that has begun, an open alert, a
// cause that is gone. An alert comes only out of the second and goes only out of the fourth, so of two in a row one is always
// a trigger and the other an end; what comes and goes within its time is never told.

import { phaseOf, type Watch, type Watches, type WatchPhase } from '../records/alert.js'

/** The cause was seen to hold, or not to, at `now`; undefined is a watch of nothing. */
export function noteCause(watch: Watch | undefined, holds: boolean, now: number): Watch | undefined {
  if (watch === undefined) return holds ? { since: now } : undefined
  const { alert_id } = watch
  if (alert_id === undefined) return holds ? watch : undefined
  const ends = watch.ending === true
  if (holds) return ends ? { since: now, alert_id } : watch
  return ends ? watch : { since: now, alert_id, ending: true }
}

export type Verdict = 'raise' | 'resolve'

/** What is done once a watch has been in its phase for long enough. */
export function verdictOf(phase: WatchPhase): Verdict | undefined {
  if (phase === 'begins') return 'raise'
  return phase === 'ends' ? 'resolve' : undefined
}

/** Raised under this id. */
export function raised(watch: Watch, alertId: string): Watch {
  return { since: watch.since, alert_id: alertId }
}

/** The alert is over: nothing is left, or the cause alone, where nobody wants to hear of it. */
export function resolvedWatch(watch: Watch): Watch | undefined {
  return phaseOf(watch) === 'open' ? { since: watch.since } : undefined
}

/** What holds still, for somebody who has been alerted of none of it. */
export function causesAlone(watches: Watches): Watches {
  const holding = Object.entries(watches).filter(([, watch]) => phaseOf(watch) !== 'ends')
  return Object.fromEntries(holding.map(([key, { since }]) => [key, { since }]))
}
