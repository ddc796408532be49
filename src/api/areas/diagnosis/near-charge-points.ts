// The registered charge points that an unregistered id may be meant for: nearly the same id, or the serial number in its place, of those that are not
// connected. Numbers that follow each other differ in one digit, too, and whoever is connected has no wrong id.

import { type Static, Type } from 'typebox'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import { shapeOf, shapesLike } from '../../../records/id-shape.js'
import { isOnline } from '../../../records/presence.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import { limits } from './limits.js'
import { oneCharacterWords } from './one-character.js'
import { type Match, matchOf } from './possible-attempts.js'
import type { Words } from './refused-words.js'
import { registeredShapes } from './whose-attempt.js'

const nearMatches = ['spelling', 'one_character', 'longer', 'shorter', 'serial_number'] as const

export const nearSchema = Type.Object({
  charge_point_id: Type.String(),
  name: Type.String(),
  match: Type.Enum([...nearMatches], {
    description: 'How the id that was sent differs from this one, as in the list of possible attempts.',
  }),
})

export type NearChargePoint = Static<typeof nearSchema>

export function nearChargePoints(
  view: ReadView,
  id: string,
  organizationId: string,
  services: Services,
): NearChargePoint[] {
  const near: NearChargePoint[] = []
  const add = (chargePoint: ChargePoint, match: Exclude<Match, 'id' | 'address'>): void => {
    const { charge_point_id, organization_id, name } = chargePoint
    if (organization_id !== organizationId || near.some((one) => one.charge_point_id === charge_point_id)) return
    if (!isOnline(stateOf(view, chargePoint), services.presence.live)) near.push({ charge_point_id, name, match })
  }
  const serial = view.listBy(chargePointsTable, 'byName', [id.toLowerCase()], { limit: 1 })
  for (const chargePoint of serial) add(chargePoint, 'serial_number')
  let looked = 0
  for (const [shape, likeness] of shapesLike(shapeOf(id), registeredShapes(view))) {
    const query = { from: [shape], to: [`${shape}\0`], limit: limits.nearChargePoints }
    for (const chargePoint of view.listBy(chargePointsTable, 'byShape', [], query)) add(chargePoint, matchOf[likeness])
    if (near.length >= limits.nearChargePoints || ++looked >= limits.likeChargePoints) break
  }
  return near.slice(0, limits.nearChargePoints)
}

const differs: Readonly<Record<NearChargePoint['match'], string>> = {
  spelling: 'is spelt in another way',
  one_character: 'differs in one character',
  longer: 'has more characters',
  shorter: 'has fewer characters',
  serial_number: 'has this as its serial number',
}

/** `near` is not empty. Of each, it is said how it differs from the id that was sent. */
export function nearWords(id: string, near: readonly NearChargePoint[]): Words {
  const [first, ...others] = near.map(({ charge_point_id, match }) => `${charge_point_id} ${differs[match]}`)
  const one = near.length === 1 ? (near[0] as NearChargePoint).charge_point_id : 'one of these'
  const which = near.length === 1 && near[0]?.match === 'one_character' ? oneCharacterWords(id, one) : undefined
  const isOrAre = near.length === 1 ? 'is' : 'are'
  return {
    cause: `Nobody has registered ${id}, but ${[first, ...others].join(', ')}, and ${isOrAre} not connected.`,
    remedy: `If this is ${one}, correct the id that is set in the charge point${near.length === 1 ? ` to ${one}` : ''}.${which === undefined ? '' : ` ${which}`} If it is another charge point, register it.`,
  }
}
