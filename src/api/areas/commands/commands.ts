// Operator commands: one command to one charge point, and the same command to many.

import { Type } from 'typebox'
import { operatorCommands } from '../../../actors/command-router/commands/index.js'
import type { OperatorCommand } from '../../../actors/command-router/define-command.js'
import { callErrors, ocppRejected } from '../../../actors/command-router/errors.js'
import { mayHaveConnector } from '../../../records/connector-count.js'
import { type ErrorDetail, fail, notFound, validationError } from '../../../runtime/errors.js'
import { redactParameters } from '../../pipeline/redact.js'
import { defineRoute } from '../../pipeline/route.js'
import { anyObject, chargePointId, chargePointParams, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { authorize } from '../../pipeline/steps/authorize.js'
import { bodyCheck, type Check } from '../../pipeline/validator.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import { chargePoints } from '../charge-points/area.js'
import { ownChargePoint, requireConnector, stateOf } from '../charge-points/charge-points.js'
import { commandSchema, commandView } from './command-views.js'
import { invalidCommand, missingParameters, tooManyTargets } from './errors.js'
import { limits } from './limits.js'
import { defaultTimeoutSeconds, requireAccepted, runBulkCommand, runCommand } from './run-command.js'

const checks = new Map<string, Check>(
  [...operatorCommands].map(([name, command]) => [name, bodyCheck(command.parameters)]),
)

const commandFields = {
  command: Type.String({ description: `one of ${[...operatorCommands.keys()].join(', ')}` }),
  parameters: Type.Optional(anyObject('what the command needs')),
  timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, default: defaultTimeoutSeconds })),
}

const commandNames = [...operatorCommands.keys()].join(', ')
const commandTable = [...operatorCommands.values()]
  .map(({ name, summary, parameters }) => {
    const required = new Set(parameters.required ?? [])
    const names = Object.keys(parameters.properties).map((key) => `\`${key}\`${required.has(key) ? '' : ' (optional)'}`)
    return `| \`${name}\` | ${names.join(', ') || 'none'} | ${summary} |`
  })
  .join('\n')
/** Of every command, and of those that start and stop sessions. */
const commandScopes = ['write:charge_points', 'write:commands'] as const
const anyCommandScopes = [...commandScopes, 'write:sessions'] as const

const description = `A key with the scope \`write:sessions\` alone may send \`start_session\` and \`stop_session\`.\n\n| command | parameters | what it does |\n|---|---|---|\n${commandTable}`

/** Throws `invalid_command`, `missing_parameters` or `validation_error`. */
function checkedCommand(name: string, parameters: Record<string, unknown>): OperatorCommand {
  const command =
    operatorCommands.get(name) ??
    fail(invalidCommand, `there is no command ${name.slice(0, 64)}; the commands are ${commandNames}`)
  const faults = checks.get(name)?.(parameters)
  if (faults === undefined) return command
  const details = faults.map(({ path, message }) => ({ path: `/parameters${path}`, message }))
  const missing = details.filter(isMissing)
  if (missing.length > 0)
    throw missingParameters(`${name} needs ${missing.map(({ path }) => path.split('/').pop()).join(', ')}`, { details })
  throw validationError(`${details[0]?.path} ${details[0]?.message}`, { details })
}

/** Throws `forbidden` for a key that may only start and stop sessions. */
function requireScopeFor({ scope }: OperatorCommand, principal: Principal): void {
  authorize(operator, principal, scope === undefined ? commandScopes : [...commandScopes, scope])
}

const connectorOf = ({ connector_id }: Record<string, unknown>): number =>
  typeof connector_id === 'number' ? connector_id : 0

/** Directly in the parameters; a field that is missing deeper down is a malformed value. */
function isMissing({ path, message }: ErrorDetail): boolean {
  return message === 'is required' && path.split('/').length === 3
}

const executeCommand = defineRoute({
  method: 'POST',
  path: '/api/v1/cpo/commands/{charge_point_id}',
  operationId: 'executeCommand',
  summary: 'Send a command to a charge point',
  description,
  tags: ['Operator commands'],
  surface: operator,
  scopes: anyCommandScopes,
  params: chargePointParams,
  body: Type.Object(commandFields),
  responses: { 200: commandSchema },
  errors: [invalidCommand, missingParameters, notFound, ...callErrors, ocppRejected],
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
  async handle({ principal, params, body }, services) {
    const chargePoint = ownChargePoint(services.view(), principal, params.charge_point_id)
    const { parameters = {}, timeout_seconds = defaultTimeoutSeconds } = body
    const command = checkedCommand(body.command, parameters)
    requireScopeFor(command, principal)
    requireConnector(services.view(), chargePoint, connectorOf(parameters), '/parameters/connector_id')
    const recorded = await runCommand(
      principal,
      {
        chargePointId: chargePoint.charge_point_id,
        command: command.name,
        parameters: redactParameters(parameters),
        call: command.call(parameters, chargePoint, services.clock.now()),
        timeoutMs: timeout_seconds * 1_000,
      },
      services,
    )
    requireAccepted(recorded)
    return { status: 200, body: commandView(recorded.record) }
  },
})

const bulkResult = named('BulkCommandResult', {
  bulk_command_id: Type.String(),
  command: Type.String(),
  total: Type.Integer(),
  succeeded: Type.Integer({ description: 'count of Accepted' }),
  failed: Type.Integer(),
  results: Type.Array(
    Type.Object({
      charge_point_id: Type.String(),
      command_id: Type.String(),
      status: Type.Enum(['Accepted', 'Rejected', 'Timeout', 'Error', 'Offline']),
      response_time_ms: nullable(Type.Integer()),
      error: Type.Optional(Type.String()),
    }),
    { description: 'in the order of the ids, each once' },
  ),
  executed_at: timestamp(),
})

const executeBulkCommand = defineRoute({
  method: 'POST',
  path: '/api/v1/cpo/commands/bulk',
  operationId: 'executeBulkCommand',
  summary: 'Send the same command to many charge points',
  description: `At most ${limits.bulkTargets} charge points; each is sent the command once.\n\n${description}`,
  tags: ['Operator commands'],
  surface: operator,
  scopes: anyCommandScopes,
  body: Type.Object({
    charge_point_ids: Type.Array(chargePointId(), { minItems: 1 }),
    ...commandFields,
    continue_on_failure: Type.Optional(
      Type.Boolean({ default: true, description: 'false: one after the other, until the first that is not Accepted' }),
    ),
  }),
  responses: { 207: bulkResult },
  errors: [invalidCommand, missingParameters, tooManyTargets],
  sheddable: 'command',
  examples: { reset: { charge_point_ids: ['CP-1', 'CP-2'], command: 'soft_reset' } },
  async handle({ principal, body }, services) {
    if (body.charge_point_ids.length > limits.bulkTargets)
      throw tooManyTargets(`a bulk command has at most ${limits.bulkTargets} charge points`)
    const { parameters = {}, timeout_seconds = defaultTimeoutSeconds, continue_on_failure = true } = body
    const command = checkedCommand(body.command, parameters)
    requireScopeFor(command, principal)
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
        parameters: redactParameters(parameters),
        timeoutMs: timeout_seconds * 1_000,
        continueOnFailure: continue_on_failure,
      },
      services,
    )
    return { status: 207, body: reply }
  },
})

export const commandRoutes = [executeCommand, executeBulkCommand]
