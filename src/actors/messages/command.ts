// A command to a charge point, as actors of several kinds speak of it: how one is given to the command router, and how it ended.

import type { OcppCall } from '../../ocpp16/index.js'
import type { CommandRecord } from '../../records/command.js'
import type { Address } from '../../runtime/actor/actor.js'

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

/** How a CALL to a charge point ended. */
export type CallOutcome =
  | { readonly type: 'answered'; readonly payload: unknown; readonly responseTimeMs: number }
  | {
      readonly type: 'call-error'
      readonly code: string
      readonly description: string
      readonly details: unknown
      readonly responseTimeMs: number
    }
  | { readonly type: 'timeout' }
  | { readonly type: 'offline' }
  | { readonly type: 'connection-lost' }
  | { readonly type: 'queue-full' }
  /** The service could not handle the call, because its store takes no writes or it failed: the charge point was sent nothing. */
  | { readonly type: 'not-sent'; readonly storage: boolean }
  /** It was not sent: the charge point is Pending or Rejected (OCPP 1.6, 4.2). */
  | { readonly type: 'not-accepted' }
  /** It was not sent: it would change a limit that the charge point's site has set. */
  | { readonly type: 'managed-by-site' }

export type CommandReply =
  | { readonly type: 'recorded'; readonly record: CommandRecord; readonly outcome: CallOutcome }
  /** Nothing was sent and nothing recorded. */
  | { readonly type: 'refused'; readonly code: 'rate_limited'; readonly message: string }

/** What an actor hears of its command's end. Nothing comes where the router's life ended first. */
export interface CommandEndedMessage {
  readonly type: 'command-ended'
  readonly commandId: string
  readonly reply: CommandReply
}
