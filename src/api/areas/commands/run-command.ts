// From a route to the command router and back: asks, turns the end of a command into an answer or an error, and has the router record
// commands that it has lost.

import type { CallOutcome } from '../../../actors/charge-point/messages.js'
import { bulkRecord, bulkReplyOf, isOwn } from '../../../actors/command-router/bulk.js'
import {
  chargePointNotAccepted,
  chargePointOffline,
  managedBySite,
  ocppError,
  ocppRejected,
  rateLimited,
} from '../../../actors/command-router/errors.js'
import {
  type BulkReply,
  type CommandReply,
  commandRouterAddress,
  type ExecuteBulkMessage,
  type ExecuteMessage,
  type InterruptedMessage,
} from '../../../actors/command-router/messages.js'
import { outcomeOf } from '../../../actors/command-router/outcome.js'
import { type BegunCommand, type CommandRecord, commandsTable } from '../../../records/command.js'
import {
  AmpshardError,
  errorKind,
  internalError,
  overloaded,
  storageUnavailable,
  timeout,
} from '../../../runtime/errors.js'
import { Interrupted } from '../../../runtime/link/asks.js'
import type { OwnedRow } from '../../pipeline/owned.js'
import type { Services } from '../../pipeline/services.js'
import { type Principal, principalName } from '../../surfaces/principal.js'
import { limits } from './limits.js'

export const defaultTimeoutSeconds = 10

/** Who gives a command, and in whose history it is. */
export type Commander =
  | Pick<Principal, 'organization' | 'key' | 'member'>
  /** `name`: as it stands in the history, such as `ocpi_partner:ptn_01J...`. */
  | { readonly organization: OwnedRow; readonly name: string }

export const commanderName = (commander: Commander): string =>
  'name' in commander ? commander.name : principalName(commander)

export interface RecordedCommand {
  readonly record: CommandRecord
  readonly outcome: CallOutcome
}

/** All that the charge point answered, where its record has only what is kept of it. */
export function answerOf({ outcome }: RecordedCommand): { readonly charge_point_response?: unknown } {
  return outcome.type === 'answered' ? { charge_point_response: outcome.payload } : {}
}

/** Throws `rate_limited`, and what the router's shard reports. */
export async function runCommand(
  principal: Commander,
  command: Omit<ExecuteMessage, 'type' | 'commandId' | 'executedBy'>,
  services: Services,
): Promise<RecordedCommand> {
  const message: ExecuteMessage = {
    ...command,
    type: 'execute',
    commandId: services.newId('cmd'),
    executedBy: commanderName(principal),
  }
  if (services.earlier !== undefined) return earlierCommand(principal, message, services)
  const reply = (await askRouter(principal, message, command.timeoutMs, [message], services)) as CommandReply
  if (reply.type === 'recorded') return reply
  throw errorKind(reply.code)(reply.message, { chargePointId: command.chargePointId, retryAfterSeconds: 1 })
}

export async function runBulkCommand(
  principal: Commander,
  command: Omit<ExecuteBulkMessage, 'type' | 'bulkId' | 'executedBy' | 'targets'> & {
    readonly targets: readonly Omit<ExecuteBulkMessage['targets'][number], 'commandId'>[]
  },
  services: Services,
): Promise<BulkReply> {
  const message: ExecuteBulkMessage = {
    ...command,
    type: 'execute-bulk',
    bulkId: services.newId('bulk'),
    targets: command.targets.map((target) => ({ ...target, commandId: services.newId('cmd') })),
    executedBy: commanderName(principal),
  }
  if (services.earlier !== undefined) return earlierBulk(principal, message, services)
  const rounds = command.continueOnFailure ? 1 : command.targets.length
  const own = message.targets.filter(isOwn)
  return (await askRouter(principal, message, command.timeoutMs * rounds, own, services)) as BulkReply
}

interface Attempt {
  readonly chargePointId: string
  readonly commandId: string
}

/** A router that does not answer has ended: it answers a command that times out. What it did not record is recorded here. */
async function askRouter(
  principal: Commander,
  message: ExecuteMessage | ExecuteBulkMessage,
  timeoutMs: number,
  attempts: readonly Attempt[],
  services: Services,
): Promise<unknown> {
  const organizationId = principal.organization.organization_id
  const commands = begunCommands(principal, message, attempts, services)
  try {
    return await services.ask(commandRouterAddress(organizationId), message, timeoutMs + limits.recordingMs)
  } catch (error) {
    const isLost = error instanceof Interrupted || (error instanceof AmpshardError && error.code === 'timeout')
    if (!isLost) throw error
    await record(interruptedMessage(principal, message, commands), organizationId, services)
    throw interrupted(message, error)
  }
}

function interrupted(message: ExecuteMessage | ExecuteBulkMessage, cause: unknown): AmpshardError {
  return overloaded('the command was interrupted; whether it was carried out is not known', {
    cause,
    ...(message.type === 'execute' && { chargePointId: message.chargePointId, commandId: message.commandId }),
  })
}

function interruptedMessage(
  principal: Commander,
  message: ExecuteMessage | ExecuteBulkMessage,
  commands: readonly BegunCommand[],
): InterruptedMessage {
  const bulk = message.type === 'execute-bulk' ? bulkRecord(message, principal.organization.organization_id) : undefined
  return { type: 'interrupted', commands, ...(bulk !== undefined && { bulk }) }
}

function begunCommands(
  principal: Commander,
  message: ExecuteMessage | ExecuteBulkMessage,
  attempts: readonly Attempt[],
  services: Services,
): readonly BegunCommand[] {
  const begun = {
    organization_id: principal.organization.organization_id,
    command: message.command,
    executed_at: new Date(services.clock.now()).toISOString(),
    executed_by: message.executedBy,
    ...(message.type === 'execute-bulk' ? { bulk_command_id: message.bulkId } : { parameters: message.parameters }),
  }
  return attempts.map(({ chargePointId, commandId }) => ({
    ...begun,
    command_id: commandId,
    charge_point_id: chargePointId,
  }))
}

/** What became of commands that an earlier request gave; those that nothing is known of are recorded as interrupted. */
async function earlierRecords(
  principal: Commander,
  message: ExecuteMessage | ExecuteBulkMessage,
  attempts: readonly Attempt[],
  services: Services,
): Promise<readonly CommandRecord[]> {
  const commands = begunCommands(principal, message, attempts, services)
  const recording = { ...services, ...services.earlier }
  await record(interruptedMessage(principal, message, commands), principal.organization.organization_id, recording)
  const view = services.view()
  const records = commands.flatMap(({ command_id: id }) => view.get(commandsTable, [id]) ?? [])
  if (records.length < commands.length) throw interrupted(message, new Interrupted())
  return records
}

async function earlierCommand(
  principal: Commander,
  message: ExecuteMessage,
  services: Services,
): Promise<RecordedCommand> {
  const [record] = (await earlierRecords(principal, message, [message], services)) as [CommandRecord]
  const outcome = outcomeOf(record)
  if (outcome === undefined) throw interrupted(message, new Interrupted())
  return { record, outcome }
}

async function earlierBulk(principal: Commander, message: ExecuteBulkMessage, services: Services): Promise<BulkReply> {
  const records = await earlierRecords(principal, message, message.targets.filter(isOwn), services)
  return bulkReplyOf(message, records, new Date(services.clock.now()).toISOString())
}

/** The router alone writes the history, so that a command that ends after all has one end there. */
async function record(message: InterruptedMessage, organizationId: string, services: Services): Promise<void> {
  for (let attempt = 1; attempt <= limits.recordAttempts; attempt++) {
    try {
      await services.ask(commandRouterAddress(organizationId), message, limits.recordingMs)
      return
    } catch (error) {
      if (!(error instanceof Interrupted))
        return services.log.error({ commands: message.commands.length, err: error }, 'commands could not be recorded')
    }
  }
}

const notAccepted = 'the command was not sent: the charge point is Pending or Rejected, or has not booted yet'

/** Throws for a command that got no answer, or a CALLERROR; an answer, also a refusal, is the caller's to judge. */
export function requireAnswer({ record, outcome }: RecordedCommand): void {
  const extras = { chargePointId: record.charge_point_id, commandId: record.command_id }
  switch (outcome.type) {
    case 'answered':
      return
    case 'call-error':
      throw ocppError(`the charge point answered with the error ${describe(outcome)}`, extras)
    case 'timeout':
      throw timeout('the charge point did not answer in time', extras)
    case 'offline':
      throw chargePointOffline('the charge point is not connected', extras)
    case 'connection-lost':
      throw chargePointOffline('the charge point disconnected before it answered', extras)
    case 'not-sent':
      throw outcome.storage
        ? storageUnavailable('the command was not sent: the store cannot take writes now', extras)
        : internalError('the command was not sent: the service failed to handle it', extras)
    case 'not-accepted':
      throw chargePointNotAccepted(notAccepted, extras)
    case 'managed-by-site':
      throw managedBySite(
        'the command was not sent: the site of the charge point shares its power by limits of its own; change the configuration of the site, or limit the charge point as a whole (connector 0)',
        extras,
      )
    case 'queue-full':
      throw rateLimited('too many commands are waiting for this charge point; try again later', extras)
  }
}

/** Throws for everything but an answer that accepts: what `requireAnswer` throws, and `ocpp_rejected`. */
export function requireAccepted(recorded: RecordedCommand): void {
  requireAnswer(recorded)
  const { status, charge_point_response, charge_point_id, command_id } = recorded.record
  if (status === 'Accepted') return
  throw ocppRejected(refusalText(charge_point_response), {
    chargePointId: charge_point_id,
    commandId: command_id,
  })
}

function refusalText(response: unknown): string {
  const status = (response as { readonly status?: unknown } | null | undefined)?.status
  return typeof status === 'string' ? `the charge point refused: it answered ${status}` : 'the charge point refused'
}

function describe({ code, description }: { readonly code: string; readonly description: string }): string {
  return description === '' ? code : `${code}: ${description}`
}
