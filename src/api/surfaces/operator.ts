// The surface of operators and their systems: an API key says which organization calls, and its scopes what it may do there.

import { apiKeysTable, apiKeyUsesTable, type Scope } from '../../records/api-key.js'
import { putRow } from '../pipeline/changes.js'
import { defineSurface } from '../pipeline/surface.js'
import { formatTimestamp } from '../pipeline/timestamp.js'
import { apiKey } from './api-key.js'
import { numberedPages } from './numbered-pages.js'
import { requestsPerHour } from './plan-quota.js'
import { grants, type Principal, principalKind } from './principal.js'
import { problem } from './problem.js'

export const operator = defineSurface<Principal, Scope>({
  root: '/api/v1/',
  callers: {
    credential: apiKey,
    kind: principalKind,
    idOf: ({ key }) => key.key_id,
    grants: ({ scopes }, scope) => grants(scopes, scope),
    requestsPerHour: ({ organization }, { enterpriseQuotaPerHour }) =>
      requestsPerHour(organization, enterpriseQuotaPerHour),
    audited: ({ key, organization, member }) => ({
      organizationId: organization.organization_id,
      actor: { key_id: key.key_id, key_name: key.name, ...(member !== undefined && { user_id: member.user_id }) },
    }),
    repeats: { sealing: (presented) => presented },
    noteUse({ key: { key_id, expires_at } }, minute) {
      const use = { key_id, last_used_at: formatTimestamp(minute), ...(expires_at !== undefined && { expires_at }) }
      // The note of a key that is being revoked would outlive it.
      return {
        change: putRow(apiKeyUsesTable, use),
        condition: { table: apiKeysTable.name, key: [key_id], is: 'present' },
      }
    },
  },
  shedFrom: { list: 2, command: 3, never: Number.POSITIVE_INFINITY },
  envelope: problem,
  pages: numberedPages,
})
