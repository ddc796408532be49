// An id tag that an organization knows: a card, a fob, an app's identity. Compared without regard to case (CiString20).

import { defineTable } from '../../runtime/table.js'

export const idTagStatuses = ['Accepted', 'Blocked', 'Expired', 'Invalid'] as const

export interface IdTag {
  readonly organization_id: string
  readonly version: number
  readonly id_tag: string
  readonly status: (typeof idTagStatuses)[number]
  readonly parent_id_tag?: string
  readonly expiry_date?: string
  readonly label?: string
  readonly created_at: string
  readonly updated_at: string
}

/** The spelling under which a tag is looked up. */
export function foldIdTag(idTag: string): string {
  return idTag.toUpperCase()
}

export const idTagsTable = defineTable<IdTag>({
  name: 'id_tags',
  key: (row) => [row.organization_id, foldIdTag(row.id_tag)],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byStatus: (row) => [{ group: [row.organization_id, row.status] }],
  },
})
