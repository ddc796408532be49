// The organizations that a caller may know of, and their plans, which the operator of the installation sets.

import { Type } from 'typebox'
import { type Organization, organizationsTable, plans } from '../../../records/organization.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { putRow, unchanged } from '../../pipeline/changes.js'
import { forbidden } from '../../pipeline/errors.js'
import { defineList } from '../../pipeline/list-route.js'
import { readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import { limits } from './limits.js'
import { operates, organizationFields, organizationParams, organizationView } from './organizations.js'

const listOrganizations = defineList({
  surface: operator,
  path: '/api/v1/organizations',
  operationId: 'listOrganizations',
  summary: 'List the organizations of the installation',
  description:
    "For keys of the installation's own organization, oldest first; every other key sees its own organization.",
  tags: ['Organizations'],
  scopes: ['read:organisations'],
  row: Type.Object(organizationFields),
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const view = services.view()
    const { rows, total } = operates(principal, view)
      ? readPage({ view, table: organizationsTable, list: { index: 'all', group: [] }, query })
      : { rows: query.offset === 0 ? [principal.organization] : [], total: 1 }
    const data = rows.map((row) => organizationView(row, services.config))
    return { rows: data, total }
  },
})

const setPlan = defineRoute({
  method: 'PUT',
  path: '/api/v1/organizations/{org_id}/plan',
  operationId: 'setOrganizationPlan',
  summary: 'Set the plan of an organization',
  description:
    "For keys of the installation's own organization. The quota holds from the next request on; what a key has used in this hour counts. `requests_per_hour` is the quota agreed with an organization of the enterprise plan; without it, the installation's own holds, if there is one.",
  tags: ['Organizations'],
  surface: operator,
  scopes: ['write:organisations'],
  params: organizationParams,
  body: Type.Object({
    plan: Type.Enum([...plans]),
    requests_per_hour: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.requestsPerHour })),
  }),
  responses: { 200: Type.Object(organizationFields) },
  errors: [forbidden, notFound, conflict],
  sheddable: 'never',
  examples: { pro: { plan: 'pro' }, custom: { plan: 'enterprise', requests_per_hour: 250_000 } },
  handle({ principal, params, body }, services) {
    const view = services.view()
    const isOperator = operates(principal, view)
    const before = view.get(organizationsTable, [params.org_id])
    // Another's organization is to a tenant as one that is not there.
    if (before === undefined || (!isOperator && params.org_id !== principal.organization.organization_id))
      throw notFound('there is no such organization')
    if (!isOperator) throw forbidden("only the installation's own organization sets plans")
    const { plan, requests_per_hour: agreed } = body
    if (agreed !== undefined && plan !== 'enterprise')
      throw invalid([{ path: '/requests_per_hour', message: `is fixed for the plan ${plan}` }])
    const { requests_per_hour, ...rest } = before
    const row: Organization = {
      ...rest,
      plan,
      ...(agreed !== undefined && { requests_per_hour: agreed }),
      version: before.version + 1,
      updated_at: formatTimestamp(services.clock.now()),
    }
    return {
      status: 200,
      body: organizationView(row, services.config),
      concerns: { organizationId: row.organization_id },
      changes: [putRow(organizationsTable, row)],
      conditions: [{ condition: unchanged(organizationsTable, [params.org_id], before) }],
    }
  },
})

export const organizationPlanRoutes = [listOrganizations, setPlan]
