// What overload and the end of the process refuse: lists first, then commands; what runs a transaction never.
// A command that could not be recorded is not sent: its caller could not know that it was carried out.

import { overloaded, storageUnavailable } from '../../../runtime/errors.js'
import { shuttingDown } from '../errors.js'
import type { Route } from '../route.js'
import type { Services } from '../services.js'

const retryAfterSeconds = 5
/** As for a write that the disk has refused: it is tried again every second. */
const storageRetryAfterSeconds = 1

/** Throws `shutting_down`, `overloaded` or `storage_unavailable`. */
export function shed(route: Route, services: Pick<Services, 'overloadLevel' | 'draining' | 'recordsCommands'>): void {
  const { shedFrom } = route.surface
  if (shedFrom === undefined) return
  if (services.draining()) throw shuttingDown('the service is shutting down', { retryAfterSeconds })
  if (services.overloadLevel() >= shedFrom[route.sheddable])
    throw overloaded('the service is overloaded; try again later', { retryAfterSeconds })
  if (route.sheddable === 'command' && !services.recordsCommands())
    throw storageUnavailable('the store cannot take writes now; try again later', {
      retryAfterSeconds: storageRetryAfterSeconds,
    })
}
