// Whether a tag that is about to charge charges elsewhere already, where its organization does not want that (OCPP 1.6, 7.2:
// ConcurrentTx). Cards of one group are different cards: they may charge at the same time.

import { chargePointStatesTable } from '../../records/charge-point-state.js'
import { foldIdTag } from '../../records/id-tag.js'
import { organizationsTable } from '../../records/organization.js'
import { isOnline } from '../../records/presence.js'
import { type Session, sessionsTable } from '../../records/session.js'
import { lastSeenAt } from '../../records/sign-of-life.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { State } from './state.js'

/** Running sessions of one tag that are looked at. */
const sessionsLookedAt = 100
/** A charge point that is gone may be about to end its session: for so long its session counts. */
const silentMs = 15 * 60_000
/** A start that is told later than this was kept by the charge point while it was offline. */
const lateMs = 5 * 60_000

export interface Concurrency {
  readonly charges: boolean
  /** That no other session of the tag begins before this one is on disk. */
  readonly effects: readonly Effect[]
}

/** Of a start on a connector at `at` (wall ms), heard of at `receivedAt`. */
export function concurrencyOf(
  state: State,
  start: { readonly connectorId: number; readonly idTag: string; readonly at: number },
  receivedAt: number,
  context: Context,
): Concurrency {
  const view = context.read()
  const { organization_id } = state.row
  if (view.get(organizationsTable, [organization_id])?.concurrent_transactions !== 'reject') return never
  const group = [organization_id, foldIdTag(start.idTag)]
  // What a charge point tells of an hour ago was no concurrent transaction of one that has begun since.
  const asOf = receivedAt - start.at > lateMs ? start.at : receivedAt
  const charges = view
    .listBy(sessionsTable, 'activeByTag', group, { reverse: true, limit: sessionsLookedAt })
    .filter((session) => !isOfTheSameConnector(session, context.id, start.connectorId))
    .filter(({ started_at, received_at }) => Math.min(Date.parse(started_at), Date.parse(received_at)) <= asOf)
    .some((session) => isAlive(session, state, context))
  const total = view.total(sessionsTable, 'startsByIdTag', group) + 1
  const alone = { table: sessionsTable.name, index: 'startsByIdTag', group, is: 'below', total } as const
  return { charges, effects: charges ? [] : [effect.require(alone)] }
}

const never: Concurrency = { charges: false, effects: [] }

/** Such a session ends with this start. */
function isOfTheSameConnector(session: Session, chargePointId: string, connectorId: number): boolean {
  return session.charge_point_id === chargePointId && session.connector_id === connectorId
}

/** A session that its charge point cannot end keeps no driver from charging, and neither does one that was refused. */
function isAlive(
  { authorization, charge_point_id, organization_id }: Session,
  state: State,
  context: Context,
): boolean {
  if (authorization !== 'Accepted') return false
  if (charge_point_id === context.id) return true
  const other = context.read().get(chargePointStatesTable, [charge_point_id])
  if (other?.organization_id !== organization_id) return false
  if (isOnline(other, state.settings.live)) return true
  return context.now() - Date.parse(lastSeenAt(context.read(), other) ?? '') <= silentMs
}
