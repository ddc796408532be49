// Templates of configurations: an organization's own, beside those that all share.

import { Type } from 'typebox'
import { configurationOverridesTable } from '../../../records/configuration.js'
import {
  builtInTemplates,
  type ConfigurationTemplate,
  type SharedTemplate,
} from '../../../records/configuration-template.js'
import { conflict } from '../../../runtime/errors.js'
import { readPage } from '../../pipeline/paging.js'
import { recordRoutes } from '../../pipeline/record-routes.js'
import type { Services } from '../../pipeline/services.js'
import { area, templates } from './area.js'
import { templateInUse } from './errors.js'
import { limits } from './limits.js'
import { templateBody, templateFaults, templateSchema, templateView, termsOf } from './templates.js'

const path = '/configuration-templates'
const show = (template: ConfigurationTemplate) => templateView(template)
const routes = recordRoutes(area, templates, { path, schema: templateSchema, show })

const example = {
  name: 'Example model, firmware 2',
  vendor: 'Example',
  model: 'EX-22*',
  firmware: '2.*',
  parameters: { HeartbeatInterval: 300, MeterValueSampleInterval: 60, StopTransactionOnEVSideDisconnect: true },
}

/** Those that every organization may use. */
export function sharedTemplates({ config }: Pick<Services, 'config'>): readonly SharedTemplate[] {
  return config.configurationTemplates ?? builtInTemplates
}

const listTemplates = area.list(path, {
  operationId: 'listConfigurationTemplates',
  summary: 'List the configuration templates of the organization, the newest first',
  description:
    '`shared` has those that every organization may use: those that are built in, and those from JSON files in the folder ' +
    '`configuration-templates` of the data directory.',
  row: templateSchema,
  fields: { shared: Type.Array(templateSchema) },
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const list = { index: 'byOrganization', group: [principal.organization.organization_id] }
    const { rows, total } = readPage({
      view: services.view(),
      table: templates.table,
      list,
      query,
      newestFirst: true,
    })
    return { rows: rows.map(templateView), total, shared: sharedTemplates(services).map(templateView) }
  },
})

const createTemplate = routes.create({
  operationId: 'createConfigurationTemplate',
  summary: 'Create a configuration template',
  description:
    'A template is for charge points whose vendor, model and firmware match its patterns. Of several that match, those of the organization come before those that ' +
    'all share, and then the one whose patterns say most: first of the firmware, then of the model, then of the vendor. A charge point whose ' +
    'configuration names a template has that one.',
  body: templateBody,
  examples: { byModel: example },
  check: templateFaults,
  room: {
    index: 'byOrganization',
    most: limits.templates,
    otherwise: () =>
      conflict(
        `an organization has at most ${limits.templates} configuration templates: delete one that is no longer needed before you create another`,
      ),
  },
  fields: termsOf,
})

const getTemplate = routes.get({
  operationId: 'getConfigurationTemplate',
  summary: 'Get a configuration template of the organization',
})

const replaceTemplate = routes.replace({
  operationId: 'replaceConfigurationTemplate',
  summary: 'Replace a configuration template',
  description:
    'Charge points get the new values when the configuration is applied to them again. A pattern that you leave out matches any charge point.',
  body: templateBody,
  examples: { longerInterval: { ...example, parameters: { HeartbeatInterval: 600 } } },
  check: templateFaults,
  fields: (body) => ({ vendor: undefined, model: undefined, firmware: undefined, ...termsOf(body) }) as never,
})

const deleteTemplate = routes.remove({
  operationId: 'deleteConfigurationTemplate',
  summary: 'Delete a configuration template',
  description: 'A template that the configuration of a charge point names cannot be deleted.',
  errors: [templateInUse],
  along({ template_id, organization_id }, draft) {
    const named = { index: 'byTemplate', group: [organization_id, template_id] }
    const inUse = templateInUse(
      'the configuration of at least one charge point names the template; name another one there first, or null',
    )
    draft.requireNone(configurationOverridesTable, named, inUse)
  },
})

export const templateRoutes = [listTemplates, createTemplate, getTemplate, replaceTemplate, deleteTemplate]
