// A token that a partner has had a charge started with, or a connector reserved for, at one charge point: the partner has authorized it, so that nobody
// is asked about it there (OCPI 2.2.1, 13). Written by the API with the command, before that is sent; the charge point's actor
// removes it when the charge begins.

import { defineTable } from '../runtime/store/table.js'
import { foldIdTag } from './id-tag.js'
import type { OcpiTokenIdentity } from './ocpi-token.js'

export interface OcpiCommandToken {
  readonly charge_point_id: string
  readonly organization_id: string
  /** What the charge point is sent. */
  readonly id_tag: string
  readonly partner_id: string
  readonly version: number
  readonly token: OcpiTokenIdentity
  readonly group_id?: string
  readonly authorization_reference?: string
  /** Of a reservation: until when the token is good; otherwise it is good for a while. */
  readonly reserved_until?: number
  /** Wall ms. */
  readonly at: number
}

/** A charge may begin after the command was given up, and is the partner's then too. */
const keptMs = 7 * 24 * 3_600_000

function usedUntil({ at, reserved_until }: OcpiCommandToken): number {
  return Math.max(at, reserved_until ?? at)
}

export const ocpiCommandTokensTable = defineTable<OcpiCommandToken>({
  name: 'ocpi_command_tokens',
  key: (row) => [row.charge_point_id, foldIdTag(row.id_tag)],
  importance: 'operation',
  indexes: { byTime: (row) => [{ group: [], order: [usedUntil(row)] }] },
  uncounted: ['byTime'],
  retention: { timeOf: usedUntil, milliseconds: keptMs, index: 'byTime' },
})
