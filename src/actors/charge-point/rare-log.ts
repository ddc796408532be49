// Log lines of one cause of one charge point: one an hour, which says how many were left out since the one before. In memory of the thread.

import type { Context } from '../../runtime/actor/actor.js'
import { createRareLines } from '../../runtime/rare-lines.js'
import { limits } from './limits.js'

const lines = createRareLines(limits.loggedCauses)

/** `cause`: one of few. */
export function logRarely(
  level: 'warn' | 'error',
  cause: string,
  fields: Readonly<Record<string, unknown>>,
  context: Context,
): void {
  const leftOut = lines.leftOut(`${context.id} ${cause}`, context.monotonic())
  if (leftOut === undefined) return
  context.log[level]({ chargePoint: context.id, ...fields, ...(leftOut > 0 && { leftOut }) }, cause)
}
