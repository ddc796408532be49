// Whose an attempt to connect is, and what it may tell to whom. An attempt under a registered id is its owner's alone. One under an id that nobody
// has registered may be anybody's charge point:
//  - It is told to those whose charge point has nearly that id, who know it as good as anyway; and to nobody where charge points of several
//    owners are as much like it.
//  - From the address of a charge point it only tells that there was one, and not under which id: whoever learned the id could register it, and have
//    the charge point of another. Where charge points or attempts of other owners come from that address too, it tells nothing.
//  - Its address is told only where it is known already.
// The operator of the installation, whose list has all of these attempts, is told everything.

import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import { chargePointStatesTable } from '../../../records/charge-point-state.js'
import { type ConnectionAttempt, connectionAttemptsTable } from '../../../records/connection-attempt.js'
import { type Likeness, reversed, type ShapeList, shapeOf, shapesLike } from '../../../records/id-shape.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Table } from '../../../runtime/store/table.js'
import { limits } from './limits.js'

export interface Asker {
  /** Owners whose attempts the asker may see: an organization; or an installer, with the organization that has claimed the charge point. */
  readonly owners: ReadonlySet<string>
  readonly seesAll: boolean
  /** It is told what an installer can do, which is less than an organization can. */
  readonly isInstaller: boolean
  /** Where the question comes from: that address is no news to the asker. */
  readonly remoteAddress: string
}

interface Indexed {
  readonly charge_point_id: string
}

function shapesIn(view: ReadView, table: Table<Indexed>, group: readonly string[]): ShapeList {
  const first = (index: string, from: string): string | undefined => {
    const [row] = view.listBy(table, index, group, { from: [from], limit: 1 })
    return row && shapeOf(row.charge_point_id)
  }
  return {
    next: (from) => first('byShape', from),
    nextReversed(from) {
      const shape = first('byReversedShape', from)
      return shape && reversed(shape)
    },
  }
}

/** Of attempts under ids that nobody has registered. */
export const unknownShapes = (view: ReadView): ShapeList =>
  shapesIn(view, connectionAttemptsTable as unknown as Table<Indexed>, [''])

export const registeredShapes = (view: ReadView): ShapeList =>
  shapesIn(view, chargePointsTable as unknown as Table<Indexed>, [])

/** Registered now under the id as it was sent, in any case. */
export function registeredAs(view: ReadView, { charge_point_id }: ConnectionAttempt): ChargePoint | undefined {
  return (
    view.get(chargePointsTable, [charge_point_id]) ??
    view.listBy(chargePointsTable, 'byFoldedId', [charge_point_id.toLowerCase()], { limit: 1 })[0]
  )
}

const ownersOf = ({ organization_id, installed }: ChargePoint): readonly string[] =>
  installed === undefined ? [organization_id] : [organization_id, installed.installer_id]

const isOfOthers = (owner: string, { owners }: Asker): boolean => owner !== '' && !owners.has(owner)

/** Whether somebody else's charge point is as much like the shape. */
export function isLikeOthers(view: ReadView, shape: string, likeness: Likeness, asker: Asker): boolean {
  let looked = 0
  for (const [found, theirs] of shapesLike(shape, registeredShapes(view))) {
    if (likeness === 'same' && theirs !== 'same') return false
    if (++looked > limits.likeChargePoints) return true
    const query = { from: [found], to: [`${found}\0`], limit: limits.likeChargePoints }
    const registered = view.listBy(chargePointsTable, 'byShape', [], query)
    if (registered.some((one) => ownersOf(one).every((owner) => isOfOthers(owner, asker)))) return true
  }
  return false
}

/** Whether charge points, or attempts under registered ids, of somebody else come from the address. */
export function isSharedWithOthers(view: ReadView, address: string, asker: Asker): boolean {
  const owners = [
    ...ownersIn((from) => view.listBy(chargePointStatesTable, 'byAddress', [address], { from: [from], limit: 1 })[0]),
    ...ownersIn((from) => {
      const [row] = view.listBy(connectionAttemptsTable, 'byAddress', [address], { from: [from], limit: 1 })
      return row
    }),
  ]
  return owners.some((owner) => isOfOthers(owner, asker))
}

/** Each owner in a list that is ordered by them; no more than one beyond those that an asker can be. */
function ownersIn(first: (from: string) => { readonly organization_id: string } | undefined): readonly string[] {
  const owners: string[] = []
  // Behind those of nobody.
  for (let from = '\0'; owners.length <= 2; from = `${owners.at(-1)}\0`) {
    const row = first(from)
    if (row === undefined) break
    owners.push(row.organization_id)
  }
  return owners
}
