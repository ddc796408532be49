// How the API shows templates of configurations, and what one may be.

import { type Static, Type } from 'typebox'
import type { ConfigurationTemplate, SharedTemplate, TemplateTerms } from '../../../records/configuration-template.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { named, nameText, nullable, timestamp } from '../../pipeline/schemas.js'
import { parameterFaults, parametersSchema } from './parameters.js'

const pattern = (what: string) =>
  Type.String({
    ...patternOf('^[ -~]{1,50}$', '1 to 50 printable characters'),
    description: `${what} as the charge point reports it in BootNotification, without regard to case; * stands for any characters. Without it, any matches.`,
  })

const match = { vendor: pattern('The vendor'), model: pattern('The model'), firmware: pattern('The firmware version') }

export const templateBody = Type.Object({
  name: nameText(),
  vendor: Type.Optional(nullable(match.vendor)),
  model: Type.Optional(nullable(match.model)),
  firmware: Type.Optional(nullable(match.firmware)),
  parameters: parametersSchema,
})

export type TemplateBody = Static<typeof templateBody>

export const templateSchema = named('ConfigurationTemplate', {
  template_id: Type.String(),
  name: Type.String(),
  source: Type.Enum(['built_in', 'file', 'organization'], {
    description: 'Where it comes from: this version of the service, a file of the installation, or the API.',
  }),
  vendor: nullable(Type.String()),
  model: nullable(Type.String()),
  firmware: nullable(Type.String()),
  parameters: parametersSchema,
  created_at: nullable(timestamp()),
  updated_at: nullable(timestamp()),
})

export function templateView(template: ConfigurationTemplate | SharedTemplate) {
  const { template_id, name, vendor, model, firmware, parameters } = template
  const isShared = 'source' in template
  return {
    template_id,
    name,
    source: isShared ? template.source : ('organization' as const),
    vendor: vendor ?? null,
    model: model ?? null,
    firmware: firmware ?? null,
    parameters,
    created_at: isShared ? null : template.created_at,
    updated_at: isShared ? null : template.updated_at,
  }
}

export function templateFaults({ parameters }: TemplateBody): readonly ErrorDetail[] {
  if (Object.keys(parameters).length === 0) return [{ path: '/parameters', message: 'must have at least one key' }]
  return parameterFaults(parameters)
}

/** As it is stored. */
export function termsOf({
  name,
  vendor,
  model,
  firmware,
  parameters,
}: TemplateBody): Omit<TemplateTerms, 'template_id'> {
  return {
    name,
    ...(typeof vendor === 'string' && { vendor }),
    ...(typeof model === 'string' && { model }),
    ...(typeof firmware === 'string' && { firmware }),
    parameters,
  }
}
