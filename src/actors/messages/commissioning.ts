// Where a commissioning is reached, and what has it looked at: also sent by the charge point, when it connects.

import type { Address } from '../../runtime/actor/actor.js'

export const commissioningKind = 'commissioning'

export function commissioningAddress(chargePointId: string): Address {
  return { kind: commissioningKind, id: chargePointId }
}

/** Of the wake-up that is stored as long as there is something to look at. */
export const lookReason = 'look'

/** The charge point has sent what it was asked for by a TriggerMessage. */
export interface ReportedMessage {
  readonly type: 'reported'
  readonly action: string
  readonly connectorId?: number
}

/** It is time to look how far the charge point is. */
export interface LookMessage {
  readonly type: 'look'
}
