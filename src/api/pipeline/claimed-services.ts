// What a request under an Idempotency-Key may use: whatever it asks of others, it is on disk before that it is at work. After a
// restart, nothing is asked for a second time.

import { type AmpshardError, overloaded } from '../../runtime/errors.js'
import { Interrupted } from '../../runtime/link/asks.js'
import type { Services } from './services.js'
import type { Claim } from './steps/idempotency.js'

const commandPrefixes = new Set(['cmd', 'bulk'])

export function claimedServices(services: Services, claim: Claim): Services {
  const newId = (prefix: string): string => (commandPrefixes.has(prefix) ? claim.newId(prefix) : services.newId(prefix))
  if (claim.resumed)
    return {
      ...services,
      newId,
      ask: () => Promise.reject(cutShort()),
      commit: () => Promise.reject(cutShort()),
      earlier: { ask: services.ask },
    }
  return {
    ...services,
    newId,
    async ask(to, message, timeoutMs) {
      await claim.begin()
      return services.ask(to, message, timeoutMs)
    },
    async commit(changes, conditions) {
      await claim.begin()
      return services.commit(changes, conditions)
    },
  }
}

function cutShort(): AmpshardError {
  return overloaded(
    'the first request under this Idempotency-Key was interrupted; whether it was carried out is not known',
    { cause: new Interrupted() },
  )
}
