// The interval of Heartbeats that is part of a configuration, where the charge point has taken it, or may yet.

import { type ConfigurationApplication, isTaken } from './configuration.js'
import { foldKey } from './configuration-value.js'

const folded = foldKey('HeartbeatInterval')

/** Seconds; undefined where there is none, or the value is no interval. */
export function configuredHeartbeatSeconds({ keys }: Pick<ConfigurationApplication, 'keys'>): number | undefined {
  const wanted = keys.find(({ key }) => foldKey(key) === folded)
  if (wanted === undefined || (wanted.outcome !== undefined && !isTaken(wanted))) return undefined
  const seconds = Number(wanted.value)
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : undefined
}
