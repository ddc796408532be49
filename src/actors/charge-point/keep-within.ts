// What is stored of a message, by what its charge point may still have stored. Beyond that, the newest register is all that is kept of meter
// values, events of passing states are left out, and transactions are refused with an error, upon which most charge points send them again.
// Sessions themselves, and all that bills, are never left out in silence; the organization is told.

import { chargePointOverAllowance, messageWith, type UsedUp } from '../../alert-kinds/charge-point-over-allowance.js'
import { type Finding, finding, openAlert, raise, resolve } from '../../alerts/alert.js'
import * as chargePointEvents from '../../events/charge-point.js'
import { sessionAuthorized, sessionCostUpdated } from '../../events/session.js'
import type { StopTransactionRequest } from '../../ocpp16/index.js'
import { writeError } from '../../ocpp16/index.js'
import { alertsTable } from '../../records/alert.js'
import { meterValuesTable } from '../../records/meter-values.js'
import { type UnmatchedTransaction, unmatchedTransactionsTable } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { outboxTable } from '../../runtime/actor/outbox.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { hasRecovered, isUnsaved, takeBytes, takeTransaction } from './allowance.js'
import { chargePointAddress } from './messages.js'
import type { LaterAnswer } from './request-handler.js'
import { isRegister } from './samples.js'
import { type State, saveRow } from './state.js'
import { countLeftOut } from './statistics.js'

const none: readonly Effect[] = []
const hourMs = 3_600_000
export const allowanceReason = 'allowance'

/** Of states that the row of the charge point, or of the session, shows as well. */
const passing: ReadonlySet<string> = new Set(
  [
    chargePointEvents.chargePointStatusChanged,
    chargePointEvents.chargePointFault,
    chargePointEvents.firmwareUpdateStarted,
    chargePointEvents.firmwareUpdateCompleted,
    sessionAuthorized,
    sessionCostUpdated,
  ].map(({ name }) => name),
)

/**
 * Bytes of the disk that a row takes at most, with its places in lists: of its own, and for each character of the message. An event's
 * are those of a delivery or two as well.
 */
const costs: Readonly<Record<string, { readonly row: number; readonly character: number }>> = {
  [outboxTable.name]: { row: 2_048, character: 0 },
  [alertsTable.name]: { row: 2_048, character: 0 },
  [meterValuesTable.name]: { row: 128, character: 1 },
  [unmatchedTransactionsTable.name]: { row: 1_024, character: 2 },
}

/** What has grown without end is counted; a row that takes the place of its former self, or that a transaction has once, is not. */
function costOf(effects: readonly Effect[], characters: number): number {
  let rows = 0
  let perCharacter = 0
  for (const one of effects) {
    const table = one.type === 'put' ? one.table.name : one.type === 'event' ? outboxTable.name : undefined
    const cost = table === undefined ? undefined : costs[table]
    if (cost === undefined) continue
    rows += cost.row
    perCharacter = Math.max(perCharacter, cost.character)
  }
  return rows + perCharacter * characters
}

/** The effects of a message of so many characters, as far as its charge point may have them stored. */
export function keepWithin(
  state: State,
  effects: readonly Effect[],
  characters: number,
  context: Context,
): readonly Effect[] {
  const cost = costOf(effects, characters)
  if (cost === 0) return effects
  const isWithin = takeBytes(state, cost, context)
  const kept = isWithin ? effects : [...effects.flatMap(least), ...noteOver(state, 'bytes', context)]
  return isUnsaved(state, context) ? [...kept, saveRow(state, {}, context)] : kept
}

/** What has to be kept of an effect. */
function least(one: Effect): readonly Effect[] {
  if (one.type === 'event' && passing.has(one.event.event)) {
    countLeftOut('event')
    return none
  }
  if (one.type !== 'put') return [one]
  if (one.table.name === meterValuesTable.name) {
    countLeftOut('meter_values')
    return [{ ...one, thin: true }]
  }
  if (one.table.name !== unmatchedTransactionsTable.name) return [one]
  countLeftOut('transaction_data')
  return [effect.put(unmatchedTransactionsTable, withNewestRegister(one.row as UnmatchedTransaction))]
}

function withNewestRegister(row: UnmatchedTransaction): UnmatchedTransaction {
  const { transactionData = [], ...payload } = row.payload as StopTransactionRequest
  const newest = transactionData
    .map(({ timestamp, sampledValue }) => ({ timestamp, sampledValue: sampledValue.filter(isRegister).slice(0, 1) }))
    .filter(({ sampledValue }) => sampledValue.length > 0)
    .slice(-1)
  return { ...row, payload: { ...payload, ...(newest.length > 0 && { transactionData: newest }) } }
}

/** Undefined where the charge point may begin, or have kept, one transaction more. */
export function refuseTransaction(state: State, context: Context): LaterAnswer | undefined {
  if (takeTransaction(state, context)) return undefined
  countLeftOut('transaction')
  return {
    later: ({ connection, messageId }) => [
      ...noteOver(state, 'transactions', context),
      effect.frame(connection, writeError(messageId, 'InternalError', 'too many transactions: try again later')),
    ],
  }
}

function findingOf(state: State, usedUp: UsedUp, context: Context): Finding {
  const about = { organizationId: state.row.organization_id, subject: context.id, chargePointId: context.id }
  return finding(chargePointOverAllowance, about, usedUp)
}

/** Raises the alert, which is open for an hour at least, or says in the open one what is used up as well. */
function noteOver(state: State, usedUp: UsedUp, context: Context): readonly Effect[] {
  if (state.allowance.told.includes(usedUp)) return none
  state.allowance.told = [...state.allowance.told, usedUp]
  const found = findingOf(state, usedUp, context)
  const alert = openAlert(context.read(), found)
  if (alert === undefined) return [...raise(found, context).effects, look(context)]
  const message = messageWith(alert.message, usedUp)
  return message === alert.message ? none : [effect.put(alertsTable, { ...alert, message })]
}

function look(context: Context): Effect {
  return wakeAfter(chargePointAddress(context.id), allowanceReason, hourMs, context)
}

/** An hour after the alert, and every hour until there is room again. */
export function lookAtAllowance(state: State, context: Context): readonly Effect[] {
  const alert = openAlert(context.read(), findingOf(state, 'bytes', context))
  if (alert !== undefined && !hasRecovered(state, context)) return [look(context)]
  state.allowance.told = []
  const over = alert === undefined ? none : resolve(alert.alert_id, context)
  return [...over, wakeNoMore(chargePointAddress(context.id), allowanceReason)]
}
