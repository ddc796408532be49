// Tags that nobody has registered and that are good at one charge point all the same: the operator has started a charge with it
// there, a commissioning tests with it, or one that was accepted runs there. Read from the store alone, so that a restart in between refuses no driver.

import { remoteStartTransaction } from '../../ocpp16/index.js'
import type { ChargePointState } from '../../records/charge-point-state.js'
import { commandsTable, parametersOf } from '../../records/command.js'
import { foldIdTag } from '../../records/id-tag.js'
import { sessionsTable } from '../../records/session.js'
import type { ReadView } from '../../runtime/store/store.js'
import { remoteStartMs } from './auth-method.js'
import { isTestTag } from './test-tag.js'

/** A remote start is looked for among so many of the charge point's last commands. */
const lastCommands = 50

const startingCommands: ReadonlySet<string> = new Set(['start_session', remoteStartTransaction.action])

export function isVouchedFor(
  view: ReadView,
  { organization_id, charge_point_id }: Pick<ChargePointState, 'organization_id' | 'charge_point_id'>,
  idTag: string,
  now: number,
): boolean {
  const folded = foldIdTag(idTag)
  const isTag = (text: unknown): boolean => typeof text === 'string' && foldIdTag(text) === folded
  const open = view.listBy(sessionsTable, 'activeAtChargePoint', [organization_id, charge_point_id])
  if (open.some(({ id_tag, authorization }) => isTag(id_tag) && authorization === 'Accepted')) return true
  if (isTestTag(view, { charge_point_id }, idTag)) return true
  const query = { reverse: true, limit: lastCommands }
  return view
    .listBy(commandsTable, 'byChargePoint', [organization_id, charge_point_id], query)
    .filter(({ command, status }) => startingCommands.has(command) && status === 'Accepted')
    .some((record) => {
      const { id_tag, idTag } = parametersOf(record, view)
      return isTag(id_tag ?? idTag) && Math.abs(now - Date.parse(record.executed_at)) <= remoteStartMs
    })
}
