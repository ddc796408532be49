// Requests under an Idempotency-Key: however often a caller repeats one, its charge point is told once, and callers are told the same.

import type { Row } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface RepeatOracle {
  asked(key: string): void
  answered(key: string, status: number, text: string): void
  /** A CALL that the edge gives out. */
  sent(messageId: string, action: string, payload: Row): void
}

/** A key is good for so long by the wall clock, which worlds may set forward by a day. */
const keptForMs = 24 * 3_600_000

interface Account {
  frames: number
  /** When it was asked for first since the key was good last, and when it was asked for last; wall time. A CALL may be sent much later. */
  firstAskedAt: number
  lastAskedAt: number
  answer: string | undefined
}

/** `wallMs`: what the clock shows; an id's time is another where the clock has been set back. */
export function createRepeatOracle({ check }: Verdict, wallMs: () => number): RepeatOracle {
  const keys = new Map<unknown, Account>()

  return {
    asked(key) {
      const now = wallMs()
      const account = keys.get(key)
      if (account === undefined) keys.set(key, { frames: 0, firstAskedAt: now, lastAskedAt: now, answer: undefined })
      else account.lastAskedAt = now
    },
    answered(key, status, text) {
      const account = keys.get(key)
      if (account === undefined || status !== 200) return
      check('key-once', account.frames > 0, () => `the caller of ${key} was told ${text}, and nothing was sent`)
      const same = account.answer === undefined || account.answer === text
      check('key-once', same, () => `the callers of ${key} were told ${account.answer} and ${text}`)
      account.answer = text
    },
    sent(messageId, action, payload) {
      const account = action === 'DataTransfer' ? keys.get(payload.data) : undefined
      if (account === undefined) return
      const isOver = account.frames > 0 && wallMs() - account.firstAskedAt >= keptForMs
      account.frames = isOver ? 1 : account.frames + 1
      if (isOver) Object.assign(account, { answer: undefined, firstAskedAt: account.lastAskedAt })
      check(
        'key-once',
        account.frames === 1,
        () => `${payload.data} was sent ${account.frames} times, now as ${messageId}`,
      )
    },
  }
}
