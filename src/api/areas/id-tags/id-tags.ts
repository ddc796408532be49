// The id tags that an organization knows: cards, fobs, app identities. Compared without regard to case.

import { Type } from 'typebox'
import { foldIdTag, type IdTag, idTagStatuses, idTagsTable, unknownIdTagsTable } from '../../../records/id-tag.js'
import { defineArea } from '../../pipeline/area.js'
import { kept } from '../../pipeline/kept.js'
import { defineOwned } from '../../pipeline/owned.js'
import { type List, readPage } from '../../pipeline/paging.js'
import { recordRoutes } from '../../pipeline/record-routes.js'
import { idTagText, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import { idTagExists } from './errors.js'

const fields = {
  status: Type.Enum([...idTagStatuses], { default: 'Accepted' }),
  parent_id_tag: nullable(idTagText()),
  expiry_date: nullable(timestamp()),
  label: nullable(Type.String({ maxLength: 200 })),
}

const idTagSchema = named('IdTag', {
  id_tag: Type.String(),
  status: Type.Enum([...idTagStatuses]),
  parent_id_tag: nullable(Type.String()),
  expiry_date: nullable(timestamp()),
  label: nullable(Type.String()),
  created_at: timestamp(),
  updated_at: timestamp(),
})

function idTagView(row: IdTag) {
  return {
    id_tag: row.id_tag,
    status: row.status,
    parent_id_tag: row.parent_id_tag ?? null,
    expiry_date: row.expiry_date ?? null,
    label: row.label ?? null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

const area = defineArea(operator, {
  tag: 'Id tags',
  path: '/api/v1/id-tags',
  read: 'read:charge_points',
  write: 'write:charge_points',
})

/** Every organization has tags of its own, which others may have too. */
const idTags = defineOwned({
  table: idTagsTable,
  id: 'id_tag',
  called: 'id tag',
  schema: idTagText(),
  keyOf: (organizationId, idTag) => [organizationId, foldIdTag(idTag)],
})

const routes = recordRoutes(area, idTags, { schema: idTagSchema, show: idTagView })

const storedTime = (time: string | null | undefined): string | null | undefined =>
  time ? formatTimestamp(parseTimestamp(time) ?? 0) : time

const createIdTag = area.post('', {
  operationId: 'createIdTag',
  summary: 'Register an id tag',
  body: Type.Object({
    id_tag: idTagText(),
    status: Type.Optional(fields.status),
    parent_id_tag: Type.Optional(fields.parent_id_tag),
    expiry_date: Type.Optional(fields.expiry_date),
    label: Type.Optional(fields.label),
  }),
  answer: idTagSchema,
  status: 201,
  errors: [idTagExists],
  examples: { card: { id_tag: '04A2B3C4D5E680', label: 'Fleet card 7' } },
  change({ principal: { organization }, body }, draft, services) {
    const now = formatTimestamp(services.clock.now())
    const tag = {
      organization_id: organization.organization_id,
      id_tag: body.id_tag,
      status: body.status ?? 'Accepted',
      parent_id_tag: body.parent_id_tag ?? undefined,
      expiry_date: storedTime(body.expiry_date) ?? undefined,
      label: body.label ?? undefined,
      created_at: now,
      updated_at: now,
    }
    const row = draft.put(idTagsTable, tag, idTagExists('this id tag is already registered'))
    // A tag that was seen before it was registered is not unknown any more.
    draft.clear(unknownIdTagsTable, idTagsTable.key(row))
    return idTagView(row)
  },
})

const listIdTags = routes.list({
  operationId: 'listIdTags',
  summary: 'List id tags',
  filters: { status: Type.Optional(Type.Enum([...idTagStatuses])) },
  indexes: { status: 'byStatus' },
  name: 'id_tags',
})

const unknownIdTag = named('UnknownIdTag', {
  id_tag: Type.String(),
  charge_point_id: Type.String({ description: 'The charge point at which it was seen last.' }),
  first_seen_at: timestamp(),
  last_seen_at: timestamp('Exact to the minute.'),
  count: Type.Integer({ description: 'The number of minutes in which it was seen.' }),
})

const listUnknownIdTags = area.list('/unknown', {
  operationId: 'listUnknownIdTags',
  summary: 'List unregistered id tags that were seen in the last 30 days, the latest first',
  description: 'Registering a tag (POST /api/v1/id-tags) removes it from this list.',
  name: 'id_tags',
  row: unknownIdTag,
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const list: List = { index: 'byOrganization', group: [principal.organization.organization_id] }
    const options = { view: services.view(), table: unknownIdTagsTable, list, query, newestFirst: true }
    const { rows, total } = readPage(options)
    return { rows: rows.map(({ organization_id: _, ...row }) => row), total }
  },
})

const getIdTag = routes.get({ operationId: 'getIdTag', summary: 'Get an id tag' })

const updateIdTag = area.patch('/{id_tag}', {
  operationId: 'updateIdTag',
  summary: 'Update an id tag',
  description: 'Fields that you leave out keep their values. null removes a value.',
  of: idTags,
  body: Type.Object({
    status: Type.Optional(Type.Enum([...idTagStatuses])),
    parent_id_tag: Type.Optional(fields.parent_id_tag),
    expiry_date: Type.Optional(fields.expiry_date),
    label: Type.Optional(fields.label),
  }),
  answer: idTagSchema,
  examples: { block: { status: 'Blocked' } },
  change({ row, body }, draft, services) {
    const changed = draft.put(idTagsTable, {
      ...row,
      status: body.status ?? row.status,
      parent_id_tag: kept(row.parent_id_tag, body.parent_id_tag),
      expiry_date: kept(row.expiry_date, storedTime(body.expiry_date)),
      label: kept(row.label, body.label),
      updated_at: formatTimestamp(services.clock.now()),
    })
    return idTagView(changed)
  },
})

const deleteIdTag = routes.remove({ operationId: 'deleteIdTag', summary: 'Delete an id tag' })

export const idTagRoutes = [createIdTag, listIdTags, listUnknownIdTags, getIdTag, updateIdTag, deleteIdTag]
