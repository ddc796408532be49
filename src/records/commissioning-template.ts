// Which steps a commissioning takes: templates that are built in, and those of files of the installation.

import { type StepName, stepNames } from './commissioning.js'
import { matchesPattern } from './configuration-template.js'

export interface CommissioningTemplate {
  readonly template_id: string
  readonly name: string
  readonly description: string
  /** In each, * stands for any characters; none of them for all models. */
  readonly compatible_models: readonly string[]
  readonly steps: readonly StepName[]
  /** Absent on those that are built in, and where a file does not say it. */
  readonly created_at?: string
}

const standard: CommissioningTemplate = {
  template_id: 'standard',
  name: 'Standard',
  description: 'All steps, with a test transaction.',
  compatible_models: [],
  steps: stepNames,
}

export const builtInCommissioningTemplates: readonly CommissioningTemplate[] = [
  standard,
  {
    template_id: 'quick',
    name: 'Quick',
    description: 'All steps but the test transaction.',
    compatible_models: [],
    steps: stepNames.filter((name) => name !== 'test_transaction'),
  },
]

/** The first that was made for the model, or else the standard. */
export function commissioningTemplateFor(
  model: string,
  templates: readonly CommissioningTemplate[],
): CommissioningTemplate {
  const folded = model.toLowerCase()
  const isFor = ({ compatible_models }: CommissioningTemplate): boolean =>
    compatible_models.some((pattern) => matchesPattern(pattern.toLowerCase(), folded))
  return templates.find(isFor) ?? standard
}
