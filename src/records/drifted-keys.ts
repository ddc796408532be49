// Drift: keys that the charge point has taken, and of which it reports another value since.

import {
  type ApplicationKey,
  type ConfigurationApplication,
  isTaken,
  type ReportedConfiguration,
} from './configuration.js'
import { foldKey, isSameValue } from './configuration-value.js'

export interface DriftedKey {
  readonly key: string
  readonly wanted: string
  readonly reported: string | undefined
}

/** `bootedAt`: when the charge point has last started; what needs a restart is not there before. */
export function driftedKeys(
  { keys, ended_at, status }: Pick<ConfigurationApplication, 'keys' | 'ended_at' | 'status'>,
  reported: Pick<ReportedConfiguration, 'keys' | 'unknown'>,
  bootedAt: string | undefined,
): readonly DriftedKey[] {
  if (status === 'running') return []
  const hasRestarted = ended_at !== undefined && bootedAt !== undefined && bootedAt > ended_at
  const unknown = new Set(reported.unknown.map(foldKey))
  return keys.filter(isWatched(hasRestarted)).flatMap(({ key, value, outcome }): readonly DriftedKey[] => {
    const now = reported.keys[foldKey(key)]
    // It was there when it was applied: an update of the firmware may have taken it away.
    if (now === undefined)
      return outcome === 'applied' && unknown.has(foldKey(key)) ? [{ key, wanted: value, reported: undefined }] : []
    if (now.value === undefined || isSameValue(value, now.value)) return []
    return [{ key, wanted: value, reported: now.value }]
  })
}

function isWatched(hasRestarted: boolean) {
  return (key: ApplicationKey): boolean => isTaken(key) && (key.outcome !== 'reboot_required' || hasRestarted)
}
