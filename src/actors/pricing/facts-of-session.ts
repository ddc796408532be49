// The facts by which a stored session is priced: from its row and its meter values, and nothing else.

import type { MeterValues } from '../records/meter-values.js'
import type { Session } from '../records/session.js'
import type { RegisterSample, SessionFacts } from './session-facts.js'
import { statusSpans } from './status-spans.js'

/** How far a running session has come: it has neither an end nor an energy of its own yet. */
export interface SoFar {
  /** ms. */
  readonly asOf: number
  readonly energyWh: number
}

/** `rows` in any order; those without an overall register say nothing. */
export function factsOfSession(session: Session, rows: readonly MeterValues[], soFar?: SoFar): SessionFacts {
  const startedAt = Date.parse(session.started_at)
  const energyWh = soFar === undefined ? session.energy_wh : soFar.energyWh
  return {
    sessionId: session.session_id,
    startedAt,
    ...(soFar === undefined
      ? session.ended_at !== undefined && { endedAt: Date.parse(session.ended_at) }
      : { asOf: soFar.asOf }),
    ...(energyWh !== undefined && { energyWh }),
    samples: registersOf(rows),
    spans: statusSpans(session.statuses ?? [], startedAt),
    ...(session.stop_reason !== undefined && { stopReason: session.stop_reason }),
    idTag: session.id_tag,
    connectorId: session.connector_id,
    chargePointId: session.charge_point_id,
    ...(session.site_id !== undefined && { siteId: session.site_id }),
    ...(session.auth_method !== undefined && { authMethod: session.auth_method }),
  }
}

function registersOf(rows: readonly MeterValues[]): RegisterSample[] {
  const samples: RegisterSample[] = []
  for (const { at, energy_wh: registerWh } of rows) if (registerWh !== undefined) samples.push({ at, registerWh })
  return samples.sort((one, other) => one.at - other.at)
}
