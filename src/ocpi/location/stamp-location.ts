// When a location and its parts last changed (OCPI 2.2.1, 8.1.2): whatever is another than it was has changed now, and with it what it is a part
// of. An EVSE that is gone stays for a while, with the status REMOVED: OCPI has no other way to say so.

import { isDeepStrictEqual } from 'node:util'
import { readDateTime, writeDateTime } from '../date-time.js'
import { limits } from '../limits.js'
import type { Evse, Location } from '../schemas/location.js'
import type { UnstampedEvse, UnstampedLocation } from './make-location.js'

/** What of a location is another. */
export type LocationChange =
  /** More than its EVSEs, or all of it. */
  | { readonly type: 'location' }
  | { readonly type: 'evse'; readonly evseUid: string }
  | { readonly type: 'evse-status'; readonly evseUid: string }

export interface Stamped {
  readonly location: Location
  /** None where it is as it was. */
  readonly changes: readonly LocationChange[]
}

/** `now`: wall ms. Times only grow, also where the clock was set back. */
export function stampLocation(before: Location | undefined, made: UnstampedLocation, now: number): Stamped {
  const last_updated = writeDateTime(Math.max(now, before === undefined ? 0 : timeOf(before) + 1))
  const wanted = new Set(made.evses.map(({ uid }) => uid))
  const gone = (before?.evses ?? []).filter(({ uid }) => !wanted.has(uid))
  const kept = gone.filter((evse) => evse.status !== 'REMOVED' || now - timeOf(evse) < limits.ocpiRemovedKeptMs)
  const evses = [
    ...made.evses.map((evse) => stampEvse(find(before, evse.uid), evse, last_updated)),
    ...kept.map((evse) => removedEvse(evse, last_updated)),
  ]
  const { evses: _, last_updated: updatedBefore, ...fieldsBefore } = before ?? { evses: [], last_updated: undefined }
  const { evses: __, ...fields } = made
  const isSame = isDeepStrictEqual(fieldsBefore, fields)
  const changed = evses.flatMap((evse) => changeOf(find(before, evse.uid), evse))
  const isAsItWas = isSame && changed.length === 0 && kept.length === gone.length
  return {
    location: { ...fields, evses, last_updated: isAsItWas ? (updatedBefore ?? last_updated) : last_updated },
    changes: isAsItWas ? [] : isSame ? changed : [{ type: 'location' }],
  }
}

/** The location as it is from now on that it is published no more. */
export function removeLocation(before: Location, now: number): Stamped {
  const { last_updated, evses = [], ...fields } = before
  const made = { ...fields, publish: false, evses: [] }
  return stampLocation({ last_updated, evses, ...fields }, made, now)
}

function stampEvse(before: Evse | undefined, made: UnstampedEvse, last_updated: string): Evse {
  const connectors = made.connectors.map((connector) => {
    const known = before?.connectors.find(({ id }) => id === connector.id)
    return stamp(known, connector, last_updated)
  })
  return stamp(before, { ...made, connectors }, last_updated)
}

/** The same with the time of its last change: as before, or now. */
function stamp<Made extends object>(
  before: (Made & { readonly last_updated: string }) | undefined,
  made: Made,
  last_updated: string,
): Made & { last_updated: string } {
  if (before === undefined) return { ...made, last_updated }
  const { last_updated: known, ...fields } = before
  return { ...made, last_updated: isDeepStrictEqual(fields, made) ? known : last_updated }
}

function removedEvse(evse: Evse, last_updated: string): Evse {
  return evse.status === 'REMOVED' ? evse : { ...evse, status: 'REMOVED', last_updated }
}

function changeOf(before: Evse | undefined, after: Evse): readonly LocationChange[] {
  if (before?.last_updated === after.last_updated) return []
  const evseUid = after.uid
  if (before === undefined) return [{ type: 'evse', evseUid }]
  const { status: _, last_updated: __, ...fieldsBefore } = before
  const { status: ___, last_updated: ____, ...fields } = after
  return [{ type: isDeepStrictEqual(fieldsBefore, fields) ? 'evse-status' : 'evse', evseUid }]
}

function find(location: Location | undefined, uid: string): Evse | undefined {
  return location?.evses?.find((evse) => evse.uid === uid)
}

function timeOf({ last_updated }: { readonly last_updated: string }): number {
  return readDateTime(last_updated) ?? 0
}
