// What the connectors of a charge point draw, and on how many phases, as its newest meter values say. Its site is told both; what other
// figures show of it is in power.ts.

import { nominalVolts } from '../../power/electricity.js'
import type { MeterValues, Sample } from '../../records/meter-values.js'
import type { Draw } from '../messages/site.js'
import { limits } from './limits.js'
import type { State } from './state.js'

/** Below this, amperes, a phase carries nothing but what the charge point itself needs. */
const carriesAmperes = 1
const allPhases = 3
/** Between a line and neutral (EN 50160). */
const highestVolts = nominalVolts * 1.1
/** Currents are rounded, and not metered at the same instant as the power. */
const toleranceWatts = 300

export function noteDraw(state: State, connectorId: number, rows: readonly MeterValues[]): void {
  if (state.registration?.site_id === undefined) return
  const newest = rows.at(-1)
  if (newest === undefined) return
  const watts = drawnWatts(newest)
  if (watts === undefined || (!state.draws.has(connectorId) && state.draws.size >= limits.connectors)) return
  const phases = phasesOf(currentsOf(newest.samples), newest.power_watts)
  const reading = (state.draws.get(connectorId)?.reading ?? 0) + 1
  const draw: Draw = { connectorId, watts, reading, ...(phases !== undefined && { phases }) }
  state.draws = new Map(state.draws).set(connectorId, draw)
}

/** Of one that meters no power, what its currents make. What flows back takes nothing off what others draw. */
export function drawnWatts({ power_watts, samples }: MeterValues): number | undefined {
  if (power_watts !== undefined) return Math.max(0, power_watts)
  const currents = currentsOf(samples)
  const watts = Math.round(sum(currents) * nominalVolts)
  return currents.length === 0 || !(watts <= limits.largestReading) ? undefined : Math.max(0, watts)
}

/** Some charge points meter the current of one phase alone: what the others carry is seen by the power, or not at all. */
function phasesOf(currents: readonly number[], watts: number | undefined): Draw['phases'] {
  const carrying = currents.filter((amperes) => amperes >= carriesAmperes).length
  if (carrying !== 1 && carrying !== 2 && carrying !== 3) return undefined
  if (watts === undefined) return currents.length === allPhases ? carrying : undefined
  return watts > sum(currents) * highestVolts + toleranceWatts ? allPhases : carrying
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Of each phase that is metered by itself, amperes. */
function currentsOf(samples: readonly Sample[]): readonly number[] {
  const phases = new Map<string, number>()
  for (const [value, measurand, unit, phase, , location, format] of samples) {
    if (measurand !== 'Current.Import' || typeof value !== 'number' || (format ?? null) !== null) continue
    if ((location ?? null) !== null || !/^L[123](-N)?$/.test(String(phase))) continue
    phases.set(String(phase).slice(0, 2), unit === 'mA' ? value / 1000 : value)
  }
  return [...phases.values()]
}
