// Operator commands: one command to one charge point, and the same command to many.

import { Type } from 'typebox'
import { callErrors, ocppRejected } from '../../../actors/command-router/errors.js'
import { mayHaveConnector } from '../../../records/connector-count.js'
import { recordedParameters } from '../../pipeline/redact.js'
import { chargePointId, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { chargePoints } from '../charge-points/area.js'
import { requireConnector, stateOf } from '../charge-points/charge-points.js'
import { area } from './area.js'
import { commandSchema, commandView } from './command-views.js'
import { tooManyTargets } from './errors.js'
import { limits } from './limits.js'
import { anyCommandScopes, commandErrors, commandFields, commandOf, commandsGuide } from './operator-command.js'
import { answerOf, defaultTimeoutSeconds, requireAccepted, runBulkCommand, runCommand } from './run-command.js'

const connectorOf = ({ connector_id }: Record<string, unknown>): number =>
  typeof connector_id === 'number' ? connector_id : 0

const executeCommand = area.route({
  method: 'POST',
  path: '/{charge_point_id}',
  operationId: 'executeCommand',
  summary: 'Send a command to a charge point',
  description: commandsGuide,
  of: chargePoints,
  scopes: anyCommandScopes,
  body: Type.Object(commandFields),
  responses: { 200: commandSchema },
  errors: [...commandErrors, ...callErrors, ocppRejected],
  sheddable: 'command',
  examples: {
    unlock: { command: 'unlock_connector', parameters: { connector_id: 1 } },
    start: { command: 'start_session', parameters: { connector_id: 1, id_tag: 'TAG-1' }, timeout_seconds: 30 },
    limit: { command: 'set_power_limit', parameters: { connector_id: 0, limit_watts: 11_000 } },
    firmware: {
      command: 'update_firmware',
      parameters: {
        firmware_url: 'https://files.example.com/firmware.bin',
        retrieve_date: '2030-01-01T02:00:00Z',
      },
    },
    list: {
      command: 'send_local_list',
      parameters: {
        list_version: 1,
        local_authorization_list: [{ id_tag: 'TAG-1', id_tag_info: { status: 'Accepted' } }, { id_tag: 'TAG-2' }],
      },
    },
  },
  async handle({ row: chargePoint, principal, body }, services) {
    const { parameters = {}, timeout_seconds = defaultTimeoutSeconds } = body
    const command = commandOf(body.command, parameters, principal)
    requireConnector(services.view(), chargePoint, connectorOf(parameters), '/parameters/connector_id')
    const recorded = await runCommand(
      principal,
      {
        chargePointId: chargePoint.charge_point_id,
        command: command.name,
        parameters: recordedParameters(parameters),
        call: command.call(parameters, chargePoint, services.clock.now()),
        timeoutMs: timeout_seconds * 1_000,
      },
      services,
    )
    requireAccepted(recorded)
    return { status: 200, body: { ...commandView(recorded.record, services.view()), ...answerOf(recorded) } }
  },
})

const bulkResult = named('BulkCommandResult', {
  bulk_command_id: Type.String(),
  command: Type.String(),
  total: Type.Integer(),
  succeeded: Type.Integer({ description: 'The number of charge points that accepted the command.' }),
  failed: Type.Integer(),
  results: Type.Array(
    Type.Object({
      charge_point_id: Type.String(),
      command_id: Type.String(),
      status: Type.Enum(['Accepted', 'Rejected', 'Timeout', 'Error', 'Offline']),
      response_time_ms: nullable(Type.Integer()),
      error: Type.Optional(Type.String()),
    }),
    { description: 'One result for each charge point, in the order of the request.' },
  ),
  executed_at: timestamp(),
})

const executeBulkCommand = area.route({
  method: 'POST',
  path: '/bulk',
  operationId: 'executeBulkCommand',
  summary: 'Send the same command to many charge points',
  description: `Sends the command once to each of at most ${limits.bulkTargets} charge points.\n\n${commandsGuide}`,
  scopes: anyCommandScopes,
  body: Type.Object({
    charge_point_ids: Type.Array(chargePointId(), { minItems: 1 }),
    ...commandFields,
    continue_on_failure: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'false sends to one charge point after the other, and stops at the first that does not accept.',
      }),
    ),
  }),
  responses: { 207: bulkResult },
  errors: [...commandErrors, tooManyTargets],
  sheddable: 'command',
  examples: { reset: { charge_point_ids: ['CP-1', 'CP-2'], command: 'soft_reset' } },
  async handle({ principal, body }, services) {
    if (body.charge_point_ids.length > limits.bulkTargets)
      throw tooManyTargets(`a bulk command may name at most ${limits.bulkTargets} charge points`)
    const { parameters = {}, timeout_seconds = defaultTimeoutSeconds, continue_on_failure = true } = body
    const command = commandOf(body.command, parameters, principal)
    const view = services.view()
    const now = services.clock.now()
    const targets = [...new Set(body.charge_point_ids)].map((chargePointId) => {
      const chargePoint = chargePoints.find(view, principal, chargePointId)
      if (chargePoint === undefined) return { chargePointId }
      if (!mayHaveConnector(chargePoint, stateOf(view, chargePoint), connectorOf(parameters)))
        return { chargePointId, unknownConnector: true as const }
      return { chargePointId, call: command.call(parameters, chargePoint, now) }
    })
    const reply = await runBulkCommand(
      principal,
      {
        targets,
        command: command.name,
        parameters: recordedParameters(parameters),
        timeoutMs: timeout_seconds * 1_000,
        continueOnFailure: continue_on_failure,
      },
      services,
    )
    return { status: 207, body: reply }
  },
})

export const commandRoutes = [executeCommand, executeBulkCommand]
