// Whether a charge point's clock is far off. One message proves little: it may have waited in a queue, or tell of something old. So
// it takes several, over minutes, with no message in between that shows the clock to be right.

import { chargePointClockOff } from '../../alert-kinds/charge-point-clock-off.js'
import { thresholdOf } from '../../alert-kinds/index.js'
import type { ChargePointState } from '../../records/charge-point-state.js'
import { organizationsTable } from '../../records/organization.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { noteWatch } from './alerts.js'
import { clockOffsetSeconds } from './clock-skew.js'
import { type State, saveRow } from './state.js'

const none: readonly Effect[] = []
const kind = chargePointClockOff.name
const readingsNeeded = 3
const spanMs = 5 * 60_000
/** Of the threshold: below it a clock is right again, so that one at the threshold does not come and go. */
const rightShare = 0.5
const leastNotedSeconds = chargePointClockOff.threshold.minimum * rightShare

/** `repeated`: it tells again what was told before, and its time may be that of then. */
export function noteClock(
  state: State,
  { timestamp, repeated }: { readonly timestamp: string | undefined; readonly repeated: boolean },
  receivedAt: number,
  context: Context,
): readonly Effect[] {
  const offset = clockOffsetSeconds(timestamp, receivedAt)
  if (offset === undefined) return none
  const { clock_off, watches, organization_id } = state.row
  const noted = clock_off !== undefined || watches?.[kind] !== undefined
  // Nearly all clocks: they are looked at without a read.
  if (!noted && Math.abs(offset) <= leastNotedSeconds) return none
  const organization = context.read().get(organizationsTable, [organization_id])
  const threshold = thresholdOf(organization?.alert_thresholds, kind)
  // Nothing is suspected for somebody who may want to hear of it one day: what is wrong then is found then.
  if (typeof threshold !== 'number') return noted ? right(state, context) : none
  if (Math.abs(offset) <= threshold * rightShare) return noted ? right(state, context) : none
  if (Math.abs(offset) <= threshold || (repeated && offset > 0)) return none
  return off(state, offset, context)
}

function off(state: State, offset_seconds: number, context: Context): readonly Effect[] {
  const watch = state.row.watches?.[kind]
  if (watch !== undefined && watch.ending !== true) return none
  const now = context.now()
  const before = state.row.clock_off
  const since = before === undefined || before.since > now ? now : before.since
  const clock_off = { since, readings: (before?.readings ?? 0) + 1, offset_seconds }
  state.row = { ...state.row, clock_off }
  const holds = clock_off.readings >= readingsNeeded && now - since >= spanMs
  const watched = holds || watch !== undefined ? noteWatch(state.row, kind, true, now) : {}
  return saveOrKeep(state, watched, context)
}

function right(state: State, context: Context): readonly Effect[] {
  const { clock_off: _, ...row } = state.row
  state.row = row
  return saveOrKeep(state, noteWatch(row, kind, false, context.now()), context)
}

/** What is not worth a write of its own goes with the next one. */
function saveOrKeep(state: State, watched: Pick<ChargePointState, 'watches'>, context: Context): readonly Effect[] {
  if (watched.watches !== undefined) return [saveRow(state, watched, context)]
  state.unsaved = true
  return none
}
