// Causes that charge points' actors have noted, and that have held, or been gone, for long enough by what their organization has
// set now. Each list is in the order of time, so a look reads what is due and nothing else.

import { type AlertMessage, chargePointAddress } from '../actors/charge-point/messages.js'
import { kindOfWatch, phaseOf, type WatchPhase } from '../actors/records/alert.js'
import { type AlertKind, thresholdOf } from '../actors/records/alert-kinds.js'
import { chargePointStatesTable } from '../actors/records/charge-point-state.js'
import { organizationsTable } from '../actors/records/organization.js'
import { limits } from '../runtime/limits.js'
import type { ReadView } from '../runtime/store.js'
import type { AlertClockOptions } from './clock.js'

const minuteMs = 60_000
const dayMs = 86_400_000

/** The kinds that charge points' actors note. */
const kinds = [
  'charge_point_offline',
  'connector_faulted',
  'charge_point_clock_off',
  'certificate_expiring',
] as const satisfies readonly AlertKind[]
const phases: readonly WatchPhase[] = ['begins', 'open', 'ends']
const organizationsPerStep = 20
const endOfTime = Number.MAX_SAFE_INTEGER - 1

interface Due {
  /** Watches of these times, both included, are due. */
  readonly from?: number
  readonly until: number
  /** The organization does not want to hear of it: what is open is over. */
  readonly off: boolean
}

export async function tellDueWatches(options: AlertClockOptions): Promise<void> {
  const { view } = options
  let looked = 0
  for (let last: string | undefined; ; ) {
    const organizationId = nextOrganization(view(), last)
    if (organizationId === undefined) return
    tellOf(organizationId, options)
    last = organizationId
    if (++looked % organizationsPerStep === 0) await new Promise(setImmediate)
  }
}

/** The next one that has a watch at all. */
function nextOrganization(view: ReadView, last: string | undefined): string | undefined {
  // The lowest key above the last one.
  const from = last === undefined ? {} : { from: [`${last}\0`] }
  return view.listBy(chargePointStatesTable, 'watched', [], { ...from, limit: 1 })[0]?.organization_id
}

function tellOf(organizationId: string, options: AlertClockOptions): void {
  const set = options.view().get(organizationsTable, [organizationId])?.alert_thresholds
  for (const kind of kinds) {
    const threshold = thresholdOf(set, kind) ?? null
    for (const phase of phases) {
      for (const due of dueOf(kind, phase, threshold, options)) tellList(organizationId, kind, phase, due, options)
    }
  }
}

function dueOf(
  kind: (typeof kinds)[number],
  phase: WatchPhase,
  threshold: number | null,
  { now, uptime, settleMs }: AlertClockOptions,
): readonly Due[] {
  if (threshold === null) return phase === 'begins' ? [] : [{ until: endOfTime, off: true }]
  if (phase === 'open') return []
  // The clock was set back since: its actor begins the time anew.
  const ahead = { from: now() + minuteMs, until: endOfTime, off: false }
  // Nobody saw what happened while the service was down: a time begins anew with it.
  const past = (ms: number) => (uptime() < ms ? [ahead] : [{ until: now() - ms, off: false }, ahead])
  if (phase === 'ends') return past(settleMs)
  if (kind === 'certificate_expiring') return [{ until: now() + threshold * dayMs, off: false }]
  return past(kind === 'charge_point_clock_off' ? 0 : threshold * minuteMs)
}

function tellList(
  organizationId: string,
  kind: AlertKind,
  phase: WatchPhase,
  { from, until, off }: Due,
  { view, tell }: AlertClockOptions,
): void {
  const list = [organizationId, kind, phase]
  const begin = from === undefined ? list : [...list, from]
  const query = { from: begin, to: [...list, until + 1], limit: limits.alertsPerLook }
  // A row with several watches stands in the list for each.
  const rows = new Map(
    view()
      .listBy(chargePointStatesTable, 'watched', [], query)
      .map((row) => [row.charge_point_id, row]),
  )
  for (const { charge_point_id, watches } of rows.values()) {
    for (const [key, watch] of Object.entries(watches ?? {})) {
      if (kindOfWatch(key) !== kind || phaseOf(watch) !== phase) continue
      if (watch.since > until || watch.since < (from ?? watch.since)) continue
      const message: AlertMessage = { type: 'alert-due', watch: key, since: watch.since, off }
      tell(chargePointAddress(charge_point_id), message)
    }
  }
}
