// The history of a site's power: what it and each of its charge points were given and drew, while cars charge. What holds now is counted for the
// time until the next look. Written once a minute as notes, which nothing waits for: what a crash takes is the last minutes, and as all
// sizes of bucket are written in one commit with the time that they cover, nothing is counted twice after it. What was noted is not in the store
// yet: it stays in memory until it is, for the next car. The site has the rows of its charge points for the time that they were in it, and the
// fleet is told what the site drew.

import type { LimitReason } from '../../power/reasons.js'
import {
  addToRollUp,
  bucketOf,
  emptyRollUp,
  type OpenRollUp,
  type PowerRollUp,
  type PowerSample,
  powerRollUpsTable,
  type RollUp,
  rollUpStart,
  rollUps,
} from '../../records/power-roll-up.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { fleetPowerAddress, type SitePower } from '../fleet-power/messages.js'
import { limits } from './limits.js'
import type { Place } from './place.js'
import type { Plan } from './plan.js'
import type { PowerHistory, SiteState } from './state.js'
import { allocatedWatts, drawnWatts, reasonOf } from './view.js'

const minuteMs = 60_000
const noSamples: ReadonlyMap<string, PowerSample> = new Map()

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
    effects.push(...observe(history, sample, everyMs, context))
  }
  for (const [id, sample] of samples)
    if (site !== undefined && !state.histories.has(id))
      state.histories.set(
        id,
        begun({ organization_id: site.organization_id, subject_id: id, site_id: site.site_id }, sample, context.now()),
      )
  return effects
}

function begun(about: PowerHistory['about'], sample: PowerSample, at: number): PowerHistory {
  return { about, rows: new Map(), lately: new Map(), held: { at, sample }, writtenAt: at, forgetAt: undefined }
}

function samplesOf(state: SiteState, plan: Plan, siteId: string): ReadonlyMap<string, PowerSample> {
  const samples = new Map<string, PowerSample>()
  const active = plan.places.filter(({ session }) => session !== undefined)
  if (active.length === 0) return samples
  const allocated = (places: readonly Place[]): number =>
    places.reduce((sum, place) => sum + allocatedWatts(place, plan), 0)
  samples.set(siteId, {
    budgetWatts: plan.budgetWatts,
    allocatedWatts: allocated(active),
    drawnWatts: drawnWatts(state),
    active: active.length,
  })
  const byCharger = new Map<Place['charger'], Place[]>()
  for (const place of active) {
    const own = byCharger.get(place.charger)
    if (own === undefined) byCharger.set(place.charger, [place])
    else own.push(place)
  }
  for (const [charger, own] of byCharger)
    samples.set(charger.row.charge_point_id, {
      budgetWatts: 0,
      allocatedWatts: allocated(own),
      drawnWatts: charger.report.draws.reduce((sum, { watts }) => sum + watts, 0),
      active: own.length,
      reason: heldBackBy(own.map((place) => reasonOf(place, plan))),
    })
  return samples
}

/** Of several cars, what holds one of them back says more than that another has all that it can take. */
function heldBackBy(reasons: readonly LimitReason[]): LimitReason {
  return reasons.find((reason) => reason !== 'demand') ?? 'demand'
}

/** `sample`: what holds from now on; undefined where no car charges, so that all that is known is written. */
function observe(
  history: PowerHistory,
  sample: PowerSample | undefined,
  everyMs: number,
  context: Context,
): readonly Effect[] {
  const now = context.now()
  const { held } = history
  const effects: Effect[] = []
  const isDue = Math.floor(now / everyMs) !== Math.floor(history.writtenAt / everyMs)
  // Most of what a site hears concerns one of its charge points: of the others the same holds on.
  if (!isDue && held !== undefined && isHeldOn(held, sample, now)) return effects
  history.held = sample && { at: now, sample }
  // Of a longer time nobody knows whether the same has held; a clock that is set back has no past.
  if (held !== undefined && now > held.at && now - held.at <= limits.heldMs)
    for (let at = held.at; at < now; ) {
      const end = Math.min(now, (Math.floor(at / minuteMs) + 1) * minuteMs)
      for (const rollUp of rollUps) {
        const known = history.rows.get(rollUp.minutes)
        const row = rowAt(known, rollUp, history, at, context)
        if (known !== undefined && known !== row) effects.push(written(known))
        history.rows.set(rollUp.minutes, row)
        addToRollUp(row, at, held.sample, end - at)
        if (rollUp.minutes === 1) noteMinute(history, row, at)
      }
      at = end
    }
  if (held === undefined || (sample !== undefined && !isDue)) return effects
  history.writtenAt = now
  return [...effects, ...[...history.rows.values()].map(written), ...tellFleet(history, now)]
}

function isHeldOn(held: NonNullable<PowerHistory['held']>, sample: PowerSample | undefined, now: number): boolean {
  const before = held.sample
  return (
    now >= held.at &&
    now - held.at < limits.lookMs &&
    before.allocatedWatts === sample?.allocatedWatts &&
    before.drawnWatts === sample.drawnWatts &&
    before.budgetWatts === sample.budgetWatts &&
    before.active === sample.active &&
    before.reason === sample.reason
  )
}

function rowAt(
  known: OpenRollUp | undefined,
  rollUp: RollUp,
  { about }: PowerHistory,
  at: number,
  context: Context,
): OpenRollUp {
  const starts_at = rollUpStart(rollUp, at)
  if (known?.starts_at === starts_at) return known
  const empty = emptyRollUp(rollUp, about, starts_at)
  const stored = context.read().get(powerRollUpsTable, powerRollUpsTable.key(empty))
  return stored === undefined ? empty : { ...stored, values: [...stored.values] }
}

function written(row: PowerRollUp): Effect {
  return effect.note(powerRollUpsTable, { ...row, values: row.values.map(Math.round) })
}

function isOfSite({ about: { subject_id, site_id } }: PowerHistory): boolean {
  return subject_id === site_id
}

function noteMinute(history: PowerHistory, row: OpenRollUp, at: number): void {
  if (!isOfSite(history)) return
  const minute = bucketOf(row, at)
  history.lately.set(minute.at, minute)
}

/** The last minutes, again and again: whoever has missed them hears of them with the next. */
function tellFleet(history: PowerHistory, now: number): readonly Effect[] {
  if (!isOfSite(history)) return []
  const { about, lately } = history
  for (const at of lately.keys()) if (now - at > limits.fleetToldMs) lately.delete(at)
  if (lately.size === 0) return []
  const message: SitePower = { type: 'site-power', siteId: about.site_id, minutes: [...lately.values()] }
  return [effect.send(fleetPowerAddress(about.organization_id), message)]
}
