// Results of commands (OCPI 2.2.1, 13.2): posted at once, and twice more within seconds. Each is on disk before it is posted, and so is each attempt, so that a
// result that was on its way when the process ended is posted after the start, and none more often than three times. A command that nobody
// carries out any more has timed out.

import type { OcpiOutcome } from '../../ocpi/call.js'
import type { ChargingProfileResult } from '../../ocpi/schemas/charging-profile.js'
import type { CommandResult } from '../../ocpi/schemas/command.js'
import { type OcpiCommandResult, ocpiCommandResultsTable } from '../../records/ocpi-command-result.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import type { OwedResult } from './item.js'
import { limits } from './limits.js'
import type { CommandResultMessage } from './messages.js'
import type { OcpiPartnerState } from './state.js'

const none: readonly Effect[] = []
const delayMs = 1_000

export function noteResult(
  state: OcpiPartnerState,
  { owed, result }: CommandResultMessage,
  context: Context,
): readonly Effect[] {
  const known = state.results.find(({ row }) => row.result_id === owed.result_id)
  const isOwed = context.read().get(ocpiCommandResultsTable, ocpiCommandResultsTable.key(owed)) !== undefined
  // Its time was over: the partner has been posted that.
  if (!isOwed || (known !== undefined && known.row.attempts > 0)) return none
  const row: OcpiCommandResult = { ...owed, result }
  const item: OwedResult = known ?? { row, dueAt: 0, underWay: false }
  Object.assign(item, { row, dueAt: context.monotonic() })
  const left = known === undefined ? makeRoom(state) : none
  if (known === undefined) state.results.push(item)
  return [...left, effect.put(ocpiCommandResultsTable, row)]
}

/** Of too many, the oldest has waited for longest. */
function makeRoom(state: OcpiPartnerState): readonly Effect[] {
  if (state.results.length < limits.ocpiResults) return none
  const oldest = state.results.find(({ underWay }) => !underWay)
  return oldest === undefined ? none : remove(state, oldest)
}

function remove(state: OcpiPartnerState, item: OwedResult): readonly Effect[] {
  state.results = state.results.filter((other) => other !== item)
  return [effect.remove(ocpiCommandResultsTable, ocpiCommandResultsTable.key(item.row))]
}

const timedOut: CommandResult = {
  result: 'TIMEOUT',
  message: [{ language: 'en', text: 'What became of the command is not known: the service has ended meanwhile.' }],
}

/** What a charging profile module has for it. */
const notKnown: ChargingProfileResult = { result: 'REJECTED' }

/** It is about to be posted: what is stored with that. */
export function beginResult(item: OwedResult): Effect {
  item.underWay = true
  const lost = item.row.module === 'chargingprofiles' ? notKnown : timedOut
  item.row = { ...item.row, result: item.row.result ?? lost, attempts: item.row.attempts + 1 }
  return effect.put(ocpiCommandResultsTable, item.row)
}

/** This process had no room for it: that was no attempt. */
export function resultNotBegun(item: OwedResult, dueAt: number): void {
  Object.assign(item, { underWay: false, dueAt, row: { ...item.row, attempts: item.row.attempts - 1 } })
}

export function resultAttempted(
  state: OcpiPartnerState,
  item: OwedResult,
  outcome: OcpiOutcome,
  context: Context,
): readonly Effect[] {
  item.underWay = false
  const { attempts } = item.row
  item.dueAt = context.monotonic() + delayMs * attempts
  return outcome.type === 'delivered' || isSpent(item) ? remove(state, item) : none
}

/** It was posted often enough, in an earlier life perhaps. */
export function isSpent({ row, underWay }: OwedResult): boolean {
  return !underWay && row.attempts >= limits.ocpiResultAttempts
}

/** Those that an earlier life has posted often enough. */
export function removeSpent(state: OcpiPartnerState): readonly Effect[] {
  return state.results.filter(isSpent).flatMap((item) => remove(state, item))
}

/** Monotonic ms. */
export function resultDueAt({ results }: OcpiPartnerState): number {
  return Math.min(Number.POSITIVE_INFINITY, ...results.filter(({ underWay }) => !underWay).map(({ dueAt }) => dueAt))
}
