// Whether a caller may use a route: any of the route's scopes suffices.

import { forbidden } from '../errors.js'
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
  throw forbidden(`the ${callers.credential.name} ${need}`, { requiredScope })
}
