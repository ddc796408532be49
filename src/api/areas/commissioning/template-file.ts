// A template that an operator has put into the data directory.

import { type Static, Type } from 'typebox'
import { stepNames } from '../../../records/commissioning.js'
import type { CommissioningTemplate } from '../../../records/commissioning-template.js'
import { nameText } from '../../pipeline/schemas.js'
import { bodyCheck } from '../../pipeline/validator.js'
import { limits } from './limits.js'

const fileSchema = Type.Object({
  name: nameText(),
  description: Type.Optional(Type.String({ maxLength: 500 })),
  compatible_models: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: limits.compatibleModels }),
  ),
  steps: Type.Array(Type.Enum([...stepNames]), { minItems: 1, maxItems: stepNames.length }),
  created_at: Type.Optional(Type.String({ format: 'date-time' })),
})

const idText = /^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/
const check = bodyCheck(fileSchema)

/** `name`: that of the file without its ending, which the template is called by. Throws one line that says what is wrong. */
export function commissioningTemplateOfFile(template_id: string, content: unknown): CommissioningTemplate {
  if (!idText.test(template_id))
    throw new Error('the name of the file must be letters, digits, hyphens and underscores')
  const faults = check(content) ?? []
  if (faults.length > 0)
    throw new Error(
      faults.map(({ path, message }) => `${path === '' ? 'the file' : path.slice(1)} ${message}`).join('; '),
    )
  const { name, description, compatible_models, steps, created_at } = content as Static<typeof fileSchema>
  return {
    template_id,
    name,
    description: description ?? '',
    compatible_models: compatible_models ?? [],
    // In the order in which they are taken, and each once.
    steps: stepNames.filter((step) => steps.includes(step)),
    ...(created_at !== undefined && { created_at }),
  }
}
