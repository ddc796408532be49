// The facts that pricing works from, made of what is stored of a session: the one place that knows where each of them stands.
// Pure: a session that is priced again gets the facts that it was priced by.

import type { EarlierTimes, RegisterSample, SessionFacts } from '../pricing/session-facts.js'
import { type EarlierStatuses, statusSpans } from '../pricing/status-spans.js'
import type { MeterValues } from './meter-values.js'
import type { Session } from './session.js'

export interface SessionMaterial {
  /** The session's rows, oldest first. They explain the energy in the trace; of a running session they are the energy. */
  readonly meterValues?: readonly MeterValues[]
  /** A running session: until when it is priced, ms. */
  readonly asOf?: number
  /** A running session: Wh taken so far, cleared of the registers' quirks; without it, the last register less the first. */
  readonly energyWh?: number
}

/** The energy that the session ended with; a row without `energy_wh` says it by its registers. */
function closedEnergyWh(session: Session): number | undefined {
  if (session.energy_wh !== undefined) return session.energy_wh
  return session.meter_stop === undefined ? undefined : Math.max(0, session.meter_stop - session.meter_start)
}

/** From the register at the start; none where nothing was metered after it. */
function samplesOf(session: Session, rows: readonly MeterValues[]): RegisterSample[] {
  const samples: RegisterSample[] = []
  for (const { at, energy_wh, inlet_wh } of rows) {
    const registerWh = session.register?.inlet === true ? inlet_wh : energy_wh
    if (registerWh !== undefined) samples.push({ at, registerWh })
  }
  const ended = session.ended_at !== undefined && session.meter_stop !== undefined
  if (ended) samples.push({ at: Date.parse(session.ended_at), registerWh: session.meter_stop })
  if (samples.length > 0) samples.unshift({ at: Date.parse(session.started_at), registerWh: session.meter_start })
  return samples
}

function earlierTimes({ until, idle_ms, suspended_ev_ms, suspended_evse_ms }: EarlierStatuses): EarlierTimes {
  return { until, idleMs: idle_ms, suspendedByVehicleMs: suspended_ev_ms, suspendedByChargePointMs: suspended_evse_ms }
}

export function factsOfSession(session: Session, material: SessionMaterial = {}): SessionFacts {
  const startedAt = Date.parse(session.started_at)
  const earlier = session.earlier_statuses
  const energyWh = session.ended_at === undefined ? material.energyWh : closedEnergyWh(session)
  return {
    sessionId: session.session_id,
    startedAt,
    ...(session.ended_at !== undefined && { endedAt: Date.parse(session.ended_at) }),
    ...(session.ended_at === undefined && material.asOf !== undefined && { asOf: material.asOf }),
    ...(energyWh !== undefined && { energyWh }),
    samples: samplesOf(session, material.meterValues ?? []),
    spans: statusSpans(session.statuses ?? [], startedAt, earlier),
    ...(earlier !== undefined && { earlier: earlierTimes(earlier) }),
    ...(session.stop_reason !== undefined && { stopReason: session.stop_reason }),
    idTag: session.id_tag,
    connectorId: session.connector_id,
    chargePointId: session.charge_point_id,
    ...(session.site_id !== undefined && { siteId: session.site_id }),
    ...(session.auth_method !== undefined && { authMethod: session.auth_method }),
  }
}
