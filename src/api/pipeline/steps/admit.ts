// Who calls a route, and whether they may: the credential, the quota, the scopes, and what the route requires beside, in this order.

import { AmpshardError } from '../../../runtime/errors.js'
import { rateLimitExceeded } from '../errors.js'
import type { RequestHead } from '../message.js'
import type { Route } from '../route.js'
import type { Services } from '../services.js'
import type { Callers, Surface } from '../surface.js'
import { takeOfEach } from '../throttles.js'
import { authorize, requireMet } from './authorize.js'
import { createNoteUse } from './note-use.js'
import { createQuota } from './quota.js'

/** A caller that was let in. */
export interface Caller {
  readonly principal: unknown
  /** As presented; never stored, never logged. */
  readonly presented: string
  readonly callers: Callers<unknown, string>
  readonly request: RequestHead
}

export interface Admission {
  /** Undefined where nobody is asked. Sets the headers of the quota; throws `unauthorized`, `rate_limit_exceeded` or `forbidden`. */
  admit(request: RequestHead, route: Route, headers: Record<string, string>): Caller | undefined
  /** Who the caller is by what is stored now; throws `unauthorized` or `forbidden` where they would not be let in any more. */
  verifyAgain(caller: Caller, route: Route): unknown
}

const tooFast = (extras: { readonly retryAfterSeconds: number }) =>
  rateLimitExceeded('this session sends too many requests', extras)

/** The callers of one surface. */
export function createAdmission(
  surface: Surface,
  services: Pick<Services, 'view' | 'commit' | 'clock' | 'config' | 'presence' | 'throttles'>,
): Admission {
  const { callers } = surface
  const { view, clock, config } = services

  function verify(callers: Callers<unknown, string>, presented: string, request: RequestHead): unknown {
    const principal = callers.credential.verify(presented, view(), clock.now())
    return callers.sentBy === undefined ? principal : callers.sentBy(principal, request)
  }

  function verifyAgain({ callers, presented, request }: Caller, route: Route): unknown {
    const principal = verify(callers, presented, request)
    authorize(surface, principal, route.scopes)
    requireMet(route, principal, request, services)
    return principal
  }

  if (callers === undefined)
    return {
      admit(request, route) {
        requireMet(route, undefined, request, services)
        return undefined
      },
      verifyAgain,
    }
  const quota = callers.requestsPerHour === undefined ? undefined : createQuota(clock.now)
  const noteUse = createNoteUse(callers, services)
  return {
    admit(request, route, headers) {
      const presented = callers.credential.find(request)
      const principal = verify(callers, presented, request)
      const caller = { principal, presented, callers, request }
      const own = callers.rateOf?.(principal)
      const id = own?.of ?? callerName(caller)
      request.identified?.({ id, party: callers.audited?.(principal).organizationId ?? id })
      if (own !== undefined) takeOfEach(services.throttles, [[own.throttle, own.of]], tooFast)
      else {
        const group = callers.quotaGroup?.(principal)
        const counted = { caller: callers.idOf(principal), ...(group !== undefined && { group }) }
        quota?.take(counted, callers.requestsPerHour?.(principal, config), headers)
      }
      authorize(surface, principal, route.scopes)
      requireMet(route, principal, request, services)
      noteUse(principal)
      return caller
    },
    verifyAgain,
  }
}

export function isAllowed(admission: Admission, caller: Caller | undefined, route: Route): boolean {
  if (caller === undefined) return true
  try {
    admission.verifyAgain(caller, route)
    return true
  } catch (error) {
    if (error instanceof AmpshardError) return false
    throw error
  }
}

/** How a caller is written in records: `api_key:key_01J...`. */
export function callerName({ callers, principal }: Caller): string {
  return callers.nameOf(principal)
}
