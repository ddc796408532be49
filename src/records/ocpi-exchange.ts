// The log of a roaming partner: the newest exchanges with it, request and answer side by side, without tokens and with bodies cut. Written by the
// fronts for what comes in and by the partner's actor for what goes out; each takes the place of the oldest.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'

/** in: the partner called the service. out: the service called the partner. */
export const ocpiDirections = ['in', 'out'] as const
export type OcpiDirection = (typeof ocpiDirections)[number]

export interface OcpiExchangeSide {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface OcpiExchange {
  readonly partner_id: string
  /** Its place in the ring: from 0, below `ocpiExchangesKept`. */
  readonly slot: number
  readonly direction: OcpiDirection
  /** The module identifier of OCPI, or `versions`. */
  readonly module: string
  readonly method: string
  /** As it was called; of what came in, the path and its query. */
  readonly url: string
  /** Wall ms. */
  readonly at: number
  readonly milliseconds: number
  readonly request: OcpiExchangeSide
  /** Absent where none came. */
  readonly answer?: OcpiExchangeSide & { readonly status: number; readonly status_code?: number }
  /** What went wrong, in a sentence; absent where nothing did. */
  readonly error?: string
  /** Exchanges of the same kind since the last one that was kept. */
  readonly left_out?: number
}

export const ocpiExchangesKept = 100

export const ocpiExchangesTable = defineTable<OcpiExchange>({
  name: 'ocpi_exchanges',
  key: (row) => [row.partner_id, row.slot],
  indexes: {
    byPartner: (row) => [{ group: [row.partner_id], order: [row.at] }],
    byTime: (row) => [{ group: [], order: [row.at] }],
  },
  uncounted: ['byTime'],
  retention: { timeOf: (row) => row.at, milliseconds: 30 * 24 * 3_600_000, index: 'byTime' },
})

/** The newest first. */
export function newestExchanges(view: ReadView, partnerId: string): readonly OcpiExchange[] {
  return view.listBy(ocpiExchangesTable, 'byPartner', [partnerId], { reverse: true, limit: ocpiExchangesKept })
}
