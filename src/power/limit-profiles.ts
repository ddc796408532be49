// The charging profiles by which a site limits its charge points. Each has an id of its own, so that a later one takes the place of the
// earlier (OCPP 1.6, 5.16.2).

import {
  callOf,
  clearChargingProfile,
  getCompositeSchedule,
  type OcppCall,
  setChargingProfile,
  writeTimestamp,
} from '../ocpp16/index.js'
import { nominalVolts } from './electricity.js'

const standingProfileId = 2_000
const connectorProfileId = 2_000
/** Set aside for them, whatever the number of connectors. */
const idsOfSites = 1_000
/** A schedule that began a little ago leaves no gap where the charge point's clock is behind. */
const startedAgoMs = 60_000
const askedSeconds = 60
/** What most charge points take of those that say nothing of it. */
const usualStackLevel = 0

export interface ProfileTerms {
  readonly purpose: 'TxProfile' | 'TxDefaultProfile'
  /** 0 for all connectors: the standing limit. */
  readonly connectorId: number
  readonly transactionId?: number
  readonly unit: 'A' | 'W'
  /** Per phase. */
  readonly amperes: number
  readonly phases: number
  /** For how long it holds; without, until it is replaced or its transaction ends. */
  readonly forMs?: number
  readonly maxStackLevel: number | undefined
}

export function limitCall(terms: ProfileTerms, now: number): OcppCall {
  const { purpose, connectorId, transactionId, unit, amperes, phases, forMs, maxStackLevel } = terms
  return callOf(setChargingProfile, {
    connectorId,
    csChargingProfiles: {
      chargingProfileId: connectorId === 0 ? standingProfileId : connectorProfileId + connectorId,
      ...(transactionId !== undefined && { transactionId }),
      stackLevel: maxStackLevel ?? usualStackLevel,
      chargingProfilePurpose: purpose,
      chargingProfileKind: forMs === undefined ? 'Relative' : 'Absolute',
      chargingSchedule: {
        // Without an end it begins with each transaction, so that it holds whatever the charge point's clock shows.
        ...(forMs !== undefined && {
          duration: Math.floor((forMs + startedAgoMs) / 1000),
          startSchedule: writeTimestamp(now - startedAgoMs),
        }),
        chargingRateUnit: unit,
        chargingSchedulePeriod: [
          {
            startPeriod: 0,
            limit: oneDecimal(unit === 'A' ? amperes : amperes * nominalVolts * phases),
            ...(phases < 3 && { numberPhases: phases }),
          },
        ],
      },
    },
  })
}

/** At most one decimal, and never more than was meant (OCPP 1.6, 7.14). */
function oneDecimal(limit: number): number {
  return Math.floor(limit * 10 + 1e-6) / 10
}

/** Whether the profile of this id is one that sites set. */
export function isSiteProfile(id: number): boolean {
  return id >= standingProfileId && id < standingProfileId + idsOfSites
}

/** All profiles of a connector, whoever has set them; with 0, the defaults of all connectors. */
export function clearConnectorCall(connectorId: number): OcppCall {
  return callOf(
    clearChargingProfile,
    connectorId === 0 ? { connectorId, chargingProfilePurpose: 'TxDefaultProfile' } : { connectorId },
  )
}

/** Asks which limit holds at a connector now. */
export function heldLimitCall(connectorId: number, unit: 'A' | 'W'): OcppCall {
  return callOf(getCompositeSchedule, { connectorId, duration: askedSeconds, chargingRateUnit: unit })
}

/** The profiles of a site at a charge point with so many connectors, one call for each. */
export function clearCalls(connectors: number): readonly OcppCall[] {
  const ids = [standingProfileId, ...Array.from({ length: connectors }, (_, index) => connectorProfileId + index + 1)]
  return ids.map((id) => callOf(clearChargingProfile, { id }))
}
