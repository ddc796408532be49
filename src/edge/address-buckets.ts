// How often, or how much, strangers may do something, by their address. In IPv6, each network of 64 bits has a bucket, and the network of
// 48 bits that it is in has one with more room, so that whoever has one of these to themselves is not 65,536 parties.

import type { Clock } from '../runtime/clock.js'
import { createTokenBuckets, type Rate } from '../runtime/token-bucket.js'
import type { Networks } from './address-network.js'
import { limits } from './limits.js'

export interface Wait {
  /** Whose tokens are used up. */
  readonly network: string
  readonly seconds: number
}

export interface AddressBuckets {
  /** Takes `cost` tokens of each network; where one has fewer, takes none and returns false. */
  take(networks: Networks, cost?: number): boolean
  /** Of tokens that were taken for what turned out to be another's. */
  giveBack(networks: Networks, tokens: number): void
  /** Until there are `cost` tokens; undefined where there are. */
  waitFor(networks: Networks, cost?: number): Wait | undefined
}

/** `most`: networks of each size that are remembered. */
export function createAddressBuckets(rate: Rate, clock: Clock, most: number): AddressBuckets {
  const room = limits.networksOfWideNetwork
  const own = createTokenBuckets(rate, clock, most)
  const wide = createTokenBuckets({ perSecond: rate.perSecond * room, burst: rate.burst * room }, clock, most)
  return {
    take(networks, cost = 1) {
      if (!own.take(networks.own, cost)) return false
      if (networks.wide === undefined || wide.take(networks.wide, cost)) return true
      own.giveBack(networks.own, cost)
      return false
    },
    giveBack(networks, tokens) {
      own.giveBack(networks.own, tokens)
      if (networks.wide !== undefined) wide.giveBack(networks.wide, tokens)
    },
    waitFor(networks, cost) {
      const ownSeconds = own.secondsUntil(networks.own, cost)
      const wideSeconds = networks.wide === undefined ? 0 : wide.secondsUntil(networks.wide, cost)
      if (networks.wide !== undefined && wideSeconds > ownSeconds)
        return { network: networks.wide, seconds: wideSeconds }
      return ownSeconds > 0 ? { network: networks.own, seconds: ownSeconds } : undefined
    },
  }
}
