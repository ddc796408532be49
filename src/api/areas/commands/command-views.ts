// Command records as callers see them, and the schemas of what they see.

import { Type } from 'typebox'
import { type CommandRecord, commandStatuses } from '../../../records/command.js'
import { anyObject, named, nullable, timestamp } from '../../pipeline/schemas.js'

export const commandSchema = named('Command', {
  command_id: Type.String(),
  charge_point_id: Type.String(),
  command: Type.String(),
  status: Type.Enum([...commandStatuses]),
  parameters: anyObject('The parameters as they were given, without secrets.'),
  charge_point_response: nullable(
    Type.Unknown({
      description: "The charge point's answer, without secrets; null if none came in time (`error` has the reason).",
    }),
  ),
  executed_at: timestamp(),
  executed_by: Type.String({ description: '`api_key:<key id>` or `installer:<installer id>`.' }),
  response_time_ms: nullable(Type.Integer()),
  error: Type.Optional(Type.String({ description: 'Why there is no answer, or the code of the CALLERROR.' })),
  bulk_command_id: nullable(Type.String()),
  late_response: nullable(Type.Unknown({ description: 'An answer that came after the deadline.' })),
})

export function commandView({ organization_id, ...shown }: CommandRecord) {
  return {
    ...shown,
    bulk_command_id: shown.bulk_command_id ?? null,
    late_response: shown.late_response ?? null,
  }
}
