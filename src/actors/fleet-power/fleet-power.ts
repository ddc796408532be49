// The power of all sites of an organization together, minute by minute. Each site says what it was given and drew; when all have, the minute is
// added to the roll-ups, in which a site without cars counts for nothing. Written as notes, like those of the sites: of a minute that is in the
// store nothing is added again, and what a crash takes is the last minutes.

import {
  addToRollUp,
  bucketOf,
  emptyRollUp,
  type OpenRollUp,
  type PowerBucket,
  type PowerSample,
  powerRollUpsTable,
  type RollUp,
  rollUpStart,
  rollUps,
} from '../../records/power-roll-up.js'
import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import { type FleetPowerMessage, fleetPowerKind, type SitePower } from './messages.js'

const minuteMs = 60_000
const none: readonly Effect[] = []

export interface FleetPowerState {
  /** By the beginning of the minute, wall ms: what each site has told of it. */
  readonly minutes: Map<number, Map<string, PowerBucket>>
  /** By the minutes of their buckets. */
  readonly rows: Map<number, OpenRollUp>
  /** The last minute that was added, wall ms: those before it come too late. */
  settledUntil: number
  isLooking: boolean
  /** When what was noted last is in the store, monotonic ms. */
  forgetAt: number
}

export const fleetPower: ActorDefinition<FleetPowerState, FleetPowerMessage> = {
  kind: fleetPowerKind,
  mailboxMessages: limits.fleetMailboxMessages,
  load: () => ({
    minutes: new Map(),
    rows: new Map(),
    settledUntil: Number.NEGATIVE_INFINITY,
    isLooking: false,
    forgetAt: 0,
  }),
  idle: ({ minutes, rows }) => minutes.size === 0 && rows.size === 0,
  handle(state, message, context) {
    if (message.type === 'look') state.isLooking = false
    else take(state, message, context.now())
    return [...settle(state, context), ...lookAgain(state, context)]
  },
}

function take({ minutes, settledUntil }: FleetPowerState, { siteId, minutes: told }: SitePower, now: number): void {
  for (const bucket of told) {
    if (bucket.at > now || now - bucket.at > limits.takenWithinMs) continue
    // Unless the clock was set back.
    if (bucket.at <= settledUntil && settledUntil - bucket.at <= limits.takenWithinMs) continue
    const sites = minutes.get(bucket.at) ?? new Map<string, PowerBucket>()
    minutes.set(bucket.at, sites)
    sites.set(siteId, bucket)
  }
}

function settle(state: FleetPowerState, context: Context): readonly Effect[] {
  const due = [...state.minutes.keys()].filter((at) => context.now() - at >= limits.settledAfterMs)
  if (due.length === 0) {
    if (context.monotonic() >= state.forgetAt) state.rows.clear()
    return none
  }
  const changed = new Set<OpenRollUp>()
  for (const at of due.sort((one, other) => one - other)) {
    const sites = state.minutes.get(at)
    state.minutes.delete(at)
    state.settledUntil = at
    if (sites !== undefined) for (const row of addMinute(state, at, sumOf(sites.values()), context)) changed.add(row)
  }
  state.forgetAt = context.monotonic() + limits.inMemoryMs
  return [...changed].map((row) => effect.note(powerRollUpsTable, { ...row, values: row.values.map(Math.round) }))
}

/** The rows that are others by it. */
function addMinute(state: FleetPowerState, at: number, sample: PowerSample, context: Context): readonly OpenRollUp[] {
  const rows = rollUps.map((rollUp) => rowAt(state, rollUp, at, context))
  const isKnown = rows.some((row) => row.minutes === 1 && bucketOf(row, at).observedMs > 0)
  if (isKnown) return []
  for (const row of rows) addToRollUp(row, at, sample, minuteMs)
  return rows
}

/** Over the whole minute, of which a site has had cars for a part. */
function sumOf(buckets: Iterable<PowerBucket>): PowerSample {
  let [budgetWatts, allocatedWatts, drawnWatts, active] = [0, 0, 0, 0]
  for (const bucket of buckets) {
    const part = Math.min(1, bucket.observedMs / minuteMs)
    budgetWatts += bucket.budgetWatts * part
    allocatedWatts += bucket.allocatedWatts * part
    drawnWatts += bucket.drawnWatts * part
    active += bucket.active
  }
  return { budgetWatts, allocatedWatts, drawnWatts, active }
}

function rowAt({ rows }: FleetPowerState, rollUp: RollUp, at: number, context: Context): OpenRollUp {
  const known = rows.get(rollUp.minutes)
  const starts_at = rollUpStart(rollUp, at)
  if (known?.starts_at === starts_at) return known
  const empty = emptyRollUp(rollUp, { organization_id: context.id, subject_id: context.id, site_id: '' }, starts_at)
  const stored = context.read().get(powerRollUpsTable, powerRollUpsTable.key(empty))
  const row = stored === undefined ? empty : { ...stored, values: [...stored.values] }
  rows.set(rollUp.minutes, row)
  return row
}

function lookAgain(state: FleetPowerState, context: Context): readonly Effect[] {
  if (state.isLooking || (state.minutes.size === 0 && state.rows.size === 0)) return none
  state.isLooking = true
  const look: FleetPowerMessage = { type: 'look' }
  return [effect.schedule('look', context.monotonic() + limits.fleetLookMs, look)]
}
