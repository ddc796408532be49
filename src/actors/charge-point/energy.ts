// How much energy a session took when it has ended, whatever its meter did (OCPP 1.6, 4.8 and 4.10), and how much it can have taken.

import type { Register } from '../../records/session.js'
import { flagsOfRegister, type MostBetween, readRegister } from './registers.js'

export interface Energy {
  readonly wh: number
  readonly flags: readonly string[]
  /** With the last reading. */
  readonly register: Register
}

/** What is known of a session's meter at its end, all in Wh. */
export interface Readings {
  readonly meterStart: number
  /** Undefined when the charge point did not say it. */
  readonly meterStop: number | undefined
  /** As of its last meter value. */
  readonly register: Register
  /** Wall ms. */
  readonly startedAt: number
  readonly endedAt: number
  readonly mostBetween: MostBetween
}

export function sessionEnergy({ meterStart, meterStop, register, startedAt, endedAt, mostBetween }: Readings): Energy {
  const last =
    meterStop === undefined
      ? register
      : readRegister(register, { at: endedAt, wh: meterStop }, register.at ?? startedAt, mostBetween, true)
  const ofRegister = flagsOfRegister(last)
  const isExplained = ofRegister.some((flag) => flag !== 'meter_counts_per_session')
  const flags = [
    ...(meterStop === undefined ? ['meter_stop_missing'] : []),
    ...(meterStop !== undefined && meterStop < meterStart && !isExplained ? ['meter_stop_below_start'] : []),
    ...ofRegister,
    ...(last.taken > mostBetween(startedAt, endedAt) ? [implausibleFlag] : []),
  ]
  return { wh: last.taken, flags, register: last }
}

/** Said of energy that the connector cannot have delivered in the time; the charge point's word stands. */
export const implausibleFlag = 'energy_implausible'

const tolerance = 1.1
/** For clocks that are a little off, and meters that round. */
const slackWh = 1_000
/** The length that a session is taken to have at most when its clock cannot be trusted. */
const longestHours = 24
const hourMs = 3_600_000

/** More than any connector gives: what is taken where the power of a charge point is not known. */
const largestPowerKw = 1_000

/** The most that a connector of `maxPowerKw` gives between two instants. */
export function mostBetweenOf(maxPowerKw: number | undefined, clockSuspect: boolean): MostBetween {
  return (from, to) => {
    const hours = clockSuspect ? longestHours : Math.max(0, to - from) / hourMs
    return Math.round((maxPowerKw ?? largestPowerKw) * 1_000 * hours * tolerance) + slackWh
  }
}
