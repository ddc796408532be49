// Log lines of one cause of one charge point: one an hour, which says how many were left out since the one before. In memory of the thread.

import type { Context } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'

interface Logged {
  readonly at: number
  leftOut: number
}

const hourMs = 3_600_000
/** The one that was logged longest ago first. */
const logged = new Map<string, Logged>()

/** `cause`: one of few. */
export function logRarely(
  level: 'warn' | 'error',
  cause: string,
  fields: Readonly<Record<string, unknown>>,
  context: Context,
): void {
  const key = `${context.id} ${cause}`
  const before = logged.get(key)
  const now = context.monotonic()
  if (before !== undefined && now >= before.at && now - before.at < hourMs) {
    before.leftOut++
    return
  }
  logged.delete(key)
  if (logged.size >= limits.loggedCauses) logged.delete(logged.keys().next().value as string)
  logged.set(key, { at: now, leftOut: 0 })
  const leftOut = before?.leftOut ?? 0
  context.log[level]({ chargePoint: context.id, ...fields, ...(leftOut > 0 && { leftOut }) }, cause)
}
