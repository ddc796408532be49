// What the service says is wrong with a request, at the places of the request that have a field.

import { createContext } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'
import type { ApiError } from '../client/api.js'

/** What is wrong with the request that the fields around are of, and how many fields have a place in it. */
export const Faults = createContext<{ readonly details: ApiError['details']; readonly places: Map<string, number> }>({
  details: [],
  places: new Map(),
})

/** The place at which a fault is told: its own or, such as for one of the names that are typed in one field, the nearest above that has a field. */
export function placeOf(path: string, places: ReadonlyMap<string, number>): string | undefined {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) if (places.get(at)) return at
  return undefined
}

/** `1` is the second of a list, and `HeartbeatInterval` a name. */
const partName = (part: string): string => (/^\d+$/.test(part) ? `No. ${Number(part) + 1}` : part)

/** What is wrong at a place, one fault in a line. */
export function useFault(place: string | undefined): string | undefined {
  const { details, places } = useContext(Faults)
  useLayoutEffect(() => {
    if (place === undefined) return undefined
    const count = (by: number): void => void places.set(place, (places.get(place) ?? 0) + by)
    count(1)
    return () => count(-1)
  }, [place, places])
  if (place === undefined) return undefined
  const lines = details
    .filter(({ path }) => placeOf(path, places) === place)
    .map(({ path, message }) => {
      const below = path.slice(place.length + 1)
      return below === '' ? message : `${below.split('/').map(partName).join(', ')}: ${message}`
    })
  return lines.length === 0 ? undefined : lines.join('\n')
}
