// Which events a caller asks for: by name, by area as in `session.*`, or all by `*`.

import { Type } from 'typebox'
import { events } from './index.js'

export const allEvents = '*'

const areaOf = (name: string): string => `${name.slice(0, name.indexOf('.'))}.*`

const names = [...events.keys()]

/** Everything that a caller may name. */
export const eventSelectors: readonly string[] = [allEvents, ...new Set(names.map(areaOf)), ...names]

export const eventSelector = () => Type.Enum([...eventSelectors])

/** Whether an event is among them; without selectors every one is. */
export function selects(selectors: readonly string[] | undefined): (event: string) => boolean {
  if (selectors === undefined || selectors.length === 0 || selectors.includes(allEvents)) return () => true
  const chosen = new Set(names.filter((name) => selectors.includes(name) || selectors.includes(areaOf(name))))
  return (event) => chosen.has(event)
}
