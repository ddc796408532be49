// The payment provider of a world, and its ledger. It does each step once for each key, as a provider promises; what goes wrong lies
// between it and the service: requests that never arrive or arrive late, and answers that are lost after it has acted.

import type { PaymentRequest, PaymentResult } from '../../src/actors/guest-session/payment.js'
import type { JobOutcome } from '../../src/runtime/actor/actor.js'
import type { Faults } from './faults.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

/** What became of one authorisation, in minor units. */
export interface Account {
  readonly key: string
  setAside: number
  released: boolean
  /** By the key of the step. */
  readonly captures: Map<string, number>
  readonly refunds: Map<string, number>
}

export interface PaymentObserver {
  /** A request leaves the service. */
  asked(request: PaymentRequest): void
}

export interface PaymentProvider {
  /** By the key of the authorisation. */
  readonly accounts: ReadonlyMap<string, Account>
  /** The job of the service: resolves in `thread`, which waits for it. */
  ask(request: PaymentRequest, thread: SimulatedThread): Promise<JobOutcome>
}

export interface PaymentOptions {
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly outside: SimulatedThread
  readonly observer: PaymentObserver
}

export const cardOk = 'pm_ok'
export const cardDeclined = 'pm_declined'

const usualMs = 400
/** Longer than the service waits before it asks again. */
const slowestMs = 80_000
const prefix = 'auth_'

export function createPaymentProvider({ time, faults, outside, observer }: PaymentOptions): PaymentProvider {
  const { random } = faults
  const accounts = new Map<string, Account>()
  const done = (reference: string): PaymentResult => ({ type: 'done', reference })
  const refused = (reason: string): PaymentResult => ({ type: 'refused', reason })
  const sum = (amounts: ReadonlyMap<string, number>): number => [...amounts.values()].reduce((all, one) => all + one, 0)

  function act(request: PaymentRequest): PaymentResult {
    const { operation, key } = request
    if (operation === 'authorize') {
      const before = accounts.get(key)
      if (before !== undefined) return before.released ? refused('it was released') : done(prefix + key)
      if (request.method === cardDeclined) return refused('the card was declined')
      accounts.set(key, {
        key,
        setAside: request.amountMinor,
        released: false,
        captures: new Map(),
        refunds: new Map(),
      })
      return done(prefix + key)
    }
    if (operation === 'release') {
      const found = accounts.get(key)
      if (found === undefined)
        accounts.set(key, { key, setAside: 0, released: true, captures: new Map(), refunds: new Map() })
      else if (found.captures.size > 0) return refused('it was captured')
      else found.released = true
      return done(prefix + key)
    }
    const account = accounts.get(request.authorization.slice(prefix.length))
    if (account === undefined) return refused('there is no such authorisation')
    const steps = operation === 'capture' ? account.captures : account.refunds
    if (steps.has(key)) return done(request.authorization)
    const left = operation === 'capture' ? account.setAside : sum(account.captures)
    if (account.released || sum(steps) + request.amountMinor > left) return refused('this is more than there is')
    steps.set(key, request.amountMinor)
    return done(request.authorization)
  }

  return {
    accounts,
    ask(request, thread) {
      observer.asked(request)
      const trouble = faults.happens('paymentTrouble') ? random() : 1
      const there = random() * (trouble < 0.2 ? slowestMs : usualMs)
      const answered = there + random() * usualMs
      return new Promise((resolve) => {
        const end = (outcome: JobOutcome): void => time.settleAfter(answered, thread, () => resolve(outcome))
        if (trouble < 0.5 && trouble >= 0.2) return end({ ok: false, message: 'the provider cannot be reached' })
        let result: PaymentResult | undefined
        time.after(there, outside, () => {
          result = act(request)
        })
        time.settleAfter(answered, thread, () => {
          if (trouble < 1 && trouble >= 0.5) resolve({ ok: false, message: 'the answer was lost' })
          else resolve({ ok: true, value: result })
        })
      })
    },
  }
}
