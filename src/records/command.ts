// The record of an operator's command: what was asked of which charge point by whom, and how it ended. Written by the command router.

import { timeOfId } from '../runtime/ids.js'
import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'

export const commandStatuses = ['Accepted', 'Rejected', 'Timeout', 'Error'] as const
export type CommandStatus = (typeof commandStatuses)[number]

export interface CommandRecord {
  /** `cmd_` and a ULID: ids sort by the time of the request. */
  readonly command_id: string
  readonly organization_id: string
  readonly charge_point_id: string
  /** An operator command, or an OCPP action for a raw one. */
  readonly command: string
  readonly status: CommandStatus
  /** Bounded; absent on a command that is part of a bulk command, whose record has them. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** The raw payload of the charge point's answer. */
  readonly charge_point_response: unknown
  readonly executed_at: string
  /** `api_key:<key id>` or `installer:<installer id>`. */
  readonly executed_by: string
  readonly response_time_ms: number | null
  /** Why there is no answer, or the charge point's CALLERROR code. */
  readonly error?: string
  readonly bulk_command_id?: string
  /** An answer that came after the deadline; it never changes the status. */
  readonly late_response?: unknown
}

/** What is known of a command before it ends. */
export type BegunCommand = Omit<
  CommandRecord,
  'status' | 'charge_point_response' | 'response_time_ms' | 'error' | 'late_response'
>

/** What the commands of a bulk command have in common. */
export interface BulkCommandRecord {
  /** `bulk_` and a ULID. */
  readonly bulk_command_id: string
  readonly organization_id: string
  readonly parameters: Readonly<Record<string, unknown>>
}

const historyRetentionMs = 2 * 365 * 24 * 3_600_000

export const commandsTable = defineTable<CommandRecord>({
  name: 'commands',
  key: (row) => [row.command_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byChargePoint: (row) => [{ group: [row.organization_id, row.charge_point_id] }],
    byCommand: (row) => [{ group: [row.organization_id, row.command] }],
    byStatus: (row) => [{ group: [row.organization_id, row.status] }],
    byExecutor: (row) => [{ group: [row.organization_id, row.executed_by] }],
  },
  retention: { timeOf: (row) => timeOfId(row.command_id), milliseconds: historyRetentionMs },
})

/** As long as the commands themselves. */
export const bulkCommandsTable = defineTable<BulkCommandRecord>({
  name: 'bulk_commands',
  key: (row) => [row.bulk_command_id],
  retention: { timeOf: (row) => timeOfId(row.bulk_command_id), milliseconds: historyRetentionMs },
})

/** With the record of the bulk command that it was part of, if any. */
export function parametersOf(
  { parameters, bulk_command_id }: Pick<CommandRecord, 'parameters' | 'bulk_command_id'>,
  view: ReadView,
): Readonly<Record<string, unknown>> {
  if (parameters !== undefined) return parameters
  return (bulk_command_id && view.get(bulkCommandsTable, [bulk_command_id])?.parameters) || {}
}

/** Where the ids of a thread that makes commands begin, so that the history is in order over a clock that was set back. */
export function newestCommandId(view: ReadView): string | undefined {
  return view.list(commandsTable, [], { reverse: true, limit: 1 })[0]?.command_id
}
