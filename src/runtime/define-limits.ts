// How the bounds of a room are declared: by name, in its limits.ts. A queue, map or payload that is not bounded there is a defect.
// What must hold between bounds is checked when the program is loaded, so that one that is changed alone does not leave something
// that can never happen, or never ends. Only relations whose breach would be felt are declared.

import { assert } from './assert.js'

/** Whether it holds, and why it has to. */
type Relation = readonly [boolean, string]

/** Throws for bounds that do not go together. */
export function defineLimits<const Bounds extends Readonly<Record<string, number | readonly number[]>>>(
  bounds: Bounds,
  relations: (bounds: Bounds) => readonly Relation[] = () => [],
): Bounds {
  for (const [holds, why] of relations(bounds)) assert(holds, why)
  return bounds
}
