// What the oracle has checked, and the first things that did not hold. Checking goes on: the world decides when to stop.

export interface Verdict {
  /** Counts a check of `invariant`; what does not hold is kept in words. */
  check(invariant: Invariant, holds: boolean, wrong: () => string): void
  readonly violations: readonly Violation[]
  readonly counts: ReadonlyMap<Invariant, number>
}

export interface Violation {
  readonly invariant: Invariant
  readonly wrong: string
}

/** The invariants, by the names under which they are reported. */
export const invariants = {
  'acknowledged-transaction': 'a transaction that was acknowledged is on disk, under the id that was told',
  'acknowledged-stop': 'a stop that was acknowledged is on disk, in a completed session or kept as unmatched',
  'acknowledged-reading': 'meter values and statuses that were acknowledged are on disk',
  'one-session': 'every charge has one session at most, and every session is of a charge that happened',
  'session-stays': 'a session never vanishes, never changes its identity, and never opens again',
  energy:
    'the energy of a completed session is what has flowed, also where its register has begun anew, and an estimate is what was metered',
  cost: 'a session costs what its energy does at its tariff, in the commit that ends it, and its lines sum to it',
  'one-end': 'every command has one final status, and its caller is told the same',
  'command-deadline': 'a command is answered neither before it has ended nor long after its deadline',
  'newest-socket': 'of two sockets of a charge point the newer one stays',
  'sent-once': 'a command is sent to its charge point once at most',
  'one-outstanding': 'a charge point has one call outstanding at most',
  'honest-acceptance': 'a command is Accepted only when its charge point has accepted it',
  'event-order': 'the events of a charge point are in the order in which they happened',
  'event-declared': 'every event is one that is declared, with data of its shape',
  'event-once': 'every change has its event, in the same commit, and once',
  'alert-once': 'of every subject alerts are told to begin and to end in turn, as they are stored',
  'delivery-honest':
    'a receiver is sent what is on disk and what it is subscribed to, the same each time, and what has succeeded it has taken',
  'delivery-order':
    'the events of a charge point are sent to a receiver one at a time, and first of all in their order',
  'delivery-kept': 'an endpoint passes no event of its subscription without a delivery that is stored',
  'session-ends': 'a session ends although its charge point never tells so',
  'close-kept': 'what an operator is told of the close of a session is on disk',
  'removed-idle': 'a charge point that was removed has no running session',
  'key-once': 'a request that is repeated under its Idempotency-Key is carried out once, and answered the same',
  'guest-decided': 'the payment provider is asked, and a guest is told, what is on disk',
  'guest-pays': 'a guest pays what the charge costs in the end, and never more than was set aside',
  'guest-limit':
    "before a guest's charge has cost more than was set aside, the service has decided to end it, and tells its charge point so",
  'guest-alone': 'a connector has one guest at a time',
  'guest-ends': "a guest's session ends, and stays ended",
  'invoice-once': 'each session with a cost is on one invoice, and what changes later on later ones as the difference',
  'invoice-sums': 'an invoice is the sum of what it bills',
  'invoice-numbers': 'the invoices of an issuer are numbered without a gap and without a repeat',
  'invoice-final': 'an invoice never changes',
  'mail-sent':
    'a mail is taken by the mail server, or given up with its record, and each attempt is on disk before it is made',
  'report-once': 'each week of an organization that wants reports is reported once',
  'commissioning-kept':
    'what an installer is told of a commissioning is on disk, one at a time is under way, and one that has ended stays so',
  'commissioning-once':
    'a test transaction is on disk before it is asked for, and asked for once, and no key is changed that is right, or unknown since it was changed',
  'commissioning-honest': 'what a commissioning has as evidence and as its result is what the charge point has done',
  'commissioning-ends': 'a commissioning ends, and its test transaction with it',
  'site-power':
    'what the charge points of a site may draw, by the limits that they hold, stays within its budget and each of its lines',
  'cdr-once':
    "what a roaming partner's driver has charged is billed by CDRs that are on disk before they are sent, never change, and sum to what it costs",
  'partner-order':
    'a roaming partner is told of an object by one call at a time, and never of an older state after a newer one',
  'partner-knows': 'once nothing goes wrong any more, a roaming partner knows sessions and locations as they are',
  asserted: 'no rule that the service asserts is broken',
  allowance: 'a charge point has no more transactions stored than an hour of it may have, also over the ends of shards',
  fenced: 'what the former owner of a partition still writes is refused',
  bounded: 'no queue is longer than its bound',
  settled: 'once nothing goes wrong any more, everything that was begun ends',
  answered: 'every message on a socket that stays open is answered in time, and no well-formed one is refused for good',
} as const

export type Invariant = keyof typeof invariants

export function createVerdict(): Verdict {
  const violations: Violation[] = []
  const counts = new Map<Invariant, number>()
  return {
    check(invariant, holds, wrong) {
      counts.set(invariant, (counts.get(invariant) ?? 0) + 1)
      if (!holds && violations.length < 10) violations.push({ invariant, wrong: wrong() })
    },
    violations,
    counts,
  }
}
