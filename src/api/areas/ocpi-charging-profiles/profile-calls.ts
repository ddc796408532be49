// Charging profiles in the words of OCPP 1.6 (5.16, 5.7, 5.5), for charge points whose power no site shares: one profile of each connector, for
// the transaction alone.

import type { CallOutcome } from '../../../actors/messages/command.js'
import type { ChargerFacts } from '../../../actors/site/facts.js'
import { readDateTime, writeDateTime } from '../../../ocpi/date-time.js'
import type {
  ActiveChargingProfile,
  ChargingProfile,
  ChargingProfileResultType,
} from '../../../ocpi/schemas/charging-profile.js'
import {
  callOf,
  clearChargingProfile,
  getCompositeSchedule,
  type OcppCall,
  setChargingProfile,
  writeTimestamp,
} from '../../../ocpp16/index.js'
import { amperesOf, type ChargeBound, wattsOf } from '../../../power/charge-bound.js'
import type { Session } from '../../../records/session.js'

/** Beside those of operators and of sites, so that a later one takes the place of the earlier (OCPP 1.6, 5.16.2). */
const firstProfileId = 3_000

const profileIdOf = ({ connector_id }: Session): number => firstProfileId + connector_id

/** As it is kept. Without a start, it begins with the session (OCPI 2.2.1, 14.5.2). */
export function boundOf(profile: ChargingProfile, session: Session): ChargeBound {
  const { start_date_time, duration, charging_rate_unit: unit, min_charging_rate: least } = profile
  return {
    starts_at: readDateTime(start_date_time ?? session.started_at) ?? 0,
    ...(duration !== undefined && { duration }),
    unit: unit as ChargeBound['unit'],
    ...(least !== undefined && { least }),
    periods: (profile.charging_profile_period ?? []).map(({ start_period: start, limit }) => ({ start, limit })),
  }
}

/** In the unit of the profile, unless the charge point takes only the other. */
export function setProfileCall(
  profile: ChargingProfile,
  session: Session,
  { units, phases }: Pick<ChargerFacts, 'units' | 'phases'>,
): OcppCall {
  const { start_date_time, duration, min_charging_rate } = profile
  const own = profile.charging_rate_unit as 'A' | 'W'
  const unit = units.includes(own) ? own : own === 'A' ? 'W' : 'A'
  const converted = (limit: number): number =>
    oneDecimal(unit === own ? limit : unit === 'W' ? wattsOf(limit, own, phases) : amperesOf(limit, own, phases))
  const startsAt = start_date_time === undefined ? undefined : readDateTime(start_date_time)
  return callOf(setChargingProfile, {
    connectorId: session.connector_id,
    csChargingProfiles: {
      chargingProfileId: profileIdOf(session),
      transactionId: session.transaction_id,
      stackLevel: 0,
      chargingProfilePurpose: 'TxProfile',
      chargingProfileKind: startsAt === undefined ? 'Relative' : 'Absolute',
      chargingSchedule: {
        ...(duration !== undefined && { duration }),
        ...(startsAt !== undefined && { startSchedule: writeTimestamp(startsAt) }),
        chargingRateUnit: unit,
        chargingSchedulePeriod: (profile.charging_profile_period ?? []).map(({ start_period, limit }) => ({
          startPeriod: start_period,
          limit: converted(limit),
        })),
        ...(min_charging_rate !== undefined && { minChargingRate: converted(min_charging_rate) }),
      },
    },
  })
}

/** Never more than was meant. */
function oneDecimal(limit: number): number {
  return Math.floor(limit * 10 + 1e-6) / 10
}

export function clearProfileCall(session: Session): OcppCall {
  return callOf(clearChargingProfile, { id: profileIdOf(session) })
}

export function activeProfileCall({ connector_id: connectorId }: Session, duration: number): OcppCall {
  return callOf(getCompositeSchedule, { connectorId, duration })
}

function statusOf(outcome: CallOutcome): string | undefined {
  if (outcome.type !== 'answered') return undefined
  const { status } = (outcome.payload ?? {}) as { readonly status?: unknown }
  return typeof status === 'string' ? status : undefined
}

/** What the charge point makes of it; whatever is no answer is a refusal. */
export function resultOf(outcome: CallOutcome): ChargingProfileResultType {
  const status = statusOf(outcome)
  if (status === 'Accepted') return 'ACCEPTED'
  return status === 'Unknown' ? 'UNKNOWN' : 'REJECTED'
}

interface Schedule {
  readonly duration?: number
  readonly startSchedule?: string
  readonly chargingRateUnit: 'A' | 'W'
  readonly chargingSchedulePeriod: readonly { readonly startPeriod: number; readonly limit: number }[]
  readonly minChargingRate?: number
}

/** Undefined where the charge point has not said what is in force. */
export function activeProfileOf(outcome: CallOutcome, now: number): ActiveChargingProfile | undefined {
  if (outcome.type !== 'answered' || statusOf(outcome) !== 'Accepted') return undefined
  const { scheduleStart, chargingSchedule } = outcome.payload as {
    readonly scheduleStart?: string
    readonly chargingSchedule?: Partial<Schedule>
  }
  const {
    chargingRateUnit,
    chargingSchedulePeriod: periods,
    duration,
    startSchedule,
    minChargingRate,
  } = chargingSchedule ?? {}
  const isWhole = (chargingRateUnit === 'A' || chargingRateUnit === 'W') && Array.isArray(periods)
  if (!isWhole || !periods.every(({ startPeriod, limit }) => isLimit(startPeriod) && isLimit(limit))) return undefined
  const startsAt = [scheduleStart, startSchedule].map((text) => text && readDateTime(text)).find(isLimit)
  return {
    start_date_time: writeDateTime(startsAt ?? now),
    charging_profile: {
      ...(isLimit(duration) && { duration: Math.round(duration) }),
      charging_rate_unit: chargingRateUnit,
      ...(isLimit(minChargingRate) && { min_charging_rate: oneDecimal(minChargingRate) }),
      charging_profile_period: periods.map(({ startPeriod, limit }) => ({
        start_period: Math.round(startPeriod),
        limit: oneDecimal(limit),
      })),
    },
  }
}

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
