// Every kind of alert. A new one is a file of its name here, and its line in the list.

import { type Static, type TOptional, Type } from 'typebox'
import { certificateExpiring } from './certificate-expiring.js'
import { certificateNotInstalled } from './certificate-not-installed.js'
import { certificateRequestRefused } from './certificate-request-refused.js'
import { chargePointClockOff } from './charge-point-clock-off.js'
import { chargePointConfigurationDrifted } from './charge-point-configuration-drifted.js'
import { chargePointOffline } from './charge-point-offline.js'
import { chargePointOverAllowance } from './charge-point-over-allowance.js'
import { chargePointQuarantined } from './charge-point-quarantined.js'
import { chargingWithoutTariff } from './charging-without-tariff.js'
import { clockJumpedAhead } from './clock-jumped-ahead.js'
import { commandsQuarantined } from './commands-quarantined.js'
import { connectionsRefused } from './connections-refused.js'
import { connectorFaulted } from './connector-faulted.js'
import type { Detail, DetailFields, Threshold } from './define-kind.js'
import { firmwareRolloutStopped } from './firmware-rollout-stopped.js'
import { guestChargeNotStopped } from './guest-charge-not-stopped.js'
import { guestPayment } from './guest-payment.js'
import { invoicesQuarantined } from './invoices-quarantined.js'
import { powerLimitIgnored } from './power-limit-ignored.js'
import { powerLimitRefused } from './power-limit-refused.js'
import { roamingCdrsGivenUp } from './roaming-cdrs-given-up.js'
import { roamingPartnerUnreachable } from './roaming-partner-unreachable.js'
import { securityEvent } from './security-event.js'
import { securityProfileNotReached } from './security-profile-not-reached.js'
import { sessionClosedAfterSilence } from './session-closed-after-silence.js'
import { sessionImplausible } from './session-implausible.js'
import { sitePowerExceeded } from './site-power-exceeded.js'
import { storageSpaceLow } from './storage-space-low.js'
import { webhookEndpointDisabled } from './webhook-endpoint-disabled.js'
import { webhookEndpointFailing } from './webhook-endpoint-failing.js'

export { type AlertSeverity, alertSeverities } from './define-kind.js'

const kinds = [
  chargePointOffline,
  connectorFaulted,
  chargePointClockOff,
  connectionsRefused,
  webhookEndpointFailing,
  certificateExpiring,
  storageSpaceLow,
  clockJumpedAhead,
  webhookEndpointDisabled,
  securityEvent,
  certificateRequestRefused,
  certificateNotInstalled,
  securityProfileNotReached,
  firmwareRolloutStopped,
  sitePowerExceeded,
  powerLimitIgnored,
  powerLimitRefused,
  guestPayment,
  sessionClosedAfterSilence,
  sessionImplausible,
  chargingWithoutTariff,
  guestChargeNotStopped,
  chargePointOverAllowance,
  chargePointConfigurationDrifted,
  chargePointQuarantined,
  commandsQuarantined,
  invoicesQuarantined,
  roamingPartnerUnreachable,
  roamingCdrsGivenUp,
] as const

type Kind = (typeof kinds)[number]
export type AlertKind = Kind['name']

/** By name. */
export const alertKinds = Object.fromEntries(kinds.map((kind) => [kind.name, kind])) as unknown as {
  readonly [Each in Kind as Each['name']]: Each
}

export const alertKindNames: readonly AlertKind[] = kinds.map(({ name }) => name)

/** Whether this version has such alerts: a store may hold what a later version has noted. */
export function isAlertKind(name: string): name is AlertKind {
  return Object.hasOwn(alertKinds, name)
}

export type ThresholdName = NonNullable<Kind['threshold']>['name']
export type AlertThresholds = Readonly<Record<ThresholdName, number | null>>

/** What an organization may set, by name. */
export const alertThresholds = Object.fromEntries(
  kinds.flatMap(({ threshold }) => (threshold === undefined ? [] : [[threshold.name, threshold]])),
) as unknown as Readonly<Record<ThresholdName, Threshold>>

/** Null: it is not wanted. Undefined: an organization has no say. */
export function thresholdOf(set: Partial<AlertThresholds> | undefined, kind: AlertKind): number | null | undefined {
  const threshold: Threshold<ThresholdName> | undefined = alertKinds[kind].threshold
  if (threshold === undefined) return undefined
  const chosen = set?.[threshold.name]
  return chosen === undefined ? threshold.fallback : chosen
}

/** How the cause is watched that a charge point's row keeps; undefined for other kinds, and for those of a later version. */
export function watchOf(kind: string) {
  return isAlertKind(kind) ? alertKinds[kind].watch : undefined
}

export type WatchOfKind = NonNullable<ReturnType<typeof watchOf>>

/** Of all kinds together: a name means the same in each. */
type Fields = Together<NonNullable<Kind['details']>>
type Together<Each> = (Each extends unknown ? (one: Each) => void : never) extends (all: infer All) => void
  ? All
  : never

export const alertDetailFields: DetailFields = Object.assign({}, ...kinds.map(({ details }) => details))

export const alertDetails = Type.Object(
  Object.fromEntries(
    Object.entries(alertDetailFields).map(([name, { schema }]: [string, Detail]) => [name, Type.Optional(schema)]),
  ) as unknown as { [Name in keyof Fields]: TOptional<Fields[Name]['schema']> },
)

/** What alerts have beside their message: one shape in the row, the events and the API. */
export type AlertDetails = Static<typeof alertDetails>
