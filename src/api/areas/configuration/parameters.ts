// Configuration keys with their values, as callers give them: what may be in a template, and what may be set for one charge point.

import { Type } from 'typebox'
import { isSecretKey, passwordOf } from '../../../ocpp16/secrets.js'
import { foldKey, type ParameterValue } from '../../../records/configuration-value.js'
import { overlaid } from '../../../records/wanted-configuration.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { line } from '../../../runtime/fault-words.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { limits } from './limits.js'

const keyText = /^[!-~]{1,50}$/
const mostCharacters = 500
/** What is not part of a configuration, and what whoever asks does instead. */
interface Instead {
  /** These have routes of their own, which see to it that the charge point comes back; by folded key. */
  readonly routed: Readonly<Record<string, string>>
  readonly secret: string
}

const operatorInstead: Instead = {
  routed: {
    authorizationkey: 'is set by POST /api/v1/chargepoints/{charge_point_id}/authorization-key',
    securityprofile:
      'is not part of a configuration, because a charge point that cannot follow it does not come back: it is set by POST /api/v1/chargepoints/{charge_point_id}/security-profile',
  },
  secret: 'is a secret, which is not stored: send it by ChangeConfiguration (POST /api/v1/ocpp16/send_command)',
}

/** Of what an organization does, an installer can do nothing. */
export const installerInstead: Instead = {
  routed: {
    authorizationkey:
      'is the password of the charge point, which the organization that claims it sets: until then, give it a client certificate (POST /api/v1/installer/charge-points/{charge_point_id}/certificates/generate)',
    securityprofile:
      'is not part of a configuration, because a charge point that cannot follow it does not come back: set it at the charge point itself together with its client certificate, or leave it to the organization that claims the charge point',
  },
  secret: 'is a secret, which is not stored: set it at the charge point itself',
}

type Overrides = Readonly<Record<string, ParameterValue | null>>

const values = [Type.String({ maxLength: mostCharacters, ...line }), Type.Number(), Type.Boolean()] as const

export const parametersSchema = Type.Record(Type.String(), Type.Union([...values]), {
  description: 'Configuration keys of OCPP 1.6 with their values. Secrets cannot be part of it.',
})

export const overridesSchema = Type.Record(Type.String(), Type.Union([...values, Type.Null()]), {
  description:
    'Configuration keys with the values that this charge point is to have instead of those of its template. null leaves a key of the template as the charge point has it.',
})

/** What is set for one charge point once this is set as well. Throws `validation_error`. */
export function changedOverrides(before: Overrides, given: Overrides, pointer: string, instead?: Instead): Overrides {
  const faults = parameterFaults(given, pointer, instead)
  if (faults.length > 0) throw invalid(faults)
  const parameters = overlaid(before, given)
  const tooMany = roomFaults(parameters, pointer)
  if (tooMany.length > 0) throw invalid(tooMany)
  return parameters
}

function roomFaults(parameters: Overrides, path: string): readonly ErrorDetail[] {
  if (Object.keys(parameters).length > limits.parameters)
    return [{ path, message: `must have at most ${limits.parameters} keys in all` }]
  if (JSON.stringify(parameters).length > limits.parametersCharacters)
    return [{ path, message: `must be at most ${limits.parametersCharacters} characters in all` }]
  return []
}

/** What is wrong with parameters that fit their schema; `pointer` is where they are in the body. */
export function parameterFaults(
  parameters: Overrides,
  pointer = '/parameters',
  instead = operatorInstead,
): readonly ErrorDetail[] {
  const tooMany = roomFaults(parameters, pointer)
  if (tooMany.length > 0) return tooMany
  const seen = new Set<string>()
  return Object.entries(parameters).flatMap(([key, value]) => {
    const path = `${pointer}/${key.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`
    const message = whatIsWrong(key, value, seen, instead)
    seen.add(foldKey(key))
    return message === undefined ? [] : [{ path, message }]
  })
}

function whatIsWrong(
  key: string,
  value: ParameterValue | null,
  seen: ReadonlySet<string>,
  { routed, secret }: Instead,
): string | undefined {
  if (!keyText.test(key)) return 'must be a configuration key: 1 to 50 printable characters without blanks'
  const folded = foldKey(key)
  if (seen.has(folded)) return 'is there twice: keys are compared without regard to case'
  if (Object.hasOwn(routed, folded)) return routed[folded]
  if (isSecretKey(key)) return secret
  if (typeof value === 'string' && passwordOf(value) !== undefined) return 'must not be an address with a password'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must be a number'
  return undefined
}
