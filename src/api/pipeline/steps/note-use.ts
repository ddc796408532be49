// When each caller was last there, to the minute: written beside the request, never waited for.

import { limits } from '../limits.js'
import type { Services } from '../services.js'
import type { Callers } from '../surface.js'

const minuteMs = 60_000

export function createNoteUse<Principal>(
  { idOf, usedOf = idOf, noteUse }: Pick<Callers<Principal, string>, 'idOf' | 'usedOf' | 'noteUse'>,
  services: Pick<Services, 'commit' | 'clock'>,
): (principal: Principal) => void {
  if (noteUse === undefined) return () => undefined
  const noted = new Map<string, number>()
  return (principal) => {
    const id = usedOf(principal)
    const minute = Math.floor(services.clock.now() / minuteMs)
    const last = noted.get(id)
    if (last === minute) return
    const use = noteUse(principal, minute * minuteMs)
    if (use === undefined) return
    if (last === undefined && noted.size >= limits.countedKeys) noted.delete(noted.keys().next().value as string)
    noted.set(id, minute)
    // A use that the store could not take is noted by the caller's next request of a later minute.
    services.commit([use.change], [use.condition]).catch(() => undefined)
  }
}
