// How a charge point answers calls: promptly and with consent as a rule; in a world with odd answers also late, twice,
// with an error, under a wrong id, or not at all.

import type { Faults } from '../faults.js'

export interface Answer {
  readonly frames: readonly string[]
  readonly lateMs: number
  /** What was asked for is done, whatever the service hears of it. */
  readonly consents: boolean
}

/** How a call is answered as a rule, and what is then done; nothing where that is a refusal. */
export interface Able {
  readonly payload: object
  readonly act: (() => void) | undefined
}

const latestMs = 40_000
const refused = { status: 'Rejected' }

export const refusal: Able = { payload: refused, act: undefined }

export function consentTo(action: string, act: () => void): Able {
  return { payload: action === 'UnlockConnector' ? { status: 'Unlocked' } : { status: 'Accepted' }, act }
}

export function answerTo(messageId: string, { payload, act }: Able, faults: Faults): Answer {
  const { random } = faults
  if (act === undefined) return { frames: [JSON.stringify([3, messageId, payload])], lateMs: 0, consents: false }
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
      return { frames: [JSON.stringify([3, messageId, refused])], lateMs: 0, consents: false }
  }
}
