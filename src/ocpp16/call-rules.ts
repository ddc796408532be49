// What the standard says of calls beyond their schemas: fields that depend on each other. For payloads that fit their schema.

import type { ErrorDetail } from '../runtime/errors.js'
import type { ChargingProfile } from './schemas/common.js'
import type { GetDiagnosticsRequest } from './schemas/get-diagnostics.js'
import type { RemoteStartTransactionRequest } from './schemas/remote-start-transaction.js'
import type { SendLocalListRequest } from './schemas/send-local-list.js'
import type { SetChargingProfileRequest } from './schemas/set-charging-profile.js'

type Rule = (payload: never) => readonly ErrorDetail[]

const rules: Readonly<Record<string, Rule>> = {
  RemoteStartTransaction: remoteStart,
  SetChargingProfile: setProfile,
  SendLocalList: localList,
  GetDiagnostics: diagnostics,
}

/** What is wrong; `path` is a JSON pointer into the payload. */
export function brokenRules(action: string, payload: unknown): readonly ErrorDetail[] {
  return rules[action]?.(payload as never) ?? []
}

/** OCPP 1.6, 5.11, with its erratum. */
function remoteStart({ chargingProfile }: RemoteStartTransactionRequest): readonly ErrorDetail[] {
  if (chargingProfile === undefined) return []
  const at = '/chargingProfile'
  const faults = profileFaults(chargingProfile, at)
  if (chargingProfile.chargingProfilePurpose !== 'TxProfile')
    faults.push({ path: `${at}/chargingProfilePurpose`, message: 'must be TxProfile' })
  if (chargingProfile.transactionId !== undefined)
    faults.push({ path: `${at}/transactionId`, message: 'must be absent: the transaction does not exist yet' })
  return faults
}

/** OCPP 1.6, 3.13.1 and 5.16. */
function setProfile({ connectorId, csChargingProfiles: profile }: SetChargingProfileRequest): readonly ErrorDetail[] {
  const at = '/csChargingProfiles'
  const faults = profileFaults(profile, at)
  const { chargingProfilePurpose: purpose } = profile
  if (purpose === 'ChargePointMaxProfile' && connectorId !== 0)
    faults.push({ path: '/connectorId', message: 'must be 0 for a ChargePointMaxProfile' })
  if (purpose === 'TxProfile' && connectorId === 0)
    faults.push({ path: '/connectorId', message: 'must not be 0 for a TxProfile' })
  if (purpose !== 'TxProfile' && profile.transactionId !== undefined)
    faults.push({ path: `${at}/transactionId`, message: 'is for a TxProfile only' })
  return faults
}

/** OCPP 1.6, 7.8 and 7.13. */
function profileFaults(profile: ChargingProfile, at: string): ErrorDetail[] {
  const faults: ErrorDetail[] = []
  const { chargingProfileKind, recurrencyKind, validFrom, validTo, chargingSchedule } = profile
  if (recurrencyKind !== undefined && chargingProfileKind !== 'Recurring')
    faults.push({ path: `${at}/recurrencyKind`, message: 'is for a Recurring profile only' })
  if (validFrom !== undefined && validTo !== undefined && Date.parse(validTo) <= Date.parse(validFrom))
    faults.push({ path: `${at}/validTo`, message: 'must be later than validFrom' })
  const periods = chargingSchedule.chargingSchedulePeriod
  for (const [index, { startPeriod }] of periods.entries()) {
    const path = `${at}/chargingSchedule/chargingSchedulePeriod/${index}/startPeriod`
    const before = periods[index - 1]?.startPeriod
    if (before === undefined && startPeriod !== 0) faults.push({ path, message: 'must be 0 for the first period' })
    if (before !== undefined && startPeriod <= before)
      faults.push({ path, message: 'must be later than that of the period before' })
  }
  return faults
}

/** OCPP 1.6, 5.15. */
function localList({ updateType, localAuthorizationList = [] }: SendLocalListRequest): readonly ErrorDetail[] {
  const seen = new Set<string>()
  return localAuthorizationList.flatMap(({ idTag, idTagInfo }, index) => {
    const path = `/localAuthorizationList/${index}`
    const folded = idTag.toUpperCase()
    const isRepeated = seen.has(folded)
    seen.add(folded)
    return [
      ...(isRepeated ? [{ path: `${path}/idTag`, message: 'is in the list already' }] : []),
      ...(updateType === 'Full' && idTagInfo === undefined
        ? [{ path: `${path}/idTagInfo`, message: 'is required in a Full update' }]
        : []),
    ]
  })
}

/** OCPP 1.6, 5.9. */
function diagnostics({ startTime, stopTime }: GetDiagnosticsRequest): readonly ErrorDetail[] {
  if (startTime === undefined || stopTime === undefined || Date.parse(startTime) < Date.parse(stopTime)) return []
  return [{ path: '/stopTime', message: 'must be later than startTime' }]
}
