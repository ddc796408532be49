// The sandbox partner in tests: started and closed with the test, and looked at for what it has seen.

import type { Kind, ObjectOf } from '../../bench/emsp/check-object.js'
import { type Emsp, type EmspOptions, startEmsp } from '../../bench/emsp/emsp.js'
import type { Seen, SeenObject } from '../../bench/emsp/journal.js'
import type { Teardowns } from './service.js'

export async function emspOf(t: Teardowns, options: EmspOptions = {}): Promise<Emsp> {
  const emsp = await startEmsp(options)
  t.teardown(() => emsp.close())
  return emsp
}

/** Of what was pushed: the object, if it is of the kind and `is` what is looked for. */
export function told<Of extends Kind>(
  kind: Of,
  is: (object: ObjectOf<Of>, seen: SeenObject<Of>) => boolean = () => true,
) {
  return (seen: Seen): ObjectOf<Of> | undefined => {
    if (seen.type !== 'object' || seen.kind !== kind || seen.by === 'GET') return undefined
    const one = seen as SeenObject<Of>
    return is(one.object, one) ? one.object : undefined
  }
}

/** The CDR has been recomputed. */
export const priced = (id: string) => (seen: Seen) => seen.type === 'priced' && seen.id === id && seen
