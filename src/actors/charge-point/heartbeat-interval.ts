// The interval of Heartbeats that BootNotification is answered with. Charge points keep it as their key HeartbeatInterval (OCPP 1.6, 4.2): where that key
// is part of a configuration, its value is the answer, so that a start does not change what was applied.

import { configuredHeartbeatSeconds } from '../../records/configured-heartbeat.js'
import type { Context } from '../../runtime/actor/actor.js'
import { applicationOf } from './configuration-drift.js'
import type { State } from './state.js'

/** Intervals differ by a tenth either way, so that charge points that started together do not beat together. */
const jitter = 0.1

/** Seconds. */
export function heartbeatInterval(state: State, context: Context): number {
  return configured(state, context) ?? jittered(state.settings.heartbeatIntervalSeconds, context)
}

export function jittered(seconds: number, context: Context): number {
  return Math.max(1, Math.round(seconds * (1 - jitter + 2 * jitter * context.random())))
}

function configured(state: State, context: Context): number | undefined {
  // Nearly all starts cost no read.
  const application = state.row.configuration === undefined ? undefined : applicationOf(state, context)
  return application && configuredHeartbeatSeconds(application)
}
