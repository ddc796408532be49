// Whether a caller may use a route: any of the route's scopes suffices.

import { forbidden } from '../errors.js'
import type { Surface } from '../surface.js'

/** Throws `forbidden` with the scope that would do. */
export function authorize<Principal, Scope extends string>(
  { callers }: Surface<Principal, Scope>,
  principal: Principal,
  scopes: readonly Scope[],
): void {
  const [requiredScope] = scopes
  if (callers === undefined || requiredScope === undefined) return
  for (const scope of scopes) if (callers.grants(principal, scope)) return
  throw forbidden(`the ${callers.credential.name} lacks the scope ${requiredScope}`, { requiredScope })
}
