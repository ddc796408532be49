// How many messages of each action this shard has taken, and what became of certificate requests; read by the metrics. Actions and
// outcomes are closed sets, so the maps are bounded.

const counts = new Map<string, number>()
const signings = new Map<SigningOutcome, number>()

export type SigningOutcome = 'signed' | 'refused' | 'unproven' | 'too_often' | 'failed'

const leftOutKinds = [
  'connector',
  'dispute_mail',
  'event',
  'meter_values',
  'security_event',
  'transaction',
  'transaction_data',
] as const

export type LeftOut = (typeof leftOutKinds)[number]

/** What charge points have said that was not stored, or not in full, by what it was, and mails about disputes that were not sent; zeros are shown as well, so that rates can be computed. */
const leftOut = new Map<LeftOut, number>(leftOutKinds.map((what) => [what, 0]))

export function countLeftOut(what: LeftOut): void {
  leftOut.set(what, (leftOut.get(what) ?? 0) + 1)
}

export function leftOutCounts(): Record<string, number> {
  return Object.fromEntries(leftOut)
}

export function countMessage(action: string): void {
  counts.set(action, (counts.get(action) ?? 0) + 1)
}

export function messageCounts(): Record<string, number> {
  return Object.fromEntries(counts)
}

export function countSigning(outcome: SigningOutcome): void {
  signings.set(outcome, (signings.get(outcome) ?? 0) + 1)
}

export function signingCounts(): Record<string, number> {
  return Object.fromEntries(signings)
}
