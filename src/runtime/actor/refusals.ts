// What a question to an actor is answered with when the actor itself cannot answer: nothing was done, or nobody knows.

import { conflict, type ErrorCode, overloaded, storageUnavailable } from '../errors.js'
import type { ReplyOutcome } from './transport.js'

/** Nothing of the message was kept. */
export function refusal(code: ErrorCode, message = textOf(code)): ReplyOutcome {
  return { ok: false, code, message }
}

function textOf(code: ErrorCode): string {
  if (code === storageUnavailable.code) return 'the store cannot take writes now'
  return code === conflict.code
    ? 'somebody else changed this at the same time'
    : 'the request failed inside the service'
}

/** The question had been taken, and then the memory of it was lost. */
export const interruption: ReplyOutcome = {
  ok: false,
  code: overloaded.code,
  message: 'the request was interrupted inside the service',
  interrupted: true,
}
