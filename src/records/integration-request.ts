// A request of an organization to be connected with a partner or a platform, and what the operator of the installation makes of it.

import { defineTable } from '../runtime/store/table.js'

export const integrationTypes = ['emsp', 'roaming_hub', 'payment', 'other'] as const

/** submitted until the operator of the installation has looked at it. */
export const integrationStatuses = ['submitted', 'in_review', 'connected', 'declined'] as const
export type IntegrationStatus = (typeof integrationStatuses)[number]

export interface IntegrationRequest {
  readonly request_id: string
  readonly organization_id: string
  readonly version: number
  readonly type: (typeof integrationTypes)[number]
  readonly partner_name: string
  readonly description?: string
  readonly status: IntegrationStatus
  /** What the operator says about it. */
  readonly note?: string
  readonly created_at: string
  readonly updated_at: string
}

/** One organization or everyone, one status or any: each pair is a list. */
export function integrationRequestList(
  organizationId: string | undefined,
  status: IntegrationStatus | undefined,
): { readonly index: string; readonly group: readonly [string, string] } {
  return { index: 'lists', group: [organizationId ?? 'all', status ?? 'any'] }
}

export const integrationRequestsTable = defineTable<IntegrationRequest>({
  name: 'integration_requests',
  key: (row) => [row.request_id],
  indexes: {
    lists: ({ organization_id, status }) =>
      [organization_id, undefined].flatMap((organization) =>
        [status, undefined].map((one) => ({ group: integrationRequestList(organization, one).group })),
      ),
  },
})
