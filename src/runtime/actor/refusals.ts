// What a question to an actor is answered with when the actor itself cannot answer: nothing was done, or nobody knows.

import type { ErrorCode } from '../errors.js'
import type { ReplyOutcome } from './transport.js'

/** Nothing of the message was kept. */
export function refusal(code: ErrorCode, message = textOf(code)): ReplyOutcome {
  return { ok: false, code, message }
}

function textOf(code: ErrorCode): string {
  if (code === 'storage_unavailable') return 'the store cannot take writes now'
  return code === 'conflict' ? 'somebody else changed this at the same time' : 'the request failed inside the service'
}

/** The question had been taken, and then the memory of it was lost. */
export const interruption: ReplyOutcome = {
  ok: false,
  code: 'overloaded',
  message: 'the request was interrupted inside the service',
  interrupted: true,
}
