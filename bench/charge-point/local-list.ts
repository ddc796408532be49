// The local authorization list of a charge point (OCPP 1.6, 5.15): full and differential updates, and its version.

import type { Payload } from './call-channel.js'

export interface LocalList {
  version(): number
  update(listVersion: number, updateType: string, payload: Payload): 'Accepted' | 'Failed' | 'VersionMismatch'
}

interface Entry {
  readonly idTag: string
  readonly idTagInfo?: object
}

export function createLocalList(): LocalList {
  let entries = new Map<string, object>()
  let version = 0

  return {
    version: () => version,
    update(listVersion, updateType, payload) {
      const given = (payload.localAuthorizationList ?? []) as readonly Entry[]
      if (listVersion <= 0) return 'Failed'
      if (updateType === 'Differential' && listVersion <= version) return 'VersionMismatch'
      if (updateType === 'Full' && given.some((entry) => entry.idTagInfo === undefined)) return 'Failed'
      const next = updateType === 'Full' ? new Map<string, object>() : new Map(entries)
      for (const { idTag, idTagInfo } of given) {
        if (idTagInfo === undefined) next.delete(idTag.toLowerCase())
        else next.set(idTag.toLowerCase(), idTagInfo)
      }
      entries = next
      version = listVersion
      return 'Accepted'
    },
  }
}
