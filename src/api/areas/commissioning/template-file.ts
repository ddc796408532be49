// A template of commissionings in a file.

import { Type } from 'typebox'
import { stepNames } from '../../../records/commissioning.js'
import type { CommissioningTemplate } from '../../../records/commissioning-template.js'
import { nameText } from '../../pipeline/schemas.js'
import { templateFileReader } from '../../pipeline/template-file.js'
import { limits } from './limits.js'

export const commissioningTemplateOfFile = templateFileReader({
  schema: Type.Object({
    name: nameText(),
    description: Type.Optional(Type.String({ maxLength: 500 })),
    compatible_models: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: limits.compatibleModels }),
    ),
    steps: Type.Array(Type.Enum([...stepNames]), { minItems: 1, maxItems: stepNames.length }),
    created_at: Type.Optional(Type.String({ format: 'date-time' })),
  }),
  template: (template_id, { name, description, compatible_models, steps, created_at }): CommissioningTemplate => ({
    template_id,
    name,
    description: description ?? '',
    compatible_models: compatible_models ?? [],
    // In the order in which they are taken, and each once.
    steps: stepNames.filter((step) => steps.includes(step)),
    ...(created_at !== undefined && { created_at }),
  }),
})
