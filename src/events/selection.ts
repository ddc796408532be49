// Which events a caller asks for: by name, by area as in `session.*`, or all by `*`.

import { Type } from 'typebox'
import { events } from './index.js'

export const allEvents = '*'

const areaOf = (name: string): string => `${name.slice(0, name.indexOf('.'))}.*`

const names = [...events.keys()]

/** Everything that a caller may name. */
export const eventSelectors: readonly string[] = [allEvents, ...new Set(names.map(areaOf)), ...names]

export const eventSelector = () => Type.Enum([...eventSelectors])

/** Whether an event is among them. */
export function isSelected(selectors: readonly string[], event: string): boolean {
  return selectors.includes(allEvents) || selectors.includes(event) || selectors.includes(areaOf(event))
}

/** The same where none may be given: every event is among them then. */
export function selects(selectors: readonly string[] = []): (event: string) => boolean {
  return selectors.length === 0 ? () => true : (event) => isSelected(selectors, event)
}
