// Whether the key may use the route: any of the route's scopes suffices.

import { forbidden } from '../errors.js'
import { grants, type Principal } from '../principal.js'
import type { Route } from '../route.js'

/** Throws `forbidden` with the scope that would do. */
export function authorize(principal: Principal, route: Pick<Route, 'scopes'>): void {
  for (const scope of route.scopes) if (grants(principal.scopes, scope)) return
  const requiredScope = route.scopes[0] as string
  throw forbidden(`the API key lacks the scope ${requiredScope}`, { requiredScope })
}
