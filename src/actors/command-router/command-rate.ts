// How many commands each charge point has been sent in the last second: a sliding window, in monotonic time.

import { limits } from './limits.js'

const windowMs = 1_000

/** The times of the last commands by charge point, oldest first, those not used longest first. */
export type CommandRates = Map<string, number[]>

/** Counts a command at `now` (monotonic ms); false when the charge point has had its share of this second. */
export function takeCommand(rates: CommandRates, chargePointId: string, now: number): boolean {
  const recent = (rates.get(chargePointId) ?? []).filter((at) => at > now - windowMs)
  const granted = recent.length < limits.commandsPerSecond
  if (granted) recent.push(now)
  rates.delete(chargePointId)
  if (rates.size >= limits.ratedChargePoints) rates.delete(rates.keys().next().value as string)
  rates.set(chargePointId, recent)
  return granted
}
