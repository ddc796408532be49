// How much of what a charge point says may be stored: so many bytes for each connector that its operator has declared, and so many transactions,
// an hour, and more of each at once. What is left of both is in its row, so that neither an idle minute nor the end of a shard fills them up.

import type { UsedUp } from '../../alert-kinds/charge-point-over-allowance.js'
import { type ChargePoint, isUnclaimed } from '../../records/charge-point.js'
import type { StoredAllowance } from '../../records/charge-point-state.js'
import type { Context } from '../../runtime/actor/actor.js'
import { afterTaking, type FullAt, fullAtOf, type Rate, tokensIn } from '../../runtime/token-bucket.js'
import { limits } from './limits.js'

export interface Allowance {
  /** Where the operator declares more connectors, the same share of more is left. */
  bytes: FullAt
  transactions: FullAt
  /** What the stored row says is left; undefined where it says nothing, which stands for all of it. */
  saved: Left | undefined
  /** What of it the organization has been told to be used up, as far as this state knows. */
  told: readonly UsedUp[]
}

/** Whose it is. What the operator declares may change at any time. */
interface Holder {
  readonly allowance: Allowance
  readonly registration: ChargePoint | undefined
}

const nothing: readonly UsedUp[] = []

type Left = Pick<StoredAllowance, 'bytes' | 'transactions'>

const hourSeconds = 3_600

function transactionRateOf(registration: ChargePoint | undefined): Rate {
  const tried = registration !== undefined && isUnclaimed(registration)
  return tried
    ? { perSecond: limits.unclaimedTransactionsPerHour / hourSeconds, burst: limits.unclaimedTransactionsAtOnce }
    : { perSecond: limits.transactionsPerHour / hourSeconds, burst: limits.transactionsAtOnce }
}

/** What the charge point itself says of its connectors does not count, or it could take as much as it likes. */
function bytesRateOf(registration: ChargePoint | undefined): Rate {
  if (registration !== undefined && isUnclaimed(registration))
    return { perSecond: limits.unclaimedBytesPerHour / hourSeconds, burst: limits.unclaimedBytesAtOnce }
  const connectors = Math.min(Math.max(1, registration?.connector_count ?? 1), limits.connectorsOfAllowance)
  return {
    perSecond: (connectors * limits.storedBytesPerHour) / hourSeconds,
    burst: connectors * limits.storedBytesAtOnce,
  }
}

function fullOf(registration: ChargePoint | undefined): Left {
  return { bytes: bytesRateOf(registration).burst, transactions: transactionRateOf(registration).burst }
}

export function allowanceFrom(
  stored: StoredAllowance | undefined,
  registration: ChargePoint | undefined,
  context: Context,
): Allowance {
  const { at, bytes, transactions } = stored ?? { at: context.now(), ...fullOf(registration) }
  // The clock may have been set back since.
  const then = context.monotonic() - Math.max(0, context.now() - at)
  return {
    bytes: fullAtOf(bytes, bytesRateOf(registration), then),
    transactions: fullAtOf(transactions, transactionRateOf(registration), then),
    saved: stored,
    told: nothing,
  }
}

/** What the row says; undefined where hardly anything has been taken. */
export function storedAllowance(holder: Holder, context: Context): StoredAllowance | undefined {
  const left = leftOf(holder, context)
  const stored = isFar(left, fullOf(holder.registration)) ? { at: context.now(), ...left } : undefined
  holder.allowance.saved = stored
  return stored
}

/** Whether so much has been taken that the row has to say so. */
export function isUnsaved(holder: Holder, context: Context): boolean {
  return isFar(leftOf(holder, context), holder.allowance.saved ?? fullOf(holder.registration))
}

function isFar(left: Left, from: Left): boolean {
  return (
    from.bytes - left.bytes >= limits.unsavedAllowanceBytes ||
    from.transactions - left.transactions >= limits.unsavedTransactions
  )
}

function leftOf({ allowance: { bytes, transactions }, registration }: Holder, context: Context): Left {
  const now = context.monotonic()
  return {
    bytes: Math.floor(tokensIn(bytes, bytesRateOf(registration), now)),
    transactions: Math.floor(tokensIn(transactions, transactionRateOf(registration), now)),
  }
}

/** False, and nothing taken, where there are not so many left. */
export function takeBytes({ allowance, registration }: Holder, count: number, context: Context): boolean {
  const after = afterTaking(allowance.bytes, bytesRateOf(registration), context.monotonic(), count)
  if (after !== undefined) allowance.bytes = after
  return after !== undefined
}

export function takeTransaction({ allowance, registration }: Holder, context: Context): boolean {
  const after = afterTaking(allowance.transactions, transactionRateOf(registration), context.monotonic())
  if (after !== undefined) allowance.transactions = after
  return after !== undefined
}

/** Well above nothing, so that it does not come and go. */
export function hasRecovered(holder: Holder, context: Context): boolean {
  const left = leftOf(holder, context)
  const full = fullOf(holder.registration)
  return left.bytes * 2 >= full.bytes && left.transactions * 2 >= full.transactions
}
