// The history of a site's power: what it and each of its charge points were given and drew, while cars charge. What holds now is counted for the
// time until the next look. Written once a minute as notes, which nothing waits for: what a crash takes is the last minutes, and as all
// sizes of bucket are written in one commit with the time that they cover, nothing is counted twice after it. What was noted is not in the store
// yet: it stays in memory until it is, for the next car.

import { powerRollUpsTable, type RollUp, rollUps, valuesOfBucket } from '../../records/power-roll-up.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import type { Place, Plan } from './plan.js'
import type { OpenRow, PowerHistory, Sample, SiteState } from './state.js'
import { drawnWatts } from './view.js'

const minuteMs = 60_000
const noSamples: ReadonlyMap<string, Sample> = new Map()

/** `plan`: undefined for a site that is managed no more. */
export function followPower(state: SiteState, plan: Plan | undefined, context: Context): readonly Effect[] {
  const { site } = state
  const samples = plan === undefined || site === undefined ? noSamples : samplesOf(state, plan, site.site_id)
  const effects: Effect[] = []
  for (const [id, history] of state.histories) {
    const sample = samples.get(id)
    const everyMs = id === context.id ? minuteMs : limits.chargerHistoryMs
    if (sample !== undefined) history.forgetAt = undefined
    else if (history.forgetAt === undefined) history.forgetAt = context.monotonic() + limits.historyInMemoryMs
    else if (context.monotonic() >= history.forgetAt) state.histories.delete(id)
    effects.push(...observe(history, id, sample, everyMs, context))
  }
  for (const [id, sample] of samples)
    if (site !== undefined && !state.histories.has(id))
      state.histories.set(id, begun(site.organization_id, sample, context.now()))
  return effects
}

function begun(organizationId: string, sample: Sample, at: number): PowerHistory {
  return { organizationId, rows: new Map(), held: { at, sample }, writtenAt: at, forgetAt: undefined }
}

function samplesOf(state: SiteState, plan: Plan, siteId: string): ReadonlyMap<string, Sample> {
  const samples = new Map<string, Sample>()
  const active = plan.places.filter(({ session }) => session !== undefined)
  if (active.length === 0) return samples
  const allocated = (places: readonly Place[]): number =>
    places.reduce((sum, { id, counted }) => sum + (plan.limits.get(id)?.watts ?? counted.watts), 0)
  samples.set(siteId, {
    budgetWatts: plan.budgetWatts,
    allocatedWatts: allocated(active),
    drawnWatts: drawnWatts(state),
    active: active.length,
  })
  for (const charger of new Set(active.map((place) => place.charger))) {
    const own = active.filter((place) => place.charger === charger)
    samples.set(charger.row.charge_point_id, {
      budgetWatts: 0,
      allocatedWatts: allocated(own),
      drawnWatts: charger.report.draws.reduce((sum, { watts }) => sum + watts, 0),
      active: own.length,
    })
  }
  return samples
}

/** `sample`: what holds from now on; undefined where no car charges, so that all that is known is written. */
function observe(
  history: PowerHistory,
  id: string,
  sample: Sample | undefined,
  everyMs: number,
  context: Context,
): readonly Effect[] {
  const now = context.now()
  const { held } = history
  const effects: Effect[] = []
  history.held = sample && { at: now, sample }
  // Of a longer time nobody knows whether the same has held; a clock that is set back has no past.
  if (held !== undefined && now > held.at && now - held.at <= limits.heldMs)
    for (let at = held.at; at < now; ) {
      const end = Math.min(now, (Math.floor(at / minuteMs) + 1) * minuteMs)
      for (const rollUp of rollUps) {
        const known = history.rows.get(rollUp.minutes)
        const row = rowAt(known, rollUp, history.organizationId, id, at, context)
        if (known !== undefined && known !== row) effects.push(written(known))
        history.rows.set(rollUp.minutes, row)
        add(row, slotAt(row, at), held.sample, end - at)
      }
      at = end
    }
  const isDue = Math.floor(now / everyMs) !== Math.floor(history.writtenAt / everyMs)
  if (held === undefined || (sample !== undefined && !isDue)) return effects
  history.writtenAt = now
  return [...effects, ...[...history.rows.values()].map(written)]
}

function rowAt(
  known: OpenRow | undefined,
  { minutes, rowMs, keptMs }: RollUp,
  organization_id: string,
  id: string,
  at: number,
  context: Context,
): OpenRow {
  const starts_at = Math.floor(at / rowMs) * rowMs
  if (known?.starts_at === starts_at) return known
  const stored = context.read().get(powerRollUpsTable, [organization_id, id, minutes, starts_at])
  if (stored !== undefined) return { ...stored, values: [...stored.values] }
  const values = new Array<number>((rowMs / minutes / minuteMs) * valuesOfBucket).fill(0)
  return { organization_id, subject_id: id, minutes, starts_at, kept_until: starts_at + rowMs + keptMs, values }
}

function slotAt({ minutes, starts_at }: OpenRow, at: number): number {
  return Math.floor((at - starts_at) / minutes / minuteMs) * valuesOfBucket
}

function add({ values }: OpenRow, slot: number, sample: Sample, ms: number): void {
  const observed = values[slot] as number
  const watts = [sample.budgetWatts, sample.allocatedWatts, sample.drawnWatts]
  watts.forEach((value, index) => {
    const place = slot + 1 + index
    values[place] = ((values[place] as number) * observed + value * ms) / (observed + ms)
  })
  values[slot] = observed + ms
  values[slot + 4] = Math.max(values[slot + 4] as number, sample.active)
}

function written(row: OpenRow): Effect {
  return effect.note(powerRollUpsTable, { ...row, values: row.values.map(Math.round) })
}
