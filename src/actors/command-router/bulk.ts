// A bulk command on its way: which targets are left, what came of the others, and what its end is told as.

import { type BulkCommandRecord, bulkCommandsTable, type CommandRecord } from '../../records/command.js'
import { type Effect, effect, type ReplyAddress } from '../../runtime/actor/actor.js'
import { assert } from '../../runtime/assert.js'
import { type BulkReply, type BulkTargetResult, commandErrors, type ExecuteBulkMessage } from './messages.js'
import { unanswered } from './outcome.js'

export interface Bulk {
  readonly id: string
  readonly message: ExecuteBulkMessage
  readonly executedAt: string
  readonly replyTo: ReplyAddress | undefined
  /** In the order of the targets; filled as they end. */
  readonly results: (BulkTargetResult | undefined)[]
  /** The first target that has not been attempted yet. */
  next: number
  remaining: number
  /** Its own record, until the first of its commands is recorded. */
  unrecorded: BulkCommandRecord | undefined
}

export function newBulk(
  message: ExecuteBulkMessage,
  organizationId: string,
  executedAt: string,
  replyTo: ReplyAddress | undefined,
): Bulk {
  const count = message.targets.length
  return {
    id: message.bulkId,
    message,
    executedAt,
    replyTo,
    results: new Array(count).fill(undefined),
    next: 0,
    remaining: count,
    unrecorded: bulkRecord(message, organizationId),
  }
}

/** Undefined where there is nothing to keep. */
export function bulkRecord(
  { bulkId, parameters }: ExecuteBulkMessage,
  organizationId: string,
): BulkCommandRecord | undefined {
  if (Object.keys(parameters).length === 0) return undefined
  return { bulk_command_id: bulkId, organization_id: organizationId, parameters }
}

/** The record of one of its commands, with its own before the first. */
export function recordPart(bulk: Bulk, recorded: Effect): Effect[] {
  const { unrecorded } = bulk
  bulk.unrecorded = undefined
  const effects = [recorded]
  return unrecorded === undefined ? effects : [effect.put(bulkCommandsTable, unrecorded), ...effects]
}

/** Whether it is one of the organization's charge points: nothing is recorded of any other. */
export function isOwn({ call, unknownConnector }: ExecuteBulkMessage['targets'][number]): boolean {
  return call !== undefined || unknownConnector === true
}

export function noteResult(bulk: Bulk, at: number, record: CommandRecord): void {
  assert(bulk.results[at] === undefined && at < bulk.next, 'each target of a bulk command ends once', bulk.id, at)
  bulk.results[at] = resultOf(record)
  bulk.remaining--
}

type Ended = Pick<CommandRecord, 'charge_point_id' | 'command_id' | 'status' | 'response_time_ms' | 'error'>

function resultOf(record: Ended): BulkTargetResult {
  return {
    charge_point_id: record.charge_point_id,
    command_id: record.command_id,
    status: record.error === commandErrors.offline ? 'Offline' : record.status,
    response_time_ms: record.response_time_ms,
    ...(record.error === undefined ? {} : { error: record.error }),
  }
}

export function bulkReply({ message, results, executedAt }: Bulk): BulkReply {
  return replyOf(
    message,
    results.filter((result) => result !== undefined),
    executedAt,
  )
}

/** Of a bulk command that ended, or was interrupted, in an earlier life of its router; `begunAt` where nothing of it is recorded. */
export function bulkReplyOf(
  message: ExecuteBulkMessage,
  records: readonly CommandRecord[],
  begunAt: string,
): BulkReply {
  const [first = begunAt] = records.map(({ executed_at }) => executed_at).sort()
  const byId = new Map(records.map((record) => [record.command_id, record]))
  const results: BulkTargetResult[] = []
  for (const { chargePointId, commandId } of message.targets) {
    const record = byId.get(commandId)
    const isStopped = !message.continueOnFailure && results.some(({ status }) => status !== 'Accepted')
    const error = isStopped ? commandErrors.notAttempted : commandErrors.notFound
    const unrecorded = { charge_point_id: chargePointId, command_id: commandId, ...unanswered('Error', error) }
    results.push(resultOf(record ?? unrecorded))
  }
  return replyOf(message, results, first)
}

function replyOf(message: ExecuteBulkMessage, results: readonly BulkTargetResult[], executedAt: string): BulkReply {
  const succeeded = results.filter((result) => result.status === 'Accepted').length
  return {
    bulk_command_id: message.bulkId,
    command: message.command,
    total: results.length,
    succeeded,
    failed: results.length - succeeded,
    results,
    executed_at: executedAt,
  }
}
