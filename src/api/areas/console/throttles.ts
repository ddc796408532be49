// How often somebody may try to sign in; what succeeds counts little. Each front counts what reaches it.

import { rateLimited } from '../../../actors/command-router/errors.js'
import { mailboxOf } from '../../../actors/mail/mail-room.js'
import { networkOf } from '../../../edge/address-network.js'
import type { Services } from '../../pipeline/services.js'
import { type Throttle, takeOfEach } from '../../pipeline/throttles.js'

const signInsOfAccount: Throttle = { perSecond: 5 / 60, burst: 5 }
/** With codes of six digits in mind: whoever goes on for days does not get far. */
const signInsOfAccountForLong: Throttle = { perSecond: 2 / 3_600, burst: 10 }
const signInsOfNetwork: Throttle = { perSecond: 20 / 60, burst: 20 }

/** Also of what succeeds: each time is written down, and kept for long. What is good once (a choice, an invitation, what a provider has sent) has no more than that. */
const allSignInsOfAccount: Throttle = { perSecond: 1 / 10, burst: 100 }

const codesOfNetwork: Throttle = { perSecond: 20 / 60, burst: 20 }
/** Whoever opens the page asks for one. */
const challengesOfNetwork: Throttle = { perSecond: 1, burst: 60 }
/** To one address, of each network: who keeps asking for codes for somebody else does not keep them out. */
const codesToAddressOfNetwork: Throttle = { perSecond: 1 / 600, burst: 5 }
/** To one address, whoever asks for them from where nobody has signed in with it lately. */
const codesToAddress: Throttle = { perSecond: 3 / 600, burst: 15 }

const tooOften = (extras: { readonly retryAfterSeconds: number }) =>
  rateLimited('this was attempted too often: wait, then try again', extras)

/** `account` is whose it would be, whether or not there is one. Throws `rate_limited`; returns what forgets that it may have failed, since it has not. */
export function attemptSignIn(
  { throttles }: Pick<Services, 'throttles'>,
  account: string,
  remoteAddress: string,
): () => void {
  const untilItSucceeds = [
    [signInsOfNetwork, networkOf(remoteAddress)],
    [signInsOfAccount, account],
    [signInsOfAccountForLong, account],
  ] as const
  takeOfEach(throttles, [...untilItSucceeds, [allSignInsOfAccount, account]], tooOften)
  return () => {
    for (const [throttle, key] of untilItSucceeds) throttles.of(throttle).giveBack(key, 1)
  }
}

/** Throws `rate_limited`. */
export function askForChallenge({ throttles }: Pick<Services, 'throttles'>, remoteAddress: string): void {
  takeOfEach(throttles, [[challengesOfNetwork, networkOf(remoteAddress)]], tooOften)
}

/** Throws `rate_limited`. */
export function askForCode({ throttles }: Pick<Services, 'throttles'>, remoteAddress: string): void {
  takeOfEach(throttles, [[codesOfNetwork, networkOf(remoteAddress)]], tooOften)
}

/**
 * Whether a code may be mailed to the address, whether or not it belongs to a member; nobody is told. `isKnown`: a member has signed in with it from this
 * network lately, whom all others together do not keep out.
 */
export function mayMailCode(
  { throttles }: Pick<Services, 'throttles'>,
  address: string,
  { remoteAddress, isKnown }: { readonly remoteAddress: string; readonly isKnown: boolean },
): boolean {
  const mailbox = mailboxOf(address)
  const ofNetwork = throttles.of(codesToAddressOfNetwork)
  if (!ofNetwork.take(`${mailbox} ${networkOf(remoteAddress)}`)) return false
  return throttles.of(codesToAddress).take(mailbox) || isKnown
}
