// Results of commands that a partner is owed (OCPI 2.2.1, 13.2): written by the API in the commit that accepts the command, or by a charge point's actor with a
// cancellation that the partner has not asked for, and from then on by the actor of the partner, which takes the row away when the result has been posted, or posted often enough.

import { defineTable } from '../runtime/store/table.js'
import type { OcpiPartyId } from './ocpi-party.js'

export interface OcpiCommandResult {
  readonly partner_id: string
  readonly result_id: string
  /** Of a request for charging profiles; a command where it is absent. */
  readonly module?: 'commands' | 'chargingprofiles'
  /** Where it is posted to. */
  readonly url: string
  /** The party that sent the command, for a partner that calls for several; absent where the partner sent it itself. */
  readonly for_party?: OcpiPartyId
  /** X-Correlation-ID of the command. */
  readonly correlation_id?: string
  /** Wall ms: when the command was accepted. */
  readonly accepted_at: number
  /** The life of the node that carries the command out: what has no result when it has ended gets none from it. */
  readonly run: number
  /** A CommandResult, or what follows a request for charging profiles; absent while the command is being carried out. */
  readonly result?: object
  /** To post it, the one under way among them. */
  readonly attempts: number
}

const keptMs = 24 * 3_600_000

export const ocpiCommandResultsTable = defineTable<OcpiCommandResult>({
  name: 'ocpi_command_results',
  key: (row) => [row.partner_id, row.result_id],
  importance: 'operation',
  indexes: { byTime: (row) => [{ group: [], order: [row.accepted_at] }] },
  uncounted: ['byTime'],
  retention: { timeOf: (row) => row.accepted_at, milliseconds: keptMs, index: 'byTime' },
})
