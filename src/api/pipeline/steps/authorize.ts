// Whether a caller may use a route: any of the route's scopes suffices, and each of its requirements has to be met.

import { forbidden } from '../errors.js'
import type { RequestHead } from '../message.js'
import type { Route } from '../route.js'
import type { Services } from '../services.js'
import type { Surface } from '../surface.js'

/** Throws `forbidden`: its message has every scope that would do, its field the first. */
export function authorize<Principal, Scope extends string>(
  { callers }: Surface<Principal, Scope>,
  principal: Principal,
  scopes: readonly Scope[],
): void {
  const [requiredScope] = scopes
  if (callers === undefined || requiredScope === undefined) return
  for (const scope of scopes) if (callers.grants(principal, scope)) return
  const need =
    scopes.length === 1 ? `lacks the scope ${requiredScope}` : `needs one of these scopes: ${scopes.join(', ')}`
  const who = callers.calledOf?.(principal) ?? `the ${callers.credential.name}`
  throw forbidden(`${who} ${need}`, { requiredScope })
}

/** Throws what the first requirement that is not met declares. */
export function requireMet(
  { requires }: Pick<Route, 'requires'>,
  principal: unknown,
  request: RequestHead,
  { view, config, presence }: Pick<Services, 'view' | 'config' | 'presence'>,
): void {
  for (const { error, message, isMet } of requires)
    if (!isMet(principal as never, view(), config, { request, presence })) throw error(message)
}
