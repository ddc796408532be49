// An id tag that an organization knows: a card, a fob, an app's identity. Compared without regard to case (CiString20).

import { defineTable } from '../runtime/store/table.js'

export const idTagStatuses = ['Accepted', 'Blocked', 'Expired', 'Invalid'] as const

export interface IdTag {
  readonly organization_id: string
  readonly version: number
  readonly id_tag: string
  readonly status: (typeof idTagStatuses)[number]
  readonly parent_id_tag?: string
  readonly expiry_date?: string
  readonly label?: string
  /** How a session of the tag is authorised, where the tag is no card of a driver. */
  readonly auth_method?: 'guest'
  readonly created_at: string
  readonly updated_at: string
}

/** The longest that OCPP 1.6 has (CiString20). */
export const idTagCharacters = 20

/** The spelling under which a tag is looked up. */
export function foldIdTag(idTag: string): string {
  return idTag.toUpperCase()
}

/** A tag as far as its group goes: tags of one parent may stop each other's sessions and use each other's reservations. */
export interface GroupedTag {
  readonly id_tag: string
  readonly parent_id_tag?: string | undefined
}

/** Whether the tags are the same or of one parent (OCPP 1.6, 3.5); the parent itself is of its group, whoever is alone is his own. */
export function sameGroup(one: GroupedTag, other: GroupedTag): boolean {
  if (one.id_tag === '' || other.id_tag === '') return false
  return groupOf(one) === groupOf(other) || foldIdTag(one.id_tag) === foldIdTag(other.id_tag)
}

function groupOf({ id_tag: idTag, parent_id_tag: parent }: GroupedTag): string {
  return foldIdTag(parent === undefined || parent === '' ? idTag : parent)
}

export const idTagsTable = defineTable<IdTag>({
  name: 'id_tags',
  key: (row) => [row.organization_id, foldIdTag(row.id_tag)],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byStatus: (row) => [{ group: [row.organization_id, row.status] }],
  },
})

/** A tag that was shown at a charge point and that nobody has registered, so that an operator can adopt it. */
export interface UnknownIdTag {
  readonly organization_id: string
  /** As it was spelled last. */
  readonly id_tag: string
  readonly first_seen_at: string
  /** To the minute. */
  readonly last_seen_at: string
  /** Minutes in which it was seen. */
  readonly count: number
  /** Where it was seen last. */
  readonly charge_point_id: string
  /** Of its changes, which any charge point of the organization makes; absent in rows from before there was one. */
  readonly version?: number
}

const unknownTagRetentionMs = 30 * 24 * 3_600_000

export const unknownIdTagsTable = defineTable<UnknownIdTag>({
  name: 'unknown_id_tags',
  key: (row) => [row.organization_id, foldIdTag(row.id_tag)],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id], order: [Date.parse(row.last_seen_at)] }],
    byTime: (row) => [{ group: [], order: [Date.parse(row.last_seen_at)] }],
  },
  uncounted: ['byTime'],
  retention: {
    milliseconds: unknownTagRetentionMs,
    timeOf: (row) => Date.parse(row.last_seen_at),
    index: 'byTime',
  },
})
