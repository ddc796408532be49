// What overload and the end of the process refuse: lists first, then commands; what runs a transaction never.

import { AmpshardError } from '../../runtime/errors.js'
import type { Route } from '../route.js'
import type { Services } from '../services.js'

const retryAfterSeconds = 5
const shedFrom = { list: 2, command: 3, never: Number.POSITIVE_INFINITY } as const

/** Throws `shutting_down` or `overloaded`. */
export function shed(route: Route, services: Pick<Services, 'overloadLevel' | 'draining'>): void {
  if (route.credential === 'none') return
  if (services.draining())
    throw new AmpshardError('shutting_down', 'the service is shutting down', { retryAfterSeconds })
  if (services.overloadLevel() >= shedFrom[route.sheddable])
    throw new AmpshardError('overloaded', 'the service is overloaded; try again later', { retryAfterSeconds })
}
