// What each connector of a site may draw at most: not what was wished, but what the charge point has confirmed, or may have taken of what was
// sent since. A charge point that cannot be asked is counted at its worst.

import { type Line, lines, nominalVolts } from '../../power/electricity.js'
import type { HeldLimit, SiteConnector } from '../../records/site-charger.js'
import { chargerLines, fullAmperes } from './facts.js'
import { type ChargerState, holdsOthers, connectorOf as storedConnector } from './state.js'

/** Watts in all, and amperes on each line of the site. */
export interface Load {
  readonly watts: number
  readonly amperes: Readonly<Record<Line, number>>
}

export const noLoad: Load = { watts: 0, amperes: { L1: 0, L2: 0, L3: 0 } }

export function loadOn(onLines: readonly Line[], amperes: number): Load {
  const on = (line: Line): number => (onLines.includes(line) ? amperes : 0)
  return { watts: amperes * nominalVolts * onLines.length, amperes: { L1: on('L1'), L2: on('L2'), L3: on('L3') } }
}

function combined(one: Load, other: Load, combine: (a: number, b: number) => number): Load {
  const on = (line: Line): number => combine(one.amperes[line], other.amperes[line])
  return { watts: combine(one.watts, other.watts), amperes: { L1: on('L1'), L2: on('L2'), L3: on('L3') } }
}

/** One of both is so, and nobody knows which. */
export function worstOf(one: Load, other: Load): Load {
  return combined(one, other, Math.max)
}

export function sumOf(loads: Iterable<Load>): Load {
  let [watts, first, second, third] = [0, 0, 0, 0]
  for (const load of loads) {
    watts += load.watts
    first += load.amperes.L1
    second += load.amperes.L2
    third += load.amperes.L3
  }
  return { watts, amperes: { L1: first, L2: second, L3: third } }
}

export function less(one: Load, other: Load): Load {
  return combined(one, other, (a, b) => a - b)
}

const hair = 1e-6

/** `perLine`: amperes; undefined where the lines have no limit. */
export function fits(load: Load, watts: number, perLine: number | undefined): boolean {
  if (load.watts > watts + hair) return false
  return perLine === undefined || lines.every((line) => load.amperes[line] <= perLine + hair)
}

/** The highest that may be in force, amperes; `full` where none is known to be. */
export function boundOf({ amperes = Number.POSITIVE_INFINITY, sent = 0 }: HeldLimit, full: number): number {
  return Math.min(full, Math.max(amperes, sent))
}

/** What a car draws that nobody has said anything to but the standing limit. */
export function standingBound(charger: ChargerState): number {
  const { row, facts } = charger
  const full = fullAmperes(facts)
  if (row.standing_form === 'none' || mayHaveForgotten(charger)) return full
  return boundOf(row.standing, full)
}

/** It may hold no limit at all, because it has booted, or may have. */
export function mayHaveForgotten(charger: ChargerState): boolean {
  const { report, lostAtBoot } = charger
  const isConfirmed = !hasBootedSince(charger)
  if (!isConfirmed && lostAtBoot !== undefined && lostAtBoot === report.bootedAt) return true
  return isForgetful(charger) && !(isConfirmed && report.isReady)
}

/** Since its standing limit was confirmed. */
export function hasBootedSince({ row, report }: ChargerState): boolean {
  return row.standing_boot !== (report.bootedAt ?? '')
}

/** It has lost its limits over a boot, or its model is known to do so. */
export function isForgetful({ row, facts: { modelId, traits } }: ChargerState): boolean {
  return traits.keeps_profiles === false || (modelId !== undefined && row.forgets_as === modelId)
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
export function countedOf(charger: ChargerState, connectorId: number, now: number): Load {
  const { facts, report } = charger
  if (holdsOthers(charger, connectorId)) return loadOn(chargerLines(facts), fullAmperes(facts))
  const standing = loadOn(chargerLines(facts), standingBound(charger))
  const connector = connectorOf(charger, connectorId)
  if (connector === undefined) return standing
  const own = loadOn(limitedLines(charger, connector), limitBound(charger, connector))
  const metered = meteredLoad(charger, connector)
  // Its session may end at any instant, or its limit run out: then the standing limit holds.
  const leaseEnds = charger.behaviours.get(connectorId)?.leaseEnds ?? Number.POSITIVE_INFINITY
  const isOver = !report.isReady && now > leaseEnds
  return worstOf(isOver ? standing : worstOf(standing, own), metered)
}

/** Where no limit of its own was confirmed, the standing one holds. */
export function limitBound(charger: ChargerState, { limit }: SiteConnector): number {
  const full = fullAmperes(charger.facts)
  const { amperes = standingBound(charger), sent = 0 } = limit
  return Math.min(full, Math.max(amperes, sent))
}

function meteredLoad({ facts }: ChargerState, { phases, ignores_limit_watts }: SiteConnector): Load {
  if (ignores_limit_watts === undefined) return noLoad
  const drawnFrom = chargerLines(facts, phases)
  return loadOn(drawnFrom, ignores_limit_watts / nominalVolts / drawnFrom.length)
}
