// What charge points and their cars do: what is heard of them, and what it says of what a car wants and whether limits are kept.

import { nominalVolts } from '../../power/electricity.js'
import { chargePointStatesTable } from '../../records/charge-point-state.js'
import { sessionsTable } from '../../records/session.js'
import type { SiteCharger, SiteConnector } from '../../records/site-charger.js'
import type { Context } from '../../runtime/actor/actor.js'
import type { ChargerReport, Draw } from '../messages/site.js'
import { connectorOf, keepsLimits, limitBound, standingBound } from './counted.js'
import { chargerLines, fullAmperes, withConnectors } from './facts.js'
import { limits } from './limits.js'
import type { Instant } from './place.js'
import { noteShown } from './shown.js'
import { type Behaviour, behaviourOf, type ChargerState, readBound, readFacts, type SiteState } from './state.js'

/** A car that has this part of its limit or more could take more; one that has clearly less could not. */
export const fullPart = 0.95
const lessPart = 0.9
/** What a car that takes less is left beyond what it takes. */
export const headroom = 1.1
/** How much more than the limit a meter may show: what it measures is not exact, and limits are rounded. */
const tolerance = 1.05
const toleranceWatts = 150

/** The newest report counts; what it says of sessions ends limits that were for others. */
export function takeReport(charger: ChargerState, report: ChargerReport, context: Context): void {
  const { report: before } = charger
  charger.report = report
  for (const sessionId of [...charger.bounds.keys()]) readBound(charger, sessionId, context)
  charger.facts = withConnectors(charger.facts, report.connectors)
  const isBooted = before.bootedAt !== report.bootedAt && report.bootedAt !== undefined
  if (isBooted) {
    charger.bootSeenAt = context.monotonic()
    readFacts(charger, context)
    charger.facts = withConnectors(charger.facts, report.connectors)
    charger.row = afterBoot(charger)
  }
  if (report.isReady && !before.isReady) {
    charger.standingNotBefore = Number.NEGATIVE_INFINITY
    charger.clearNotBefore = Number.NEGATIVE_INFINITY
  }
  charger.row = { ...charger.row, connectors: charger.row.connectors.flatMap((one) => kept(charger, one, context)) }
  for (const draw of report.draws) takeDraw(charger, draw, context.monotonic())
}

/** It holds no limit that it has been sent so far, and may draw all that it can until it has confirmed another. */
export function forgetHeld({ sent }: SiteState, charger: ChargerState): void {
  const { row, behaviours } = charger
  for (const [callId, { chargePointId }] of sent) if (chargePointId === row.charge_point_id) sent.delete(callId)
  behaviours.clear()
  charger.clearing.clear()
  charger.isClearing = false
  const { standing_boot: _, cleared: __, ...others } = row
  charger.row = { ...others, standing: {}, connectors: [] }
}

/** It may have lost what was for its transactions: the standing limit may hold again. */
function afterBoot(charger: ChargerState): SiteCharger {
  const { behaviours } = charger
  for (const [connectorId, { leaseEnds }] of [...behaviours]) {
    const connector = connectorOf(charger, connectorId)
    if (connector?.may_go_on === true) continue
    behaviours.delete(connectorId)
    if (connector === undefined) continue
    // It is sent again although it may be as it should be.
    Object.assign(behaviourOf(charger, connectorId), { leaseEnds, renewAt: Number.NEGATIVE_INFINITY })
  }
  const row = withoutRefusals(charger.row)
  return { ...row, connectors: row.connectors.map((connector) => ({ ...connector, limit: worst(charger, connector) })) }
}

/** It may have another firmware, which takes what the one before did not. */
function withoutRefusals({ form, standing_form, ...row }: SiteCharger): SiteCharger {
  return {
    ...row,
    ...(form !== undefined && form !== 'none' && { form }),
    ...(standing_form !== undefined && standing_form !== 'none' && { standing_form }),
  }
}

function worst(charger: ChargerState, connector: SiteConnector): SiteConnector['limit'] {
  const amperes = Math.max(limitBound(charger, connector, true), standingBound(charger, true))
  return { amperes, ...(connector.limit.sent !== undefined && { sent: connector.limit.sent }) }
}

function kept(charger: ChargerState, connector: SiteConnector, context: Context): readonly SiteConnector[] {
  const { report } = charger
  const session = report.sessions.find(({ connectorId }) => connectorId === connector.connector_id)
  if (session?.sessionId === connector.session_id) return [connector]
  if (session === undefined && !keepsLimits(charger) && mayGoOn(charger, connector, context))
    return [connector.may_go_on === true ? connector : { ...connector, may_go_on: true }]
  const { connector_id, limit } = connector
  const lease = charger.behaviours.get(connector_id)
  charger.behaviours.delete(connector_id)
  if (!keepsLimits(charger)) return []
  if (lease !== undefined) {
    const { leaseEnds, renewAt } = lease
    Object.assign(behaviourOf(charger, connector_id), { leaseEnds, renewAt })
  }
  return [
    {
      connector_id,
      session_id: session?.sessionId ?? '',
      transaction_id: session?.transactionId ?? 0,
      limit: limit.sent === undefined ? limit : { amperes: limitBound(charger, connector) },
    },
  ]
}

/** Its session has ended by estimate, by an operator or after silence, and the charge point has said nothing of it: the car may still be there. */
function mayGoOn({ row, behaviours }: ChargerState, connector: SiteConnector, context: Context): boolean {
  const leaseEnds = behaviours.get(connector.connector_id)?.leaseEnds ?? Number.POSITIVE_INFINITY
  if (context.monotonic() > leaseEnds) return false
  const view = context.read()
  if (view.get(sessionsTable, [connector.session_id])?.status !== 'estimated') return false
  const told = view.get(chargePointStatesTable, [row.charge_point_id])
  const status = told?.connectors.find(({ connector_id }) => connector_id === connector.connector_id)?.status
  return status !== 'Available'
}

/** Limits of transactions that may go on are counted until they end, or the charge point says that these are over. */
export function forgetEnded(charger: ChargerState, context: Context): void {
  const { row } = charger
  if (row.connectors.every((connector) => connector.may_go_on !== true)) return
  charger.row = {
    ...row,
    connectors: row.connectors.flatMap((one) => (one.may_go_on === true ? kept(charger, one, context) : [one])),
  }
}

/** A limit that has run out is none any more, also when its charge point comes back: others may have been given what it left. */
export function endLeases(charger: ChargerState, { monotonic }: Instant): void {
  const { row, behaviours, report } = charger
  const isOver = ({ connector_id, limit }: SiteConnector): boolean =>
    limit.amperes !== undefined &&
    limit.sent === undefined &&
    monotonic > (behaviours.get(connector_id)?.leaseEnds ?? Number.POSITIVE_INFINITY)
  if (!row.connectors.some(isOver)) return
  const isInUse = ({ connector_id }: SiteConnector): boolean =>
    report.sessions.some(({ connectorId }) => connectorId === connector_id)
  charger.row = {
    ...row,
    connectors: row.connectors.flatMap((one) => (!isOver(one) ? [one] : isInUse(one) ? [{ ...one, limit: {} }] : [])),
  }
}

function takeDraw(charger: ChargerState, { connectorId, watts, phases, reading }: Draw, now: number): void {
  const isCharging = charger.report.sessions.some((session) => session.connectorId === connectorId)
  if (!isCharging) return
  const behaviour = behaviourOf(charger, connectorId)
  if (reading === undefined || behaviour.reading !== reading) Object.assign(behaviour, { reading, readAt: now })
  behaviour.drawnWatts = watts
  const connector = connectorOf(charger, connectorId)
  // What is as good as nothing says nothing of phases.
  if (connector === undefined || phases === undefined || watts < nominalVolts || connector.phases === phases) return
  charger.row = withConnector(charger.row, { ...connector, phases })
}

export function withConnector(row: SiteCharger, connector: SiteConnector): SiteCharger {
  const others = row.connectors.filter(({ connector_id }) => connector_id !== connector.connector_id)
  return { ...row, connectors: [...others, connector].sort((one, other) => one.connector_id - other.connector_id) }
}

/** Compares what is drawn with what is allowed. */
export function followDraws(state: SiteState, { monotonic }: Instant): void {
  for (const charger of state.chargers.values()) {
    for (const { connectorId } of charger.report.sessions) {
      const connector = connectorOf(charger, connectorId)
      const behaviour = charger.behaviours.get(connectorId)
      if (connector === undefined || behaviour?.drawnWatts === undefined) continue
      followDraw(charger, connector, behaviour, monotonic)
    }
  }
}

function followDraw(charger: ChargerState, connector: SiteConnector, behaviour: Behaviour, monotonic: number): void {
  const { drawnWatts = 0 } = behaviour
  const phases = chargerLines(charger.facts, connector.phases).length
  const allowed = limitBound(charger, connector) * nominalVolts * phases
  // What it drew before it was limited says nothing of whether it obeys.
  const hasSettled = behaviour.readAt - behaviour.confirmedAt > limits.obeysWithinMs
  const { ignores_limit_watts: ignores, ...obeying } = connector
  const isOver = drawnWatts > allowed * tolerance + toleranceWatts
  const isJudged = ignores !== undefined || (hasSettled && connector.limit.amperes !== undefined)
  if (isOver && isJudged) noteShown(charger, 'obeys_limits', false)
  if (isOver && isJudged && ignores !== drawnWatts)
    charger.row = withConnector(charger.row, { ...connector, ignores_limit_watts: drawnWatts })
  if (!isOver && ignores !== undefined) charger.row = withConnector(charger.row, obeying)
  const isHeld = hasSettled && allowed < fullAmperes(charger.facts) * nominalVolts * phases
  if (isHeld && !isOver && drawnWatts >= allowed * fullPart) noteShown(charger, 'obeys_limits', true)
  followDemand(behaviour, drawnWatts, allowed, monotonic)
}

function followDemand(behaviour: Behaviour, drawn: number, allowed: number, monotonic: number): void {
  if (allowed === 0) return
  if (drawn >= allowed * fullPart) {
    behaviour.lessSince = undefined
    behaviour.demandWatts = undefined
  } else if (drawn < allowed * lessPart) {
    behaviour.lessSince ??= monotonic
    if (monotonic - behaviour.lessSince >= limits.settledMs) behaviour.demandWatts = drawn * headroom
  } else behaviour.lessSince = undefined
}
