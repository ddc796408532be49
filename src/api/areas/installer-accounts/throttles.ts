// How often somebody may try to log in, to sign up, or have a mail sent to an address. Logins that succeed do not count. Each front counts what
// reaches it.

import { rateLimited } from '../../../actors/command-router/errors.js'
import { mailboxOf } from '../../../actors/mail/mail-room.js'
import { networkOf } from '../../../edge/address-network.js'
import type { Services } from '../../pipeline/services.js'
import { type Throttle, takeOfEach } from '../../pipeline/throttles.js'

const perMinute = (count: number): number => count / 60

/** Of one network, for accounts of any name. More than may wait for their turn there: who only waits is not refused as one who guesses. */
const loginsOfNetwork: Throttle = { perSecond: perMinute(10), burst: 120 }
/** For one account, from one network. */
const loginsOfAccountFromNetwork: Throttle = { perSecond: perMinute(1), burst: 10 }
/** For one account, from everywhere but the networks that it has been logged in to from: strangers do not keep its owner out. */
const loginsOfAccount: Throttle = { perSecond: perMinute(10), burst: 50 }
/** Signing up, forgetting a password and using a token from a mail. */
const entriesOfNetwork: Throttle = { perSecond: perMinute(5), burst: 60 }
const signupsOfAll: Throttle = { perSecond: perMinute(120), burst: 1_000 }
/** To one address, whoever asks for them. */
const mailsToAddress: Throttle = { perSecond: perMinute(0.1), burst: 3 }

type WithThrottles = Pick<Services, 'throttles'>

const tooOften = (extras: { readonly retryAfterSeconds: number }) =>
  rateLimited('this was attempted too often: wait, then try again', extras)

export interface LoginAttempt {
  /** Whose account is asked for, whether or not there is one. */
  readonly address: string
  readonly network: string
  /** The account has been logged in to from there. */
  readonly isFamiliar: boolean
}

/** Throws `rate_limited`. Returns what forgets the attempt, since it has succeeded. */
export function attemptLogin({ throttles }: WithThrottles, { address, network, isFamiliar }: LoginAttempt): () => void {
  const taken = [
    [loginsOfNetwork, network],
    [loginsOfAccountFromNetwork, `${network} ${address}`],
    ...(isFamiliar ? [] : ([[loginsOfAccount, address]] as const)),
  ] as const
  takeOfEach(throttles, taken, tooOften)
  return () => {
    for (const [throttle, key] of taken) throttles.of(throttle).giveBack(key, 1)
  }
}

/** Throws `rate_limited`. */
export function attemptSignup({ throttles }: WithThrottles, remoteAddress: string): void {
  const taken = [
    [entriesOfNetwork, networkOf(remoteAddress)],
    [signupsOfAll, ''],
  ] as const
  takeOfEach(throttles, taken, tooOften)
}

/** Throws `rate_limited`. */
export function attemptEntry({ throttles }: WithThrottles, remoteAddress: string): void {
  takeOfEach(throttles, [[entriesOfNetwork, networkOf(remoteAddress)]], tooOften)
}

/** Throws `rate_limited` where the address has had its mails, whether or not it has an account. */
export function attemptMail({ throttles }: WithThrottles, address: string): void {
  takeOfEach(throttles, [[mailsToAddress, mailboxOf(address)]], tooOften)
}

/** The same where nobody is to learn of it: whether the mail may be sent. */
export function mayMail({ throttles }: WithThrottles, address: string): boolean {
  return throttles.of(mailsToAddress).take(mailboxOf(address))
}
