// What the standard says of a charging profile beyond its schema (OCPP 1.6, 7.8 and 7.13).

import type { ErrorDetail } from '../../runtime/errors.js'
import type { ChargingProfile } from './common.js'

/** What is wrong with the profile; `at` is its place in the payload. */
export function profileFaults(profile: ChargingProfile, at: string): ErrorDetail[] {
  const faults: ErrorDetail[] = []
  const { chargingProfileKind, recurrencyKind, validFrom, validTo, chargingSchedule } = profile
  if (recurrencyKind !== undefined && chargingProfileKind !== 'Recurring')
    faults.push({ path: `${at}/recurrencyKind`, message: 'is allowed only in a Recurring profile' })
  if (validFrom !== undefined && validTo !== undefined && Date.parse(validTo) <= Date.parse(validFrom))
    faults.push({ path: `${at}/validTo`, message: 'must be later than validFrom' })
  const periods = chargingSchedule.chargingSchedulePeriod
  for (const [index, { startPeriod }] of periods.entries()) {
    const path = `${at}/chargingSchedule/chargingSchedulePeriod/${index}/startPeriod`
    const before = periods[index - 1]?.startPeriod
    if (before === undefined && startPeriod !== 0) faults.push({ path, message: 'must be 0 for the first period' })
    if (before !== undefined && startPeriod <= before)
      faults.push({ path, message: 'must be greater than that of the previous period' })
  }
  return faults
}
