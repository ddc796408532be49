// What routes ask actors directly. An actor that is late, or is lost with its shard, has too much to do: the caller hears that, and
// never `timeout`, which says that a charge point has not answered.

import type { Address } from '../../runtime/actor/actor.js'
import { AmpshardError, overloaded } from '../../runtime/errors.js'
import { Interrupted } from '../../runtime/link/asks.js'
import type { Services } from './services.js'

const answersWithinMs = 10_000

/** `then` says what becomes of a request that is interrupted. Throws `overloaded` where no answer came. */
export async function askActor(
  services: Pick<Services, 'ask'>,
  to: Address,
  message: unknown,
  { withinMs = answersWithinMs, then = 'whether it was carried out is not known' } = {},
): Promise<unknown> {
  try {
    return await services.ask(to, message, withinMs)
  } catch (error) {
    const isLate = error instanceof AmpshardError && error.code === 'timeout'
    if (!isLate && !(error instanceof Interrupted)) throw error
    throw overloaded(`the request was interrupted; ${then}`, { cause: error })
  }
}
