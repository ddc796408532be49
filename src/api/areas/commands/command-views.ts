// Command records as callers see them, and the schemas of what they see.

import { Type } from 'typebox'
import { limits as routerLimits } from '../../../actors/command-router/limits.js'
import { type BegunCommand, type CommandRecord, commandStatuses, parametersOf } from '../../../records/command.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { anyObject, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { actorName } from '../../surfaces/actor-name.js'

export const commandSchema = named('Command', {
  command_id: Type.String(),
  charge_point_id: Type.String(),
  command: Type.String(),
  status: Type.Enum([...commandStatuses]),
  parameters: anyObject(
    'The parameters as they were given, without secrets; of more than 8,192 characters, the largest are left out.',
  ),
  charge_point_response: nullable(
    Type.Unknown({
      description:
        "The charge point's answer, without secrets; null if none came in time (`error` has the reason). In the history, the largest fields of an answer of more than 16,384 characters are left out.",
    }),
  ),
  executed_at: timestamp(),
  executed_by: Type.String({ description: '`api_key:<key id>` or `installer:<installer id>`.' }),
  executed_by_name: Type.String({ description: 'The name of that key or member; `executed_by` where it has none.' }),
  response_time_ms: nullable(Type.Integer()),
  error: Type.Optional(Type.String({ description: 'Why there is no answer, or the code of the CALLERROR.' })),
  bulk_command_id: nullable(Type.String()),
  late_response: nullable(Type.Unknown({ description: 'An answer that came after the deadline.' })),
})

const { command_id, charge_point_id, command, executed_at, executed_by, executed_by_name, bulk_command_id } =
  commandSchema.properties

export const waitingCommandSchema = named('WaitingCommand', {
  command_id,
  charge_point_id,
  command,
  parameters: anyObject(
    `The parameters as they were given, without secrets; of more than ${routerLimits.waitingParametersCharacters} characters, the largest are left out.`,
  ),
  executed_at,
  executed_by,
  executed_by_name,
  bulk_command_id,
})

export function waitingCommandView<Begun extends BegunCommand>(begun: Begun, view: ReadView) {
  const { organization_id, ...shown } = begun
  return {
    ...shown,
    executed_by_name: actorName(view, organization_id, begun.executed_by),
    parameters: parametersOf(begun, view),
    bulk_command_id: begun.bulk_command_id ?? null,
  }
}

export function commandView(record: CommandRecord, view: ReadView) {
  return { ...waitingCommandView(record, view), late_response: record.late_response ?? null }
}
