// The connectors of a site as its plan sees them: which can be limited now, and what each is counted with.

import type { Load } from '../../power/load.js'
import { connectorOf, countedOf, isOpen, isSettling, limitedLines, mayHaveForgotten, takesLimits } from './counted.js'
import { type ChargerState, connectorIds } from './state.js'

export type OpenSession = ChargerState['report']['sessions'][number]

/** A connector of the site. */
export interface Place {
  readonly id: string
  readonly charger: ChargerState
  readonly connectorId: number
  /** On how many phases its limit is drawn, as far as is known. */
  readonly phases: number
  readonly session: OpenSession | undefined
  /** Its limit can be changed now. */
  readonly isSharer: boolean
  /** All that the connector gives is set aside for it, because the next car may draw that. */
  readonly isOpen: boolean
  /** Its charge point is taken to hold its limits, also if that is not counted yet. */
  readonly isBelieved: boolean
  /** The most that it may draw: no raise of another goes beyond it. */
  readonly counted: Load
  /** The same for shares: a charge point that has just restarted is taken to hold its limits until its answer is due. */
  readonly planned: Load
}

export interface Instant {
  /** Wall ms. */
  readonly now: number
  readonly monotonic: number
}

export function placeId(chargePointId: string, connectorId: number): string {
  return `${chargePointId}/${connectorId}`
}

export function placesOf(charger: ChargerState, { monotonic }: Instant): readonly Place[] {
  const id = charger.row.charge_point_id
  const isSure = !mayHaveForgotten(charger)
  const isBelieved = isSure || isSettling(charger, monotonic)
  return connectorIds(charger).map((connectorId) => {
    const session = charger.report.sessions.find((open) => open.connectorId === connectorId)
    const connector = connectorOf(charger, connectorId)
    const counted = countedOf(charger, connectorId, monotonic, isSure)
    return {
      id: placeId(id, connectorId),
      charger,
      connectorId,
      phases: limitedLines(charger, connector).length,
      session,
      isSharer:
        session !== undefined &&
        charger.report.isReady &&
        takesLimits(charger) &&
        connector?.ignores_limit_watts === undefined,
      isOpen: isOpen(charger, connectorId, isBelieved),
      isBelieved,
      counted,
      planned: isSure === isBelieved ? counted : countedOf(charger, connectorId, monotonic, isBelieved),
    }
  })
}
