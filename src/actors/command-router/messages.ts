// What the command router is asked, what it is told by charge points, and what it answers.

import type { OcppCall } from '../../ocpp16/index.js'
import type { BegunCommand, CommandRecord } from '../../records/command.js'
import type { Address } from '../../runtime/actor/actor.js'
import type { CallOutcome } from '../charge-point/messages.js'

export type { OcppCall }

export const commandRouterKind = 'command-router'

export function commandRouterAddress(organizationId: string): Address {
  return { kind: commandRouterKind, id: organizationId }
}

/** One command to one charge point; the ask is answered with a CommandReply. */
export interface ExecuteMessage {
  readonly type: 'execute'
  /** Made by whoever asks, so that it can record a command that it never hears of again. */
  readonly commandId: string
  readonly chargePointId: string
  /** The operator command's name, or the OCPP action of a raw one. */
  readonly command: string
  /** As they are recorded; secrets are left out by the sender. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly call: OcppCall
  readonly executedBy: string
  readonly timeoutMs: number
  /** An actor that gave the command: it is told a CommandEnded. */
  readonly notify?: Address
}

/** What an actor hears of its command's end. Nothing comes where the router's life ended first. */
export interface CommandEndedMessage {
  readonly type: 'command-ended'
  readonly commandId: string
  readonly reply: CommandReply
}

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
}

export type CommandRouterMessage =
  | ExecuteMessage
  | ExecuteBulkMessage
  | { readonly type: 'call-ended'; readonly commandId: string; readonly outcome: CallOutcome }
  | { readonly type: 'late-answer'; readonly commandId: string; readonly payload: unknown }
  | { readonly type: 'deadline'; readonly commandId: string }
  | InterruptedMessage

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
  /** The part of the service that supervised the command ended: whether it was carried out is not known. */
  interrupted: 'interrupted',
} as const

export type CommandReply =
  | { readonly type: 'recorded'; readonly record: CommandRecord; readonly outcome: CallOutcome }
  /** Nothing was sent and nothing recorded. */
  | { readonly type: 'refused'; readonly code: 'rate_limited'; readonly message: string }

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
