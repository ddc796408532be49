// What each connector of a site may draw at most: not what was wished, but what the charge point has confirmed, or may have taken of what was
// sent since. A charge point that cannot be asked is counted at its worst.

import { type Line, nominalVolts } from '../../power/electricity.js'
import { type Load, loadOn, noLoad, worstOf } from '../../power/load.js'
import type { HeldLimit, SiteConnector } from '../../records/site-charger.js'
import { chargerLines, fullAmperes } from './facts.js'
import { limits } from './limits.js'
import { type ChargerState, holdsOthers, connectorOf as storedConnector } from './state.js'

/** The highest that may be in force, amperes; `full` where none is known to be. */
export function boundOf({ amperes = Number.POSITIVE_INFINITY, sent = 0 }: HeldLimit, full: number): number {
  return Math.min(full, Math.max(amperes, sent))
}

/** The highest amperes of a car that has no limit of its own. `isBelieved`: the charge point still holds its confirmed limits. */
export function standingBound(charger: ChargerState, isBelieved = !mayHaveForgotten(charger)): number {
  const { row, facts } = charger
  const full = fullAmperes(facts)
  return row.standing_form === 'none' || !isBelieved ? full : boundOf(row.standing, full)
}

/**
 * It may hold no limit: it has restarted, and has neither shown that it holds its limits nor confirmed its standing limit since. If it
 * loses its limits by restarting, that may be so whenever it is offline.
 */
export function mayHaveForgotten(charger: ChargerState): boolean {
  if (isUnverified(charger)) return true
  return isForgetful(charger) && !charger.report.isReady
}

/** Since its last restart, nothing shows that it holds its limits. */
export function isUnverified(charger: ChargerState): boolean {
  const { row, report, heldAtBoot } = charger
  return row.standing.amperes !== undefined && hasBootedSince(charger) && heldAtBoot !== report.bootedAt
}

/**
 * It has just restarted, and its first answer is due in a moment. Until then nobody gets more because of it, and nobody has to draw less:
 * a lower limit for others would take as long as the answer. `now`: monotonic ms.
 */
export function isSettling(charger: ChargerState, now: number): boolean {
  const { report, bootSeenAt, lostAtBoot } = charger
  const isRecent = now - bootSeenAt < limits.answersAfterBootMs
  return (
    isUnverified(charger) && isRecent && report.isReady && lostAtBoot?.boot !== report.bootedAt && !isForgetful(charger)
  )
}

/** Since its standing limit was confirmed. */
export function hasBootedSince({ row, report }: ChargerState): boolean {
  return row.standing_boot !== (report.bootedAt ?? '')
}

/** It has lost its limits over a boot, or its model is known to do so. */
export function isForgetful({ row, shown, facts: { modelId, traits } }: ChargerState): boolean {
  const hasLost = shown.keeps_profiles === false || (modelId !== undefined && row.forgets_as === modelId)
  return traits.keeps_profiles === false || hasLost
}

/** Its limits stay when the session that they were for is over. */
export function keepsLimits({ row }: ChargerState): boolean {
  return row.form === 'default-a' || row.form === 'default-w'
}

export function takesLimits({ row }: ChargerState): boolean {
  return row.form !== 'none'
}

export function connectorOf({ row }: ChargerState, connectorId: number): SiteConnector | undefined {
  return storedConnector(row, connectorId)
}

/** The lines on which its limit is drawn. A limit that stays counts for the next car, which may draw on all. */
export function limitedLines(charger: ChargerState, connector: SiteConnector | undefined): readonly Line[] {
  return chargerLines(charger.facts, keepsLimits(charger) ? undefined : connector?.phases)
}

/** `now`: monotonic ms. */
export function countedOf(
  charger: ChargerState,
  connectorId: number,
  now: number,
  isBelieved = !mayHaveForgotten(charger),
): Load {
  const { facts, report } = charger
  if (holdsOthers(charger, connectorId)) return loadOn(chargerLines(facts), fullAmperes(facts))
  const standing = loadOn(chargerLines(facts), standingBound(charger, isBelieved))
  const connector = connectorOf(charger, connectorId)
  if (connector === undefined) return standing
  const own = loadOn(limitedLines(charger, connector), limitBound(charger, connector, isBelieved))
  const metered = meteredLoad(charger, connector)
  // Its session may end at any instant, or its limit run out: then the standing limit holds.
  const leaseEnds = charger.behaviours.get(connectorId)?.leaseEnds ?? Number.POSITIVE_INFINITY
  const isOver = !report.isReady && now > leaseEnds
  return worstOf(isOver ? standing : worstOf(standing, own), metered)
}

/** A new car may draw all that the connector gives, whatever limit the present one has. */
export function isOpen(charger: ChargerState, connectorId: number, isBelieved: boolean): boolean {
  return holdsOthers(charger, connectorId) || standingBound(charger, isBelieved) >= fullAmperes(charger.facts)
}

/** The part of what is counted that no lower standing limit lowers. `isSharer`: its car has a limit of its own that can be lowered. */
export function fixedOf(charger: ChargerState, connectorId: number, counted: Load, isSharer: boolean): Load {
  const { facts, report, row } = charger
  const isConfirmed = row.standing.amperes !== undefined && !holdsOthers(charger, connectorId)
  if (!report.isReady || row.standing_form === 'none' || !isConfirmed || isUnverified(charger)) return counted
  const paused = loadOn(chargerLines(facts), row.pauses_with_amperes ?? 0)
  const connector = connectorOf(charger, connectorId)
  const isCharging = report.sessions.some((session) => session.connectorId === connectorId)
  if (connector === undefined || isSharer || !isCharging) return paused
  const own = Math.min(fullAmperes(facts), Math.max(connector.limit.amperes ?? 0, connector.limit.sent ?? 0))
  return worstOf(worstOf(paused, loadOn(limitedLines(charger, connector), own)), meteredLoad(charger, connector))
}

/** Where no limit of its own was confirmed, the standing one holds. */
export function limitBound(
  charger: ChargerState,
  { limit }: SiteConnector,
  isBelieved = !mayHaveForgotten(charger),
): number {
  const full = fullAmperes(charger.facts)
  const { amperes = standingBound(charger, isBelieved), sent = 0 } = limit
  return Math.min(full, Math.max(amperes, sent))
}

function meteredLoad({ facts }: ChargerState, { phases, ignores_limit_watts }: SiteConnector): Load {
  if (ignores_limit_watts === undefined) return noLoad
  const drawnFrom = chargerLines(facts, phases)
  return loadOn(drawnFrom, ignores_limit_watts / nominalVolts / drawnFrom.length)
}
