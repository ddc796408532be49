// What a hub says of the parties that it connects (OCPI 2.2.1, 15): whether each of them can be reached. Written under its version by the API,
// which takes what the hub sends. A party of which the hub has said nothing counts as connected.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable, type Key } from '../runtime/store/table.js'
import type { OcpiCredentialsRole, OcpiPartner } from './ocpi-partner.js'
import type { OcpiPartyId } from './ocpi-party.js'

export const ocpiConnectionStatuses = ['CONNECTED', 'OFFLINE', 'PLANNED', 'SUSPENDED'] as const
export type OcpiConnectionStatus = (typeof ocpiConnectionStatuses)[number]

export interface OcpiHubParty extends OcpiPartyId {
  /** The hub. */
  readonly partner_id: string
  readonly version: number
  readonly role: OcpiCredentialsRole['role']
  readonly status: OcpiConnectionStatus
  /** In the hub's words. */
  readonly last_updated: string
  /** When the hub has sent it, wall ms. */
  readonly heard_at: number
}

/** Parties have no case. */
export function ocpiHubPartyKey(partnerId: string, { country_code, party_id }: OcpiPartyId): Key {
  return [partnerId, country_code.toUpperCase(), party_id.toUpperCase()]
}

export const ocpiHubPartiesTable = defineTable<OcpiHubParty>({
  name: 'ocpi_hub_parties',
  key: (row) => ocpiHubPartyKey(row.partner_id, row),
  importance: 'operation',
  indexes: { byPartner: (row) => [{ group: [row.partner_id] }] },
})

export function isHub({ roles }: Pick<OcpiPartner, 'roles'>): boolean {
  return roles.some(({ role }) => role === 'HUB')
}

/** Whether what is for a party can be sent over a partner: a hub says of each of its parties whether that is so. */
export function isReachable(view: ReadView, partner: OcpiPartner, party: OcpiPartyId): boolean {
  if (!isHub(partner)) return true
  const known = view.get(ocpiHubPartiesTable, ocpiHubPartyKey(partner.partner_id, party))
  return known === undefined || known.status === 'CONNECTED'
}
