// Tariffs: what charging costs. A session keeps a copy of the tariff of its start, so a change here is for new sessions only.

import { Type } from 'typebox'
import { organizationsTable } from '../../../records/organization.js'
import { type Tariff, tariffAssignmentsTable, tariffsTable, tariffUsesTable } from '../../../records/tariff.js'
import { tariffRatesTable, tariffSchedulesTable } from '../../../records/tariff-rates.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { putRow, removeRow, unchanged } from '../../pipeline/changes.js'
import { defineList } from '../../pipeline/list-route.js'
import { type List, readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import { tariffInUse } from './errors.js'
import {
  currencyCode,
  ownTariff,
  storedComponent,
  tariffBody,
  tariffFaults,
  tariffParams,
  tariffSchema,
  tariffView,
} from './tariffs.js'

const tags = ['Tariffs'] as const

const example = {
  name: 'Public charging',
  currency: 'EUR',
  tax_percentage: 20,
  components: [
    { type: 'energy', price: 0.49 },
    { type: 'idle', price: 6, grace_minutes: 30 },
  ],
}

const createTariff = defineRoute({
  method: 'POST',
  path: '/api/v1/billing/tariffs',
  operationId: 'createTariff',
  summary: 'Make a tariff',
  description: 'Prices are before tax. A component that is null or left out in part takes the default of the system.',
  tags,
  surface: operator,
  scopes: ['write:billing'],
  body: tariffBody,
  responses: { 201: tariffSchema },
  sheddable: 'never',
  examples: { energyAndIdleTime: example },
  handle({ principal, body }, services) {
    const faults = tariffFaults(body)
    if (faults.length > 0) throw invalid(faults)
    const now = formatTimestamp(services.clock.now())
    const row: Tariff = {
      tariff_id: services.newId('trf'),
      organization_id: principal.organization.organization_id,
      version: 1,
      name: body.name,
      currency: body.currency,
      components: body.components.map(storedComponent),
      tax_percentage: body.tax_percentage ?? 0,
      created_at: now,
      updated_at: now,
    }
    return { status: 201, body: tariffView(row), changes: [putRow(tariffsTable, row)] }
  },
})

const listTariffs = defineList({
  surface: operator,
  path: '/api/v1/billing/tariffs',
  operationId: 'listTariffs',
  summary: 'List tariffs, newest first',
  tags,
  scopes: ['read:billing'],
  filters: { currency: Type.Optional(currencyCode()) },
  row: tariffSchema,
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const { currency } = query
    const list: List =
      currency === undefined
        ? { index: 'byOrganization', group: [organization_id] }
        : { index: 'byCurrency', group: [organization_id, currency] }
    const { rows, total } = readPage({ view: services.view(), table: tariffsTable, list, query, newestFirst: true })
    return { rows: rows.map(tariffView), total }
  },
})

const getTariff = defineRoute({
  method: 'GET',
  path: '/api/v1/billing/tariffs/{tariff_id}',
  operationId: 'getTariff',
  summary: 'Read a tariff',
  tags,
  surface: operator,
  scopes: ['read:billing'],
  params: tariffParams,
  responses: { 200: tariffSchema },
  errors: [notFound],
  sheddable: 'never',
  handle: ({ principal, params }, services) => ({
    status: 200,
    body: tariffView(ownTariff(services.view(), principal, params.tariff_id)),
  }),
})

const replaceTariff = defineRoute({
  method: 'PUT',
  path: '/api/v1/billing/tariffs/{tariff_id}',
  operationId: 'replaceTariff',
  summary: 'Replace a tariff',
  description:
    'Every field is replaced; a tax percentage that is left out is 0. Sessions that have begun keep the prices of their start.',
  tags,
  surface: operator,
  scopes: ['write:billing'],
  params: tariffParams,
  body: tariffBody,
  responses: { 200: tariffSchema },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: { dearer: { ...example, components: [{ type: 'energy', price: 0.55 }] } },
  handle({ principal, params, body }, services) {
    const before = ownTariff(services.view(), principal, params.tariff_id)
    const faults = tariffFaults(body)
    if (faults.length > 0) throw invalid(faults)
    const row: Tariff = {
      ...before,
      version: before.version + 1,
      name: body.name,
      currency: body.currency,
      components: body.components.map(storedComponent),
      tax_percentage: body.tax_percentage ?? 0,
      updated_at: formatTimestamp(services.clock.now()),
    }
    return {
      status: 200,
      body: tariffView(row),
      changes: [putRow(tariffsTable, row)],
      conditions: [{ condition: unchanged(tariffsTable, [before.tariff_id], before) }],
    }
  },
})

const deleteTariff = defineRoute({
  method: 'DELETE',
  path: '/api/v1/billing/tariffs/{tariff_id}',
  operationId: 'deleteTariff',
  summary: 'Remove a tariff, with its rates and its schedule',
  description:
    'Not while a charge point sells at it, nor while it is the default of the organization. Sessions that have begun are billed by their copy of it.',
  tags,
  surface: operator,
  scopes: ['write:billing'],
  params: tariffParams,
  responses: { 204: null },
  errors: [notFound, tariffInUse, conflict],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    const tariff = ownTariff(view, principal, params.tariff_id)
    const key = [tariff.tariff_id]
    // Read before the assignments are counted: one that is made from here on fails the condition.
    const use = view.get(tariffUsesTable, key)
    const assigned = view.total(tariffAssignmentsTable, 'byTariff', [tariff.organization_id, tariff.tariff_id])
    if (view.get(organizationsTable, [tariff.organization_id])?.default_tariff_id === tariff.tariff_id)
      throw tariffInUse('the tariff is the default of the organization')
    if (assigned > 0) throw tariffInUse(`the tariff is assigned to ${assigned} charge point(s)`)
    return {
      status: 204,
      changes: [
        removeRow(tariffsTable, key),
        removeRow(tariffRatesTable, key),
        removeRow(tariffSchedulesTable, key),
        removeRow(tariffUsesTable, key),
      ],
      conditions: [
        { condition: unchanged(tariffsTable, key, tariff) },
        { condition: unchanged(tariffUsesTable, key, use) },
      ],
    }
  },
})

export const tariffRoutes = [createTariff, listTariffs, getTariff, replaceTariff, deleteTariff]
