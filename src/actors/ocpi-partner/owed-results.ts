// The results of commands that the partner is owed, as an earlier life of its actor has left them.

import { type OcpiCommandResult, ocpiCommandResultsTable } from '../../records/ocpi-command-result.js'
import type { Context } from '../../runtime/actor/actor.js'
import type { OwedResult } from './item.js'
import { limits } from './limits.js'
import type { PushSource } from './source.js'

/** What was owed when the state was loaded. */
export function readOwedResults(source: Pick<PushSource, 'isLive'>, context: Context): OwedResult[] {
  const rows = context.read().list(ocpiCommandResultsTable, [context.id], { limit: limits.ocpiResults })
  return rows.map((row) => ({ row, dueAt: context.monotonic() + waitOf(row, source, context), underWay: false }))
}

/** ms. A command that is being carried out may come to its end. */
function waitOf(row: OcpiCommandResult, { isLive }: Pick<PushSource, 'isLive'>, context: Context): number {
  if (row.result !== undefined || !isLive(row.run)) return 0
  const waited = Math.max(0, context.now() - row.accepted_at)
  return Math.max(0, limits.ocpiCommandMs - waited)
}
