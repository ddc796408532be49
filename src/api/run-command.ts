// From a route to the command router and back: asks, and turns how a command ended into what its caller is told.

import type { CallOutcome } from '../actors/charge-point/messages.js'
import {
  type BulkReply,
  type CommandReply,
  commandRouterAddress,
  type ExecuteBulkMessage,
  type ExecuteMessage,
} from '../actors/command-router/messages.js'
import type { CommandRecord } from '../actors/records/command.js'
import { AmpshardError } from '../runtime/errors.js'
import { type Principal, principalName } from './principal.js'
import type { Services } from './services.js'

/** How long past a command's own deadline its record is waited for. */
const recordingMs = 5_000

export const defaultTimeoutSeconds = 10

export interface RecordedCommand {
  readonly record: CommandRecord
  readonly outcome: CallOutcome
}

async function askRouter(
  principal: Principal,
  message: ExecuteMessage | ExecuteBulkMessage,
  timeoutMs: number,
  services: Services,
): Promise<unknown> {
  try {
    const router = commandRouterAddress(principal.organization.organization_id)
    return await services.ask(router, message, timeoutMs + recordingMs)
  } catch (error) {
    // The router answers a command that times out; one that it does not answer was interrupted.
    if (error instanceof AmpshardError && error.code === 'timeout')
      throw new AmpshardError('overloaded', 'the command was interrupted; whether it was carried out is not known', {
        cause: error,
      })
    throw error
  }
}

/** Throws `rate_limited`, and what the router's shard reports. */
export async function runCommand(
  principal: Principal,
  command: Omit<ExecuteMessage, 'type' | 'executedBy'>,
  services: Services,
): Promise<RecordedCommand> {
  const message: ExecuteMessage = { ...command, type: 'execute', executedBy: principalName(principal) }
  const reply = (await askRouter(principal, message, command.timeoutMs, services)) as CommandReply
  if (reply.type === 'recorded') return reply
  throw new AmpshardError(reply.code, reply.message, { chargePointId: command.chargePointId, retryAfterSeconds: 1 })
}

export async function runBulkCommand(
  principal: Principal,
  command: Omit<ExecuteBulkMessage, 'type' | 'executedBy'>,
  services: Services,
): Promise<BulkReply> {
  const message: ExecuteBulkMessage = { ...command, type: 'execute-bulk', executedBy: principalName(principal) }
  const rounds = command.continueOnFailure ? 1 : command.targets.length
  return (await askRouter(principal, message, command.timeoutMs * rounds, services)) as BulkReply
}

/** Throws for a command that got no answer, or a CALLERROR; an answer, also a refusal, is the caller's to judge. */
export function requireAnswer({ record, outcome }: RecordedCommand): void {
  const extras = { chargePointId: record.charge_point_id, commandId: record.command_id }
  switch (outcome.type) {
    case 'answered':
      return
    case 'call-error':
      throw new AmpshardError('ocpp_error', `the charge point answered with the error ${describe(outcome)}`, extras)
    case 'timeout':
      throw new AmpshardError('timeout', 'the charge point did not answer in time', extras)
    case 'offline':
      throw new AmpshardError('charge_point_offline', 'the charge point is not connected', extras)
    case 'connection-lost':
      throw new AmpshardError('charge_point_offline', 'the charge point disconnected before it answered', extras)
    case 'queue-full':
      throw new AmpshardError('rate_limited', 'too many commands wait for this charge point', extras)
  }
}

function describe({ code, description }: { readonly code: string; readonly description: string }): string {
  return description === '' ? code : `${code}: ${description}`
}
