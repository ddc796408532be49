// Log lines of one cause of one charge point: one an hour, which says how many were left out since the one before. Charge points beyond those
// that can be told apart share one line an hour of each cause. In memory of the thread.

import type { Context } from '../../runtime/actor/actor.js'
import { createRareLines } from '../../runtime/rare-lines.js'
import { limits } from './limits.js'

const lines = createRareLines(limits.loggedCauses)
const sharedLines = createRareLines(limits.sharedCauses)

/** `cause`: one of few. */
export function logRarely(
  level: 'warn' | 'error',
  cause: string,
  fields: Readonly<Record<string, unknown>>,
  context: Context,
): void {
  const now = context.monotonic()
  const own = `${context.id} ${cause}`
  const isOwn = lines.hasRoom(own, now)
  const leftOut = isOwn ? lines.leftOut(own, now) : sharedLines.leftOut(cause, now)
  if (leftOut === undefined) return
  context.log[level](
    { ...(isOwn && { chargePoint: context.id }), ...fields, ...(leftOut > 0 && { leftOut }) },
    isOwn ? cause : `${cause}, at further charge points`,
  )
}
