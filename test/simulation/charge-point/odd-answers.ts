// How a charge point answers calls: promptly and with consent as a rule; in a world with odd answers also late, twice,
// with an error, under a wrong id, or not at all.

import type { Faults } from '../faults.js'

export interface Answer {
  readonly frames: readonly string[]
  readonly lateMs: number
  /** What was asked for is done, whatever the service hears of it. */
  readonly consents: boolean
}

const latestMs = 40_000

/** `able` is whether it can do what it is asked for. */
export function answerTo(messageId: string, action: string, faults: Faults, able: boolean): Answer {
  const { random } = faults
  const refusal = JSON.stringify([3, messageId, { status: 'Rejected' }])
  if (!able) return { frames: [refusal], lateMs: 0, consents: false }
  const payload = action === 'UnlockConnector' ? { status: 'Unlocked' } : { status: 'Accepted' }
  const consent = JSON.stringify([3, messageId, payload])
  if (!faults.happens('oddAnswers')) return { frames: [consent], lateMs: 0, consents: true }
  switch (Math.floor(random() * 6)) {
    case 0:
      return { frames: [], lateMs: 0, consents: true }
    case 1:
      return { frames: [consent], lateMs: random() * latestMs, consents: true }
    case 2:
      return { frames: [consent, consent], lateMs: random() * 1_000, consents: true }
    case 3:
      return { frames: [JSON.stringify([4, messageId, 'InternalError', '', {}])], lateMs: 0, consents: false }
    case 4:
      return { frames: [JSON.stringify([3, `${messageId}x`, payload]), consent], lateMs: 0, consents: true }
    default:
      return { frames: [refusal], lateMs: 0, consents: false }
  }
}
