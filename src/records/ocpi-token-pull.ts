// How far the service has got in pulling the tokens of a roaming partner. Written by the partner's actor alone.

import { defineTable } from '../runtime/store/table.js'

export interface OcpiTokenPull {
  readonly partner_id: string
  /** Wall ms. When the last pull that came to its end had begun: the partner's tokens are known as of then. */
  readonly completed_from?: number
  /** The same of the last one that asked for all tokens. */
  readonly all_from?: number
  /** Tokens of the partner, in its own words; absent where it has said none. */
  readonly partner_total?: number
  /** Tokens of the last pull that were not taken. */
  readonly refused?: number
  /** Pulls in a row that did not come to their end. */
  readonly failures?: number
  /** Why that was, in a sentence. */
  readonly error?: string
  /** Steady ms. */
  readonly next_at: number
}

export const ocpiTokenPullsTable = defineTable<OcpiTokenPull>({
  name: 'ocpi_token_pulls',
  key: (row) => [row.partner_id],
  importance: 'operation',
})
