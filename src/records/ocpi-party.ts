// As whom an organization appears to its roaming partners (OCPI 2.2.1, 7.3.1 and 7.3.2): its party id and what partners show of it. Written by
// the API under its version.

import { defineTable } from '../runtime/store/table.js'

/** Where a picture of it is (OCPI 2.2.1, 8.4.15). */
export interface OcpiImage {
  readonly url: string
  readonly thumbnail?: string
  readonly category: string
  readonly type: string
  readonly width?: number
  readonly height?: number
}

/** OCPI 2.2.1, 8.4.2. */
export interface OcpiBusinessDetails {
  readonly name: string
  readonly website?: string
  readonly logo?: OcpiImage
}

/** Upper case, as in ISO 3166-1 alpha-2 and ISO 15118. */
export interface OcpiPartyId {
  readonly country_code: string
  readonly party_id: string
}

/** As a party is compared and listed by, without case: `NL*TNM`. */
export function keyOfParty({ country_code, party_id }: OcpiPartyId): string {
  return `${country_code.toUpperCase()}*${party_id.toUpperCase()}`
}

export interface OcpiParty extends OcpiPartyId {
  readonly organization_id: string
  readonly version: number
  readonly business_details: OcpiBusinessDetails
  /** Whether partners see a site or a charge point of which nobody has said whether they do; absent for yes. */
  readonly publish_by_default?: boolean
  readonly created_at: string
  readonly updated_at: string
}

export const ocpiPartiesTable = defineTable<OcpiParty>({
  name: 'ocpi_parties',
  key: (row) => [row.organization_id],
  indexes: {
    /** At most one: two organizations of an installation are never the same party. */
    byParty: (row) => [{ group: [row.country_code, row.party_id] }],
  },
})
