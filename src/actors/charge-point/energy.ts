// How much energy a session took, whatever its meter did (OCPP 1.6, 4.8 and 4.10; registers reset, run backwards or count per session).

export interface Energy {
  readonly wh: number
  readonly flags: readonly string[]
}

/** All in Wh; `lastRegister` is the last overall reading of the session's meter values, if any. */
export function sessionEnergy(meterStart: number, meterStop: number, lastRegister: number | undefined): Energy {
  if (meterStop >= meterStart) return { wh: meterStop - meterStart, flags: [] }
  if (lastRegister !== undefined && lastRegister >= meterStart)
    return { wh: lastRegister - meterStart, flags: ['meter_stop_below_start'] }
  // A meter that counts per session: its stop value is the energy, while its start was that of another life.
  if (meterStop > 0) return { wh: meterStop, flags: ['meter_stop_below_start', 'meter_counts_per_session'] }
  return { wh: 0, flags: ['meter_stop_below_start'] }
}

/** What a running session has taken so far. */
export function energySoFar(meterStart: number, lastRegister: number | undefined): number {
  if (lastRegister === undefined) return 0
  return lastRegister >= meterStart ? lastRegister - meterStart : Math.max(0, lastRegister)
}
