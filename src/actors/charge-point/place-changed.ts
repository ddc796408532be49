// Word to the locations that roaming partners see: that a charge point has told something of its connectors, has come or gone. It follows every
// message after which one of these is another, so that nothing that changes them needs to know of roaming.

import { limits } from '../../ocpi/limits.js'
import { placeOf } from '../../ocpi/location/read-place.js'
import type { ChargePointState } from '../../records/charge-point-state.js'
import { ocpiPartiesTable } from '../../records/ocpi-party.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import { placeWakeUp } from '../messages/ocpi-locations.js'
import type { State, Turn } from './state.js'

export function withPlaceChanged<Rest extends readonly unknown[]>(turn: Turn<Rest>): Turn<Rest> {
  return (state, ...rest) => {
    const before = state.row
    const effects = turn(state, ...rest)
    const word = isSame(before, state.row) ? [] : tellLocations(state, before, rest.at(-1) as Context)
    return word.length === 0 ? effects : [...effects, ...word]
  }
}

function isSame(before: ChargePointState, after: ChargePointState): boolean {
  return (
    before === after ||
    (before.connectors === after.connectors &&
      before.connected === after.connected &&
      before.assumed_charging === after.assumed_charging &&
      before.named_connectors === after.named_connectors &&
      before.connected_at === after.connected_at &&
      before.disconnected_at === after.disconnected_at)
  )
}

function tellLocations({ registration, row }: State, before: ChargePointState, context: Context): readonly Effect[] {
  if (registration === undefined) return []
  const { organization_id } = registration
  if (context.read().get(ocpiPartiesTable, [organization_id]) === undefined) return []
  const tell = (afterMs: number): Effect =>
    effect.put(
      wakeUpsTable,
      placeWakeUp(organization_id, placeOf(registration), context.newId('chg'), context, afterMs),
    )
  // One that has gone counts as it was for a while: there is nothing to tell before.
  if (before.connected && !row.connected) return [tell(limits.ocpiOfflineGraceMs)]
  return [tell(0)]
}
