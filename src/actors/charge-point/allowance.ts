// How much of what a charge point says may be stored: so many bytes and so many transactions an hour, and more of each at once. What is
// left of both is in its row, so that neither an idle minute nor the end of a shard fills them up.

import type { StoredAllowance } from '../../records/charge-point-state.js'
import type { Context } from '../../runtime/actor/actor.js'
import { fullBucket, refill, type TokenBucket, takeTokens } from '../../runtime/token-bucket.js'
import { limits } from './limits.js'

export interface Allowance {
  readonly bytes: TokenBucket
  readonly transactions: TokenBucket
  /** What the stored row says is left. */
  saved: Left
  /** The organization has been told that it is used up, as far as this state knows. */
  told: boolean
}

type Left = Pick<StoredAllowance, 'bytes' | 'transactions'>

const hourSeconds = 3_600
const bytesRate = { perSecond: limits.storedBytesPerHour / hourSeconds, burst: limits.storedBytesAtOnce }
const transactionRate = { perSecond: limits.transactionsPerHour / hourSeconds, burst: limits.transactionsAtOnce }
const full: Left = { bytes: bytesRate.burst, transactions: transactionRate.burst }

export function allowanceFrom(stored: StoredAllowance | undefined, context: Context): Allowance {
  const now = context.monotonic()
  const { bytes, transactions } = stored ?? full
  // The clock may have been set back since.
  const age = stored === undefined ? 0 : Math.max(0, context.now() - stored.at)
  return {
    bytes: { ...fullBucket(bytesRate, now - age), tokens: bytes },
    transactions: { ...fullBucket(transactionRate, now - age), tokens: transactions },
    saved: { bytes, transactions },
    told: false,
  }
}

/** What the row says; undefined where hardly anything has been taken. */
export function storedAllowance(allowance: Allowance, context: Context): StoredAllowance | undefined {
  allowance.saved = leftOf(allowance, context)
  return isFar(allowance.saved, full) ? { at: context.now(), ...allowance.saved } : undefined
}

/** Whether so much has been taken that the row has to say so. */
export function isUnsaved(allowance: Allowance, context: Context): boolean {
  const left = leftOf(allowance, context)
  return isFar(left, allowance.saved)
}

function isFar(left: Left, from: Left): boolean {
  return (
    from.bytes - left.bytes >= limits.unsavedAllowanceBytes ||
    from.transactions - left.transactions >= limits.unsavedTransactions
  )
}

function leftOf({ bytes, transactions }: Allowance, context: Context): Left {
  const now = context.monotonic()
  refill(bytes, bytesRate, now)
  refill(transactions, transactionRate, now)
  return { bytes: Math.floor(bytes.tokens), transactions: Math.floor(transactions.tokens) }
}

/** False, and nothing taken, where there are not so many left. */
export function takeBytes({ bytes }: Allowance, count: number, context: Context): boolean {
  return takeTokens(bytes, bytesRate, context.monotonic(), count)
}

export function takeTransaction({ transactions }: Allowance, context: Context): boolean {
  return takeTokens(transactions, transactionRate, context.monotonic())
}

/** Well above nothing, so that it does not come and go. */
export function hasRecovered(allowance: Allowance, context: Context): boolean {
  const left = leftOf(allowance, context)
  return left.bytes * 2 >= full.bytes && left.transactions * 2 >= full.transactions
}
