// The organizations that a caller may know of, and their plans, which the operator of the installation sets.

import { Type } from 'typebox'
import { organizationsTable, plans } from '../../../records/organization.js'
import { forbidden } from '../../pipeline/errors.js'
import { readPage } from '../../pipeline/paging.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area, organizations } from './area.js'
import { limits } from './limits.js'
import { operated, operates } from './operator.js'
import { organizationFields, organizationView } from './organizations.js'

const listOrganizations = area.list('', {
  operationId: 'listOrganizations',
  summary: 'List organizations',
  description:
    'API keys of the organization that operates the installation get all of them, oldest first. Every other key gets its own organization.',
  row: Type.Object(organizationFields),
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const view = services.view()
    const { rows, total } = operates(principal, view)
      ? readPage({ view, table: organizationsTable, list: { index: 'all', group: [] }, query })
      : { rows: query.offset === 0 ? [principal.organization] : [], total: 1 }
    return { rows: rows.map((row) => organizationView(row, services.config)), total }
  },
})

const setPlan = area.put('/{org_id}/plan', {
  operationId: 'setOrganizationPlan',
  summary: 'Set the plan of an organization',
  description:
    'Only for API keys of the organization that operates the installation. The quota applies from the next request on; requests that a key has ' +
    'already made in this hour count. `requests_per_hour` is a quota that was agreed with an organization on the enterprise plan. If you leave it ' +
    "out, the installation's own quota for that plan applies, if there is one.",
  of: operated(organizations, 'only the organization that operates the installation can set plans'),
  body: Type.Object({
    plan: Type.Enum([...plans]),
    requests_per_hour: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.requestsPerHour })),
  }),
  answer: Type.Object(organizationFields),
  errors: [forbidden],
  examples: { pro: { plan: 'pro' }, custom: { plan: 'enterprise', requests_per_hour: 250_000 } },
  change({ row: before, body: { plan, requests_per_hour } }, draft, services) {
    if (requests_per_hour !== undefined && plan !== 'enterprise')
      throw invalid([{ path: '/requests_per_hour', message: `is fixed for the plan ${plan}: leave it out` }])
    draft.concern({ organizationId: before.organization_id })
    const updated_at = formatTimestamp(services.clock.now())
    const row = draft.put(organizationsTable, { ...before, plan, requests_per_hour, updated_at })
    return organizationView(row, services.config)
  },
})

export const organizationPlanRoutes = [listOrganizations, setPlan]
