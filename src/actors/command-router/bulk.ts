// A bulk command on its way: which targets are left, what came of the others, and what its end is told as.

import type { CommandRecord } from '../../records/command.js'
import type { ReplyAddress } from '../../runtime/actor/actor.js'
import { assert } from '../../runtime/assert.js'
import { type BulkReply, type BulkTargetResult, commandErrors, type ExecuteBulkMessage } from './messages.js'

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
}

export function newBulk(message: ExecuteBulkMessage, executedAt: string, replyTo: ReplyAddress | undefined): Bulk {
  const count = message.targets.length
  return {
    id: message.bulkId,
    message,
    executedAt,
    replyTo,
    results: new Array(count).fill(undefined),
    next: 0,
    remaining: count,
  }
}

export function noteResult(bulk: Bulk, at: number, record: CommandRecord): void {
  assert(bulk.results[at] === undefined && at < bulk.next, 'each target of a bulk command ends once', bulk.id, at)
  bulk.results[at] = resultOf(record)
  bulk.remaining--
}

function resultOf(record: CommandRecord): BulkTargetResult {
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

/** Of a bulk command that ended, or was interrupted, in an earlier life of its router; `records` in the order of its targets. */
export function bulkReplyOf(message: ExecuteBulkMessage, records: readonly CommandRecord[]): BulkReply {
  const [first = ''] = records.map(({ executed_at }) => executed_at).sort()
  return replyOf(message, records.map(resultOf), first)
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
