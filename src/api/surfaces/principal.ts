// Who makes a request: an API key, its organization and its member, as authenticated, and what that may do. Never holds
// the key's secret.

import { type ApiKey, type Scope, scopes } from '../../records/api-key.js'
import { type Member, type Role, roleScopes } from '../../records/member.js'
import type { Organization } from '../../records/organization.js'

export interface Principal {
  readonly key: ApiKey
  readonly organization: Organization
  /** Whom the key is bound to, as they are now. */
  readonly member: Member | undefined
  /** What the key may do now: its own scopes, cut to its member's role. */
  readonly scopes: readonly Scope[]
}

export const principalKind = 'api_key'

/** How the principal is written in records: `api_key:<key id>`. */
export function principalName(principal: Pick<Principal, 'key'>): string {
  return `${principalKind}:${principal.key.key_id}`
}

/** Whether these scopes grant `scope`; `write:X` includes `read:X`. */
export function grants(granted: readonly Scope[], scope: Scope): boolean {
  if (granted.includes(scope)) return true
  return scope.startsWith('read:') && granted.includes(`write:${scope.slice('read:'.length)}` as Scope)
}

/** What a role leaves of scopes: of a `write:X` that it withholds, the `read:X` that was part of it. */
export function cutToRole(granted: readonly Scope[], role: Role): readonly Scope[] {
  const within = roleScopes[role]
  if (granted.every((scope) => within.includes(scope))) return granted
  return scopes.filter((scope) => {
    if (!within.includes(scope)) return false
    if (granted.includes(scope)) return true
    const write = scope.replace('read:', 'write:') as Scope
    return write !== scope && granted.includes(write) && !within.includes(write)
  })
}
