// Who makes a request: an API key, or a member who has signed in to the console, with their organization, as authenticated, and what they may
// do. Never holds a secret.

import { type ApiKey, type Scope, scopes } from '../../records/api-key.js'
import type { ConsoleSession } from '../../records/console-session.js'
import { type Member, type Role, roleScopes } from '../../records/member.js'
import type { Organization } from '../../records/organization.js'

export interface Principal {
  /** Undefined for a member who has signed in without one. */
  readonly key: ApiKey | undefined
  readonly organization: Organization
  /** Who has signed in, or whom the key is bound to, as they are now. */
  readonly member: Member | undefined
  /** What the caller may do now: those of the key, cut to its member's role, or those of the member's role. */
  readonly scopes: readonly Scope[]
  /** Where the request comes from the console: a session that acts as its key, or as its member. */
  readonly session?: ConsoleSession
  /** Whether somebody has signed in to it within the last minutes. */
  readonly isRecent?: boolean
}

/** How the principal is written in records: `api_key:<key id>`, or `user:<user id>` without a key. */
export function principalName({ key, member }: Pick<Principal, 'key' | 'member'>): string {
  return key === undefined ? `user:${member?.user_id}` : `api_key:${key.key_id}`
}

/** The id alone, of the key or of the member without one. */
export function principalId({ key, member }: Pick<Principal, 'key' | 'member'>): string {
  return key?.key_id ?? member?.user_id ?? ''
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
