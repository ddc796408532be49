// That every CALL of a charge point gets its answer, while its socket stays open: with a result or an error, but in time.

import type { Line } from '../network.js'
import type { Verdict } from './verdict.js'

export interface AnswerOracle {
  asked(line: Line, messageId: string, action: string): void
  answered(line: Line, messageId: string): void
  closed(line: Line): void
  /** Nobody is left to answer: the process is gone. */
  gone(): void
  look(): void
}

interface Waiting {
  readonly line: Line
  readonly messageId: string
  readonly action: string
  readonly at: number
}

/** Longer than any commit takes, and than a message that waits for a failed one. */
const answeredWithinMs = 30_000

export function createAnswerOracle({ check }: Verdict, now: () => number): AnswerOracle {
  /** In the order of their coming. */
  const waiting = new Map<string, Waiting>()
  const byLine = new Map<number, Set<string>>()

  function remove(line: Line, key: string): void {
    waiting.delete(key)
    byLine.get(line.id)?.delete(key)
  }

  return {
    asked(line, messageId, action) {
      const key = `${line.id}/${messageId}`
      if (waiting.has(key)) return
      waiting.set(key, { line, messageId, action, at: now() })
      const ofLine = byLine.get(line.id) ?? new Set()
      byLine.set(line.id, ofLine.add(key))
    },
    answered(line, messageId) {
      remove(line, `${line.id}/${messageId}`)
    },
    closed(line) {
      for (const key of byLine.get(line.id) ?? []) waiting.delete(key)
      byLine.delete(line.id)
    },
    gone() {
      waiting.clear()
      byLine.clear()
    },
    look() {
      const [oldest] = waiting.values()
      if (oldest === undefined) return
      const { line, messageId, action, at } = oldest
      const inTime = now() - at < answeredWithinMs
      check('answered', inTime, () => `${action} ${messageId} of ${line.chargePointId} was not answered`)
    },
  }
}
