// The full comparison of a site with the store, every few minutes: a report or a notification may be lost with the shard that it was sent to.
// It repairs nothing itself. A charge point whose stored state differs sends its report again.

import { chargePointsTable } from '../../records/charge-point.js'
import type { LiveNodes } from '../../records/presence.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { chargePointAddress } from '../charge-point/messages.js'
import type { ChargerReport } from '../messages/site.js'
import { limits } from './limits.js'
import { reportFromStore, type SiteState } from './state.js'

export function isComparisonDue({ comparedAt }: SiteState, context: Context): boolean {
  return context.monotonic() - comparedAt >= limits.compareMs
}

/** After the site has read its own records again. */
export function compareReports(state: SiteState, live: LiveNodes, context: Context): readonly Effect[] {
  state.comparedAt = context.monotonic()
  return [...state.chargers.values()].flatMap(({ row: { charge_point_id }, report }) => {
    const member = context.read().get(chargePointsTable, [charge_point_id])
    if (member === undefined || isSame(report, reportFromStore(member, live, context))) return []
    return [effect.send(chargePointAddress(charge_point_id), { type: 'report-to-site' })]
  })
}

/** Meter values are not compared: the next reading replaces them. */
function isSame(report: ChargerReport, stored: ChargerReport): boolean {
  const named = ({ sessions }: ChargerReport): string =>
    sessions
      .map(({ sessionId, connectorId }) => `${sessionId}/${connectorId}`)
      .sort()
      .join()
  return (
    report.isReady === stored.isReady &&
    report.epoch === stored.epoch &&
    report.bootedAt === stored.bootedAt &&
    named(report) === named(stored)
  )
}
