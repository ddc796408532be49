// Causes that charge points' actors have noted, and that have held, or been gone, for long enough by what their organization has
// set now. They stand in one index, by organization, kind, phase and time: a look steps from list to list, reads what is due at
// the beginning of each and nothing else, and informs so many actors at most. Where it had to stop the next one goes on.

import { type AlertKind, thresholdOf, type WatchOfKind, watchOf } from '../../alert-kinds/index.js'
import { kindOfWatch, phaseOf, type WatchPhase } from '../../records/alert.js'
import { chargePointStatesTable, type WatchEntry, watchEntries } from '../../records/charge-point-state.js'
import { organizationsTable } from '../../records/organization.js'
import type { ReadView } from '../../runtime/store/store.js'
import type { Key } from '../../runtime/store/table.js'
import { type AlertMessage, chargePointAddress } from '../charge-point/messages.js'
import { limits } from './limits.js'
import type { AlertClockOptions } from './options.js'
import type { SteadyTime } from './steady-time.js'

const minuteMs = 60_000
/** After a start charge points come back within it, or they stay away. */
const comeBackMs = 30 * minuteMs
/** Lists and rows that are read before other work of the thread has its turn. */
const readsPerStep = 100
const endOfTime = Number.MAX_SAFE_INTEGER - 1

interface Due {
  /** Watches of these times, both included, are due. */
  readonly from: number
  readonly until: number
  /** The organization does not want to hear of it: what is open is over. */
  readonly off: boolean
}

/** One kind and phase of an organization's watches. */
type List = readonly [organizationId: string, kind: AlertKind, phase: WatchPhase]

export interface DueWatches {
  send(): Promise<void>
}

export function createDueWatches(options: AlertClockOptions, steady: SteadyTime): DueWatches {
  const { view } = options
  /** Where the next look begins: the front of all, unless the last one had to stop. */
  let position: Key = []
  return {
    async send() {
      let organization: { readonly id: string; readonly thresholds: ReturnType<typeof thresholdsOf> } | undefined
      let left = limits.alertsPerLookInAll
      let reads = 0
      for (let at = position; ; ) {
        const first = firstAfter(view(), at)
        if (first === undefined || left <= 0) {
          position = first === undefined ? [] : at
          return
        }
        const [organizationId, kind, phase, since] = first
        const list: List = [organizationId, kind, phase]
        if (organization?.id !== organizationId)
          organization = { id: organizationId, thresholds: thresholdsOf(view(), organizationId) }
        // What a later version has noted is for that version to raise.
        const watch = watchOf(kind)
        const threshold = watch === undefined ? null : (thresholdOf(organization.thresholds, kind) ?? null)
        const dues = watch === undefined ? [] : dueOf(watch, phase, threshold, options, steady)
        const due = dues.find(({ until }) => until >= since)
        let sent = 0
        if (due === undefined) at = [...list, endOfTime + 1]
        else if (since < due.from) at = [...list, due.from]
        else {
          const limit = Math.min(limits.alertsPerLook, left)
          sent = sendList(list, { ...due, from: since }, limit, options)
          // Of a list that is longer the rest has to wait for the next look.
          at = [...list, (sent < limit ? due.until : endOfTime) + 1]
        }
        left -= sent
        reads += 1 + sent
        if (reads >= readsPerStep) {
          reads = 0
          await options.pause()
        }
      }
    },
  }
}

function thresholdsOf(view: ReadView, organizationId: string) {
  return view.get(organizationsTable, [organizationId])?.alert_thresholds
}

/** The first watch at a place of the index or after it. */
function firstAfter(view: ReadView, from: Key): WatchEntry | undefined {
  const row = view.listBy(chargePointStatesTable, 'watched', [], { from, limit: 1 })[0]
  // A row with several watches stands there for each of them.
  return row === undefined
    ? undefined
    : watchEntries(row)
        .filter((entry) => !isBefore(entry, from))
        .sort((a, b) => (isBefore(a, b) ? -1 : 1))[0]
}

/** As the index orders: numbers by value, and of these names each letter is one byte. */
function isBefore(a: Key, b: Key): boolean {
  for (let part = 0; part < Math.min(a.length, b.length); part++) {
    const [left, right] = [a[part] as string | number, b[part] as string | number]
    if (left !== right) return left < right
  }
  return false
}

function dueOf(
  watch: WatchOfKind,
  phase: WatchPhase,
  threshold: number | null,
  { now, uptime, settleMs }: AlertClockOptions,
  steady: SteadyTime,
): readonly Due[] {
  if (threshold === null) return phase === 'begins' ? [] : [{ from: 0, until: endOfTime, off: true }]
  if (phase === 'open') return []
  // The clock was set back since: its actor begins the time anew.
  const ahead = { from: now() + minuteMs, until: endOfTime, off: false }
  // Nobody saw what happened while the service was down: what was so before it is taken to be so after it, once charge points
  // have had the time to report it.
  const past = (ms: number) => {
    const seen = uptime() >= Math.min(ms, comeBackMs) && steady.lasts() >= ms
    return seen ? [{ from: 0, until: now() - ms, off: false }, ahead] : [ahead]
  }
  if (phase === 'ends') return past(settleMs)
  const dueMs = watch.dueMs(threshold)
  return watch.time === 'end' ? [{ from: 0, until: now() + dueMs, off: false }] : past(dueMs)
}

/** Returns of how many watches it has informed the actors. */
function sendList(list: List, { from, until, off }: Due, limit: number, { view, tell }: AlertClockOptions): number {
  const [, kind, phase] = list
  const query = { from: [...list, from], to: [...list, until + 1], limit }
  const rows = new Map(
    view()
      .listBy(chargePointStatesTable, 'watched', [], query)
      .map((row) => [row.charge_point_id, row]),
  )
  let sent = 0
  for (const { charge_point_id, watches } of rows.values()) {
    for (const [key, watch] of Object.entries(watches ?? {})) {
      if (kindOfWatch(key) !== kind || phaseOf(watch) !== phase) continue
      if (watch.since > until || watch.since < from) continue
      const message: AlertMessage = { type: 'alert-due', watch: key, since: watch.since, off }
      tell(chargePointAddress(charge_point_id), message)
      sent++
    }
  }
  return sent
}
