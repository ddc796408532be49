// Who makes a request: an API key and its organization, as authenticated. Never holds the key's secret.

import type { ApiKey, Scope } from '../actors/records/api-key.js'
import type { Organization } from '../actors/records/organization.js'

export interface Principal {
  readonly key: ApiKey
  readonly organization: Organization
}

/** How the principal is written in records: `api_key:<key id>`. */
export function principalName(principal: Principal): string {
  return `api_key:${principal.key.key_id}`
}

/** Whether these scopes grant `scope`; `write:X` includes `read:X`. */
export function grants(granted: readonly Scope[], scope: Scope): boolean {
  if (granted.includes(scope)) return true
  return scope.startsWith('read:') && granted.includes(`write:${scope.slice('read:'.length)}` as Scope)
}
