// How often somebody may try to log in and to sign up. What succeeds does not count.

import { rateLimited } from '../../../actors/command-router/errors.js'
import { networkOf } from '../../../edge/address-network.js'
import type { Services } from '../../pipeline/services.js'
import { type Throttle, takeOfEach } from '../../pipeline/throttles.js'

const perMinute = (count: number): number => count / 60

/** Of one address, for accounts of any name. */
const loginsOfNetwork: Throttle = { perSecond: perMinute(10), burst: 60 }
/** For one account, from one address. */
const loginsOfAccountFromNetwork: Throttle = { perSecond: perMinute(1), burst: 10 }
const signupsOfNetwork: Throttle = { perSecond: perMinute(5), burst: 60 }

const tooOften = (extras: { readonly retryAfterSeconds: number }) =>
  rateLimited('this was attempted too often: wait, then try again', extras)

export interface Attempt {
  /** It succeeded: it counts for nobody. */
  forget(): void
}

/** Throws `rate_limited`. `address` is whose account is asked for, whether or not there is one. */
export function attemptLogin(
  { throttles }: Pick<Services, 'throttles'>,
  { address, remoteAddress }: { readonly address: string; readonly remoteAddress: string },
): Attempt {
  const network = networkOf(remoteAddress)
  const taken = [
    [loginsOfNetwork, network],
    [loginsOfAccountFromNetwork, `${network} ${address}`],
  ] as const
  takeOfEach(throttles, taken, tooOften)
  return {
    forget() {
      for (const [throttle, key] of taken) throttles.of(throttle).giveBack(key, 1)
    },
  }
}

/** Throws `rate_limited`. */
export function attemptSignup({ throttles }: Pick<Services, 'throttles'>, remoteAddress: string): void {
  takeOfEach(throttles, [[signupsOfNetwork, networkOf(remoteAddress)]], tooOften)
}
