// When each API key was last used, to the minute: written beside the request, never waited for.

import { type ApiKey, apiKeysTable, apiKeyUsesTable } from '../../../records/api-key.js'
import { limits } from '../../../runtime/limits.js'
import { putRow } from '../changes.js'
import type { Services } from '../services.js'
import { formatTimestamp } from '../timestamp.js'

const minuteMs = 60_000

export function createKeyUse(services: Pick<Services, 'commit' | 'clock'>): (key: ApiKey) => void {
  const noted = new Map<string, number>()
  return ({ key_id, expires_at }) => {
    const minute = Math.floor(services.clock.now() / minuteMs)
    const last = noted.get(key_id)
    if (last === minute) return
    if (last === undefined && noted.size >= limits.countedKeys) noted.delete(noted.keys().next().value as string)
    noted.set(key_id, minute)
    const last_used_at = formatTimestamp(minute * minuteMs)
    const use = { key_id, last_used_at, ...(expires_at !== undefined && { expires_at }) }
    // The note of a key that is being revoked would outlive it. A use that the store could not take is noted by the next request of a
    // later minute.
    const known = { table: apiKeysTable.name, key: [key_id], is: 'present' } as const
    services.commit([putRow(apiKeyUsesTable, use)], [known]).catch(() => undefined)
  }
}
