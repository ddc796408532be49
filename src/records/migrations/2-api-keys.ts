// Version 1 listed the scopes of every key. A key that had all that there were is an owner's, and has `all` from now on.

import { defineMigrationStep } from '../../runtime/store/storage/migrate.js'
import { type ApiKey, apiKeysTable, type Scope } from '../api-key.js'

const everyScope: readonly Scope[] = [
  'read:charge_points',
  'write:charge_points',
  'read:sessions',
  'write:sessions',
  'read:billing',
  'write:billing',
  'read:webhooks',
  'write:webhooks',
  'read:analytics',
  'read:organisations',
  'write:organisations',
  'write:api_keys',
  'read:ocpi',
  'write:ocpi',
  'write:commands',
]

export const ownerKeysHaveAllScopes = defineMigrationStep<ApiKey>(apiKeysTable, (stored) => {
  const key = stored as ApiKey & { readonly scopes: readonly Scope[] }
  return everyScope.every((scope) => key.scopes.includes(scope)) ? { ...key, scopes: 'all' } : key
})
