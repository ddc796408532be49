// How much energy a session took, whatever its meter did (OCPP 1.6, 4.8 and 4.10; registers reset, run backwards or count per session).

export interface Energy {
  readonly wh: number
  readonly flags: readonly string[]
}

/** What is known of a session's meter, all in Wh. */
export interface Readings {
  readonly meterStart: number
  /** Undefined when the charge point did not say it. */
  readonly meterStop: number | undefined
  /** The last overall reading of the session's meter values, if any. */
  readonly lastRegister: number | undefined
  /** The most that the session can have taken. */
  readonly plausibleWh: number
}

export function sessionEnergy({ meterStart, meterStop, lastRegister, plausibleWh }: Readings): Energy {
  if (meterStop !== undefined && meterStop >= meterStart) return judged(meterStop - meterStart, plausibleWh, [])
  const flags = [meterStop === undefined ? 'meter_stop_missing' : 'meter_stop_below_start']
  if (lastRegister !== undefined && lastRegister >= meterStart)
    return judged(lastRegister - meterStart, plausibleWh, flags)
  const ofSession = countsPerSession(meterStop ?? lastRegister, plausibleWh)
  return ofSession === undefined ? { wh: 0, flags } : { wh: ofSession, flags: [...flags, 'meter_counts_per_session'] }
}

/** What a running session has taken so far. */
export function energySoFar(meterStart: number, lastRegister: number | undefined, plausibleWh: number): number {
  if (lastRegister !== undefined && lastRegister >= meterStart) return lastRegister - meterStart
  return countsPerSession(lastRegister, plausibleWh) ?? 0
}

/** Said of energy that the connector cannot have delivered in the time; the charge point's word stands. */
export const implausibleFlag = 'energy_implausible'

function judged(wh: number, plausibleWh: number, flags: readonly string[]): Energy {
  return { wh, flags: wh > plausibleWh ? [...flags, implausibleFlag] : flags }
}

/**
 * A reading below the start is the session's own energy where the meter counts per session. One that is too much for that
 * is a register that was rounded, or set back: it says nothing.
 */
function countsPerSession(reading: number | undefined, plausibleWh: number): number | undefined {
  return reading !== undefined && reading > 0 && reading <= plausibleWh ? reading : undefined
}

const tolerance = 1.1
/** For clocks that are a little off, and meters that round. */
const slackWh = 1_000
/** The length that a session is taken to have at most when its clock cannot be trusted. */
const longestHours = 24
const hourMs = 3_600_000

/** The most that a connector of `maxPowerKw` gives from `startedAt` to `endedAt` (wall ms), Wh. */
export function plausibleEnergy(maxPowerKw: number, startedAt: number, endedAt: number, clockSuspect: boolean): number {
  const hours = clockSuspect ? longestHours : Math.max(0, endedAt - startedAt) / hourMs
  return Math.round(maxPowerKw * 1_000 * hours * tolerance) + slackWh
}
