// The charging profiles installed in a charge point and the power that they leave to a connector at a moment
// (OCPP 1.6, 3.13): the highest valid stack level of each purpose, then the lowest of the purposes.

import { CallError, type Payload } from './call-channel.js'
import { nominalVolts } from './vehicle.js'

/** Of a limit that does not say it (OCPP 1.6, 7.13). */
const usualPhases = 3
const purposes = ['ChargePointMaxProfile', 'TxDefaultProfile', 'TxProfile'] as const

interface SchedulePeriod {
  readonly startPeriod: number
  readonly limit: number
  readonly numberPhases?: number
}

export interface ChargingProfile {
  readonly chargingProfileId: number
  readonly transactionId?: number
  readonly stackLevel: number
  readonly chargingProfilePurpose: (typeof purposes)[number]
  readonly chargingProfileKind: 'Absolute' | 'Recurring' | 'Relative'
  readonly recurrencyKind?: 'Daily' | 'Weekly'
  readonly validFrom?: string
  readonly validTo?: string
  readonly chargingSchedule: {
    readonly duration?: number
    readonly startSchedule?: string
    readonly chargingRateUnit: 'A' | 'W'
    readonly chargingSchedulePeriod: readonly SchedulePeriod[]
  }
}

interface Installed {
  readonly connectorId: number
  readonly profile: ChargingProfile
}

export interface ChargingProfiles {
  set(connectorId: number, profile: ChargingProfile): void
  /** How many were cleared. */
  clear(filter: Payload): number
  transactionEnded(connectorId: number): void
  /**
   * Watts; Infinity when nothing limits the connector. `startedAt` is the transaction's start, in ms; `sharing` is how
   * many connectors share what the whole charge point may draw; `phases` on how many its vehicle charges.
   */
  limitWatts(connectorId: number, now: number, startedAt: number | undefined, sharing: number, phases?: number): number
}

/** Checks the shape that the code relies on; throws a CallError. */
export function chargingProfile(value: unknown): ChargingProfile {
  const profile = value as Partial<ChargingProfile> | undefined
  const schedule = profile?.chargingSchedule
  if (!profile || !schedule || !Array.isArray(schedule.chargingSchedulePeriod) || !schedule.chargingSchedulePeriod[0]) {
    throw new CallError('OccurenceConstraintViolation', 'chargingSchedule')
  }
  if (!purposes.includes(profile.chargingProfilePurpose as (typeof purposes)[number])) {
    throw new CallError('PropertyConstraintViolation', 'chargingProfilePurpose')
  }
  return profile as ChargingProfile
}

/**
 * The profile's limit at `now`, in watts on so many phases; undefined when it says nothing about this moment. A limit in watts is that of
 * all its phases together, so a vehicle that charges on fewer of them has its part of it.
 */
function limitAt(
  profile: ChargingProfile,
  now: number,
  startedAt: number | undefined,
  phases: number,
): number | undefined {
  if (profile.validFrom !== undefined && now < Date.parse(profile.validFrom)) return undefined
  if (profile.validTo !== undefined && now >= Date.parse(profile.validTo)) return undefined
  const schedule = profile.chargingSchedule
  let start = schedule.startSchedule === undefined ? startedAt : Date.parse(schedule.startSchedule)
  if (profile.chargingProfileKind === 'Relative') start = startedAt
  let elapsedSeconds = start === undefined ? 0 : (now - start) / 1000
  if (elapsedSeconds < 0) return undefined
  if (profile.chargingProfileKind === 'Recurring') {
    elapsedSeconds %= profile.recurrencyKind === 'Weekly' ? 604_800 : 86_400
  }
  if (schedule.duration !== undefined && elapsedSeconds >= schedule.duration) return undefined
  let current: SchedulePeriod | undefined
  for (const period of schedule.chargingSchedulePeriod) if (period.startPeriod <= elapsedSeconds) current = period
  if (current === undefined) return undefined
  const { limit, numberPhases = usualPhases } = current
  const used = Math.min(phases, numberPhases)
  return schedule.chargingRateUnit === 'W' ? (limit * used) / numberPhases : limit * nominalVolts * used
}

export function createChargingProfiles(): ChargingProfiles {
  let installed: Installed[] = []

  function prevailing(
    purpose: string,
    connectorId: number,
    now: number,
    startedAt: number | undefined,
    phases: number,
  ): number | undefined {
    const onConnector = installed.filter(
      (entry) => entry.profile.chargingProfilePurpose === purpose && entry.connectorId === connectorId,
    )
    onConnector.sort((a, b) => b.profile.stackLevel - a.profile.stackLevel)
    for (const { profile } of onConnector) {
      const limit = limitAt(profile, now, startedAt, phases)
      if (limit !== undefined) return limit
    }
    return undefined
  }

  return {
    set(connectorId, profile) {
      installed = installed.filter(
        (entry) =>
          entry.profile.chargingProfileId !== profile.chargingProfileId &&
          !(
            entry.connectorId === connectorId &&
            entry.profile.stackLevel === profile.stackLevel &&
            entry.profile.chargingProfilePurpose === profile.chargingProfilePurpose
          ),
      )
      installed.push({ connectorId, profile })
    },
    clear(filter) {
      const before = installed.length
      installed = installed.filter(({ connectorId, profile }) => {
        if (filter.id !== undefined) return profile.chargingProfileId !== filter.id
        if (filter.connectorId !== undefined && filter.connectorId !== connectorId) return true
        if (filter.stackLevel !== undefined && filter.stackLevel !== profile.stackLevel) return true
        const purpose = filter.chargingProfilePurpose
        return purpose !== undefined && purpose !== profile.chargingProfilePurpose
      })
      return before - installed.length
    },
    transactionEnded(connectorId) {
      installed = installed.filter(
        (entry) => entry.connectorId !== connectorId || entry.profile.chargingProfilePurpose !== 'TxProfile',
      )
    },
    limitWatts(connectorId, now, startedAt, sharing, phases = usualPhases) {
      const own =
        prevailing('TxProfile', connectorId, now, startedAt, phases) ??
        prevailing('TxDefaultProfile', connectorId, now, startedAt, phases) ??
        prevailing('TxDefaultProfile', 0, now, startedAt, phases)
      const whole = prevailing('ChargePointMaxProfile', 0, now, startedAt, phases)
      return Math.min(own ?? Infinity, (whole ?? Infinity) / Math.max(1, sharing))
    },
  }
}
