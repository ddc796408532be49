// The operator command that a body names: whether there is one, whether its parameters fit, and who may send it.

import { Type } from 'typebox'
import { operatorCommands } from '../../../actors/command-router/commands/index.js'
import type { OperatorCommand } from '../../../actors/command-router/define-command.js'
import { type ErrorDetail, fail } from '../../../runtime/errors.js'
import { type KnownFields, knownFieldsOf, pointerOf } from '../../pipeline/known-fields.js'
import { limits } from '../../pipeline/limits.js'
import { anyObject } from '../../pipeline/schemas.js'
import { authorize } from '../../pipeline/steps/authorize.js'
import { shortened } from '../../pipeline/steps/unknown-fields.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { bodyCheck, type Check } from '../../pipeline/validator.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import { invalidCommand, missingParameters } from './errors.js'
import { defaultTimeoutSeconds } from './run-command.js'

const checks = new Map<string, Check>(
  [...operatorCommands].map(([name, command]) => [name, bodyCheck(command.parameters)]),
)

const known = new Map<string, KnownFields>(
  [...operatorCommands].map(([name, command]) => [name, knownFieldsOf(command.parameters)]),
)

const commandNames = [...operatorCommands.keys()].join(', ')

const commandTable = [...operatorCommands.values()]
  .map(({ name, summary, parameters }) => {
    const required = new Set(parameters.required ?? [])
    const names = Object.keys(parameters.properties).map((key) => `\`${key}\`${required.has(key) ? '' : ' (optional)'}`)
    return `| \`${name}\` | ${names.join(', ') || 'none'} | ${summary} |`
  })
  .join('\n')

export const commandsGuide = `A key that has only the scope \`write:sessions\` may send \`start_session\` and \`stop_session\`.\n\n| Command | Parameters | What it does |\n|---|---|---|\n${commandTable}`

export const commandFields = {
  command: Type.String({ description: `One of ${commandNames}.` }),
  parameters: Type.Optional(anyObject('The parameters of the command; one that the command does not have is refused.')),
  timeout_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      default: defaultTimeoutSeconds,
      description: 'How long to wait for the answer of a charge point.',
    }),
  ),
}

export const commandErrors = [invalidCommand, missingParameters]

/** Of every command, and of those that start and stop sessions. */
const commandScopes = ['write:charge_points', 'write:commands'] as const
export const anyCommandScopes = [...commandScopes, 'write:sessions'] as const

/** Throws `invalid_command`, `missing_parameters`, `validation_error`, or `forbidden` for a key that may only start and stop sessions. */
export function commandOf(name: string, parameters: Record<string, unknown>, principal: Principal): OperatorCommand {
  const command =
    operatorCommands.get(name) ??
    fail(invalidCommand, `there is no command ${name.slice(0, 64)}; the commands are ${commandNames}`)
  requireSound(name, parameters)
  authorize(operator, principal, command.scope === undefined ? commandScopes : [...commandScopes, command.scope])
  return command
}

function requireSound(name: string, parameters: Record<string, unknown>): void {
  const faults = checks.get(name)?.(parameters) ?? unknownParameters(name, parameters)
  if (faults.length === 0) return
  const details = faults.map(({ path, message }) => ({ path: `/parameters${path}`, message }))
  const missing = details.filter(isMissing)
  if (missing.length === 0) throw invalid(details)
  const names = missing.map(({ path }) => path.split('/').pop()).join(', ')
  throw missingParameters(`${name} requires ${names}`, { details })
}

/** Unlike fields of other bodies, they are not passed over: they would be recorded, and look as if they had been sent. */
function unknownParameters(name: string, parameters: Record<string, unknown>): readonly ErrorDetail[] {
  const paths = known.get(name)?.(parameters, limits.unknownFields).unknown ?? []
  return paths.map((path) => ({ path: shortened(pointerOf(path)), message: `is not a parameter of ${name}` }))
}

/** Directly in the parameters; a field that is missing deeper down is a malformed value. */
function isMissing({ path, message }: ErrorDetail): boolean {
  return message === 'is required' && path.split('/').length === 3
}
