// The tag of a test transaction of a commissioning: good at its charge point for as long as the test runs, also where the command that started it
// was lost with the process.

import type { ChargePointState } from '../../records/charge-point-state.js'
import { newestSession } from '../../records/commissioning.js'
import { foldIdTag } from '../../records/id-tag.js'
import type { ReadView } from '../../runtime/store/store.js'

export function isTestTag(
  view: ReadView,
  { charge_point_id }: Pick<ChargePointState, 'charge_point_id'>,
  idTag: string,
): boolean {
  const session = newestSession(view, charge_point_id)
  const tag = session?.status === 'running' ? session.test?.id_tag : undefined
  return tag !== undefined && foldIdTag(tag) === foldIdTag(idTag)
}
