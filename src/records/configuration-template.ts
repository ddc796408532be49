// Templates of configurations: which keys a charge point of some vendor, model and firmware is to have. Some are built in, some come
// from files of the installation, and organizations have their own.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import type { Parameters } from './configuration-value.js'
import { isInstallerId } from './installer.js'
import { installationTable } from './organization.js'

/** Patterns, in which * stands for any characters, are compared without regard to case; without one, any charge point matches. */
export interface TemplateMatch {
  readonly vendor?: string
  readonly model?: string
  readonly firmware?: string
}

export interface TemplateTerms extends TemplateMatch {
  readonly template_id: string
  readonly name: string
  readonly parameters: Parameters
}

export interface ConfigurationTemplate extends TemplateTerms {
  readonly organization_id: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

export const configurationTemplatesTable = defineTable<ConfigurationTemplate>({
  name: 'configuration_templates',
  key: (row) => [row.template_id],
  indexes: { byOrganization: (row) => [{ group: [row.organization_id] }] },
})

export type TemplateSource = 'built_in' | 'file' | 'organization'

/** One that every organization may use. */
export interface SharedTemplate extends TemplateTerms {
  readonly source: Exclude<TemplateSource, 'organization'>
}

export const builtInTemplates: readonly SharedTemplate[] = [
  {
    template_id: 'standard',
    name: 'Standard',
    source: 'built_in',
    parameters: {
      HeartbeatInterval: 300,
      MeterValueSampleInterval: 60,
      ConnectionTimeOut: 60,
      AuthorizationCacheEnabled: true,
      LocalAuthListEnabled: true,
      AllowOfflineTxForUnknownId: false,
      StopTransactionOnEVSideDisconnect: true,
    },
  },
]

/** What is known of a charge point's kind. */
export interface Kind {
  readonly vendor?: string
  readonly model?: string
  readonly firmware?: string
}

/** Whose templates count for charge points of this owner: for those that an installer has and no organization has claimed, the operator's. */
export function templatesOf(view: ReadView, organizationId: string): readonly ConfigurationTemplate[] {
  const owner = isInstallerId(organizationId)
    ? view.get(installationTable, ['installation'])?.default_organization_id
    : organizationId
  return owner === undefined ? [] : view.listBy(configurationTemplatesTable, 'byOrganization', [owner])
}

/**
 * The template for a kind of charge point: of an organization's own that match the one that says most of the kind, the newest of several;
 * else in the same way one from a file, else one that is built in.
 */
export function templateFor(
  kind: Kind,
  own: readonly ConfigurationTemplate[],
  shared: readonly SharedTemplate[],
): ConfigurationTemplate | SharedTemplate | undefined {
  const bySource = [
    own,
    shared.filter(({ source }) => source === 'file'),
    shared.filter(({ source }) => source === 'built_in'),
  ]
  for (const templates of bySource) {
    const matching = templates.filter((template) => matches(template, kind))
    const [best] = matching.sort(
      (one, other) => moreSpecific(other, one) || (one.template_id < other.template_id ? 1 : -1),
    )
    if (best !== undefined) return best
  }
  return undefined
}

const fields = ['firmware', 'model', 'vendor'] as const

/** How exactly a template says which charge points it is for: a model says more than any vendor, and a firmware more than any model. */
function moreSpecific(one: TemplateMatch, other: TemplateMatch): number {
  for (const field of fields) {
    const difference = literalCharacters(one[field]) - literalCharacters(other[field])
    if (difference !== 0) return difference
  }
  return 0
}

function literalCharacters(pattern: string | undefined): number {
  return pattern === undefined ? 0 : pattern.replaceAll('*', '').length
}

function matches(template: TemplateMatch, kind: Kind): boolean {
  return fields.every((field) => {
    const pattern = template[field]
    return pattern === undefined || matchesPattern(pattern.toLowerCase(), (kind[field] ?? '').toLowerCase())
  })
}

/** By hand: of a pattern with many stars, a regular expression could take for ever. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  if (parts.length === 0) return text === first
  if (!text.startsWith(first)) return false
  const last = parts.pop() as string
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
