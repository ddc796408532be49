// A location in parts: what a partner was told of it, compared with what it is. A status that has changed is sent as the EVSE's alone; what is
// otherwise another, or not known to have been told, as the whole location (OCPI 2.2.1, 8.2.2). Pure.

import { createHash } from 'node:crypto'
import type { Evse, EvseStatusPatch, Location } from '../../ocpi/schemas/location.js'
import type { LocationTold } from './item.js'

/** So many statuses of one location are sent one by one; more, as the location. */
const mostEvses = 8

export type LocationPart =
  | { readonly type: 'whole'; readonly told: LocationTold }
  | {
      readonly type: 'evse'
      readonly uid: string
      readonly patch: EvseStatusPatch
      readonly told: LocationTold
      readonly isLast: boolean
    }

/** Undefined where the partner knows all of it. */
export function nextPart(location: Location, told: LocationTold | undefined): LocationPart | undefined {
  const now = toldOf(location)
  if (told === undefined || told.shape !== now.shape) return { type: 'whole', told: now }
  const changed = (location.evses ?? []).filter(({ uid, last_updated }) => told.evses.get(uid) !== last_updated)
  const [evse] = changed
  if (evse === undefined) return undefined
  if (changed.length > mostEvses) return { type: 'whole', told: now }
  const { uid, status, last_updated } = evse
  const evses = new Map(told.evses).set(uid, last_updated)
  return {
    type: 'evse',
    uid,
    patch: { status, last_updated },
    told: { ...told, updatedAt: now.updatedAt, evses },
    isLast: changed.length === 1,
  }
}

function toldOf(location: Location): LocationTold {
  const { last_updated, evses = [], ...rest } = location
  const lasting = evses.map(lastingOf)
  return {
    updatedAt: Date.parse(last_updated),
    shape: createHash('sha1')
      .update(JSON.stringify([rest, lasting]))
      .digest('base64'),
    evses: new Map(evses.map(({ uid, last_updated }) => [uid, last_updated])),
  }
}

function lastingOf({ status: _, last_updated: __, ...lasting }: Evse): object {
  return lasting
}
