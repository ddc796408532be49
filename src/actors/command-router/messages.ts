// What the command router is asked, what it is told by charge points, and what it answers.

import type { OcppCall } from '../../ocpp16/index.js'
import type { BegunCommand, BulkCommandRecord } from '../../records/command.js'
import type { CallOutcome, ExecuteMessage } from '../messages/command.js'

export * from '../messages/command.js'

/** The same command to many charge points; the ask is answered with a BulkReply. */
export interface ExecuteBulkMessage {
  readonly type: 'execute-bulk'
  readonly bulkId: string
  /** Each once, in the order of the results. */
  readonly targets: readonly {
    readonly chargePointId: string
    readonly commandId: string
    /** Absent when the id is not one of the organization's, or the charge point has no such connector. */
    readonly call?: OcppCall
    readonly unknownConnector?: true
  }[]
  readonly command: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly executedBy: string
  readonly timeoutMs: number
  readonly continueOnFailure: boolean
}

/** Whoever asked for these commands has not heard of them. Those that nothing is known of are recorded; answered when they are. */
export interface InterruptedMessage {
  readonly type: 'interrupted'
  readonly commands: readonly BegunCommand[]
  /** Of the bulk command that they are part of. */
  readonly bulk?: BulkCommandRecord
}

/** Which commands have not ended yet; answered with WaitingCommands. */
export interface ListWaitingMessage {
  readonly type: 'list-waiting'
  /** Those to this charge point alone. */
  readonly chargePointId?: string
  /** So many of them at most, the newest. */
  readonly limit: number
}

export interface WaitingCommands {
  /** The newest first. */
  readonly commands: readonly BegunCommand[]
  /** Also of those that are not among them. */
  readonly count: number
}

export type CommandRouterMessage =
  | ExecuteMessage
  | ExecuteBulkMessage
  | { readonly type: 'call-ended'; readonly commandId: string; readonly outcome: CallOutcome }
  | { readonly type: 'late-answer'; readonly commandId: string; readonly payload: unknown }
  | { readonly type: 'deadline'; readonly commandId: string }
  /** The room for records may have grown back. */
  | { readonly type: 'record-room' }
  | InterruptedMessage
  | ListWaitingMessage

/** Why a record has no answer; `CommandRecord.error` holds one of these, or the charge point's CALLERROR code. */
export const commandErrors = {
  offline: 'charge_point_offline',
  connectionLost: 'connection_lost',
  /** The service could not send it: it is safe to repeat. */
  notSent: 'not_sent',
  timeout: 'timeout',
  notAttempted: 'not_attempted',
  notFound: 'not_found',
  unknownConnector: 'unknown_connector',
  rateLimited: 'rate_limited',
  notAccepted: 'charge_point_not_accepted',
  managedBySite: 'managed_by_site',
  /** The part of the service that supervised the command ended: whether it was carried out is not known. */
  interrupted: 'interrupted',
} as const

export interface BulkTargetResult {
  readonly charge_point_id: string
  readonly command_id: string
  readonly status: 'Accepted' | 'Rejected' | 'Timeout' | 'Error' | 'Offline'
  readonly response_time_ms: number | null
  readonly error?: string
}

export interface BulkReply {
  readonly bulk_command_id: string
  readonly command: string
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  readonly results: readonly BulkTargetResult[]
  readonly executed_at: string
}
