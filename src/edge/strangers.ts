// How often connections from one address may be refused: whoever guesses ids or passwords has to wait, and learns nothing meanwhile. Only
// refusals count, so that a whole site behind one address is let in again after an outage, however many it is. A charge point that was let in
// from the address last is looked at all the same, until its own connections are refused as often: what its neighbours do wrong is not its
// fault.

import type { Logger } from 'pino'
import type { Clock } from '../runtime/clock.js'
import { createRareLines } from '../runtime/rare-lines.js'
import { createTokenBuckets, fullBucket, type Rate, takeTokens } from '../runtime/token-bucket.js'
import { createAddressBuckets } from './address-buckets.js'
import { networkOf, networksOf } from './address-network.js'
import { limits } from './limits.js'
import type { RefusalReason } from './refusal-reasons.js'

export interface Strangers {
  /**
   * Asked before the charge point is looked up: the answer is the same whatever is asked for, except for one that was let in from there last.
   * `lastAddress`: from where that was; called only while the address is refused.
   */
  admit(remoteAddress: string, chargePointId: string, lastAddress: () => string | undefined): StrangerAdmission
  /** The address was refused something, with this status. */
  refused(remoteAddress: string, chargePointId: string, status: number): void
}

export type StrangerAdmission =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly reason: RefusalReason
      readonly advice: string
      readonly retryAfterSeconds: number
      /** Whether this one stands in the list of attempts, for all others of its hour. */
      readonly isListed: boolean
    }

export interface StrangersOptions {
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly refusalsPerSecond: number
}

export function createStrangers({ clock, log, refusalsPerSecond }: StrangersOptions): Strangers {
  const rate = { perSecond: refusalsPerSecond, burst: refusalsPerSecond * limits.refusalBurstSeconds }
  const ofAddresses = createAddressBuckets(rate, clock, limits.refusedAddresses)
  /** Of charge points, each at the address that it came from: its password cannot be guessed any faster than its neighbours' ids. */
  const ofChargePoints = createTokenBuckets(rate, clock, limits.refusedAddresses)
  const lines = createRareLines(limits.refusedAddresses)
  const named: Rate = { perSecond: limits.addressesNamedPerHour / 3_600, burst: limits.addressesNamedPerHour }
  const names = fullBucket(named, clock.monotonic())

  /** Once an hour for each address; returns whether it did. */
  function name(network: string): boolean {
    const now = clock.monotonic()
    const leftOut = lines.leftOut(network, now, () => takeTokens(names, named, now))
    if (leftOut === undefined) return false
    log.warn(
      { remote_address: network, ...(leftOut > 0 && { leftOut }) },
      'too many connections from an address were refused: for a while, only charge points that were let in from there last are looked at',
    )
    return true
  }

  return {
    admit(remoteAddress, chargePointId, lastAddress) {
      const networks = networksOf(remoteAddress)
      const wait = ofAddresses.waitFor(networks)
      if (wait === undefined) return { ok: true }
      const own = ofChargePoints.secondsUntil(keyOf(networks.own, chargePointId))
      const last = own === 0 ? lastAddress() : undefined
      if (last !== undefined && networkOf(last) === networks.own) return { ok: true }
      return {
        ok: false,
        reason: 'too_many_refusals',
        advice: 'Too many connections from this address were refused; this one is not looked at for a while.',
        retryAfterSeconds: Math.ceil(wait.seconds),
        isListed: name(wait.network),
      }
    },
    refused(remoteAddress, chargePointId, status) {
      // Whoever is only asked to come back later has guessed nothing.
      if (status >= 500) return
      const networks = networksOf(remoteAddress)
      ofAddresses.take(networks)
      ofChargePoints.take(keyOf(networks.own, chargePointId))
    },
  }
}

/** Of an id in any case: an address has no spaces. */
function keyOf(network: string, chargePointId: string): string {
  return `${network} ${chargePointId.toLowerCase()}`
}
