// The id tags that an organization knows: cards, fobs, app identities. Compared without regard to case.

import { Type } from 'typebox'
import { foldIdTag, type IdTag, idTagStatuses, idTagsTable, unknownIdTagsTable } from '../../../records/id-tag.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { putRow, removeRow } from '../../pipeline/changes.js'
import { defineList } from '../../pipeline/list-route.js'
import { type List, readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { idTagText, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import { idTagExists } from './errors.js'

const idTagParams = Type.Object({ id_tag: idTagText() })

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

function ownIdTag(view: ReadView, principal: Principal, idTag: string): IdTag {
  const found = view.get(idTagsTable, [principal.organization.organization_id, foldIdTag(idTag)])
  return found ?? missing()
}

function missing(): never {
  throw notFound('there is no such id tag')
}

interface OptionalFields {
  readonly parent_id_tag?: string | null | undefined
  readonly expiry_date?: string | null | undefined
  readonly label?: string | null | undefined
}

/** A field that is given replaces the one before; null removes it. */
function merged(before: OptionalFields, given: OptionalFields): Pick<IdTag, 'parent_id_tag' | 'expiry_date' | 'label'> {
  const pick = (name: keyof OptionalFields): string | undefined => {
    const value = given[name] === undefined ? before[name] : given[name]
    return value ?? undefined
  }
  const [parent, expiry, label] = [pick('parent_id_tag'), pick('expiry_date'), pick('label')]
  return {
    ...(parent === undefined ? {} : { parent_id_tag: parent }),
    ...(expiry === undefined ? {} : { expiry_date: formatTimestamp(parseTimestamp(expiry) ?? 0) }),
    ...(label === undefined ? {} : { label }),
  }
}

const createIdTag = defineRoute({
  method: 'POST',
  path: '/api/v1/id-tags',
  operationId: 'createIdTag',
  summary: 'Register an id tag',
  tags: ['Id tags'],
  surface: operator,
  scopes: ['write:charge_points'],
  body: Type.Object({
    id_tag: idTagText(),
    status: Type.Optional(fields.status),
    parent_id_tag: Type.Optional(fields.parent_id_tag),
    expiry_date: Type.Optional(fields.expiry_date),
    label: Type.Optional(fields.label),
  }),
  responses: { 201: idTagSchema },
  errors: [idTagExists],
  sheddable: 'never',
  examples: { card: { id_tag: '04A2B3C4D5E680', label: 'Fleet card 7' } },
  handle({ principal, body }, services) {
    const now = formatTimestamp(services.clock.now())
    const row: IdTag = {
      organization_id: principal.organization.organization_id,
      version: 1,
      id_tag: body.id_tag,
      status: body.status ?? 'Accepted',
      ...merged({}, body),
      created_at: now,
      updated_at: now,
    }
    const otherwise = idTagExists('this id tag is registered already')
    return {
      status: 201,
      body: idTagView(row),
      // A tag that was seen before it was registered is unknown no more.
      changes: [putRow(idTagsTable, row), removeRow(unknownIdTagsTable, idTagsTable.key(row))],
      conditions: [{ condition: { table: idTagsTable.name, key: idTagsTable.key(row), is: 'absent' }, otherwise }],
    }
  },
})

const listIdTags = defineList({
  surface: operator,
  path: '/api/v1/id-tags',
  operationId: 'listIdTags',
  summary: 'List id tags',
  tags: ['Id tags'],
  scopes: ['read:charge_points'],
  filters: { status: Type.Optional(Type.Enum([...idTagStatuses])) },
  name: 'id_tags',
  row: idTagSchema,
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const list: List =
      query.status === undefined
        ? { index: 'byOrganization', group: [organization_id] }
        : { index: 'byStatus', group: [organization_id, query.status] }
    const { rows, total } = readPage({ view: services.view(), table: idTagsTable, list, query })
    return { rows: rows.map(idTagView), total }
  },
})

const unknownIdTag = named('UnknownIdTag', {
  id_tag: Type.String(),
  charge_point_id: Type.String({ description: 'where it was seen last' }),
  first_seen_at: timestamp(),
  last_seen_at: timestamp('to the minute'),
  count: Type.Integer({ description: 'minutes in which it was seen' }),
})

const listUnknownIdTags = defineList({
  surface: operator,
  path: '/api/v1/id-tags/unknown',
  operationId: 'listUnknownIdTags',
  summary: 'List tags seen in the last 30 days that are not registered, the latest first',
  description: 'Registering one (POST /api/v1/id-tags) takes it off the list.',
  tags: ['Id tags'],
  scopes: ['read:charge_points'],
  name: 'id_tags',
  row: unknownIdTag,
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const list: List = { index: 'byOrganization', group: [principal.organization.organization_id] }
    const options = { view: services.view(), table: unknownIdTagsTable, list, query, newestFirst: true }
    const { rows, total } = readPage(options)
    const id_tags = rows.map(({ organization_id: _, ...row }) => row)
    return { rows: id_tags, total }
  },
})

const getIdTag = defineRoute({
  method: 'GET',
  path: '/api/v1/id-tags/{id_tag}',
  operationId: 'getIdTag',
  summary: 'Read an id tag',
  tags: ['Id tags'],
  surface: operator,
  scopes: ['read:charge_points'],
  params: idTagParams,
  responses: { 200: idTagSchema },
  errors: [notFound],
  sheddable: 'never',
  handle: ({ principal, params }, services) => ({
    status: 200,
    body: idTagView(ownIdTag(services.view(), principal, params.id_tag)),
  }),
})

const updateIdTag = defineRoute({
  method: 'PATCH',
  path: '/api/v1/id-tags/{id_tag}',
  operationId: 'updateIdTag',
  summary: 'Change an id tag',
  description: 'null removes a field.',
  tags: ['Id tags'],
  surface: operator,
  scopes: ['write:charge_points'],
  params: idTagParams,
  body: Type.Object({
    status: Type.Optional(Type.Enum([...idTagStatuses])),
    parent_id_tag: Type.Optional(fields.parent_id_tag),
    expiry_date: Type.Optional(fields.expiry_date),
    label: Type.Optional(fields.label),
  }),
  responses: { 200: idTagSchema },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: { block: { status: 'Blocked' } },
  handle({ principal, params, body }, services) {
    const before = ownIdTag(services.view(), principal, params.id_tag)
    const { organization_id, id_tag, created_at } = before
    const row: IdTag = {
      organization_id,
      version: before.version + 1,
      id_tag,
      status: body.status ?? before.status,
      ...merged(before, body),
      created_at,
      updated_at: formatTimestamp(services.clock.now()),
    }
    const key = idTagsTable.key(before)
    return {
      status: 200,
      body: idTagView(row),
      changes: [putRow(idTagsTable, row)],
      conditions: [{ condition: { table: idTagsTable.name, key, is: 'version', version: before.version } }],
    }
  },
})

const deleteIdTag = defineRoute({
  method: 'DELETE',
  path: '/api/v1/id-tags/{id_tag}',
  operationId: 'deleteIdTag',
  summary: 'Remove an id tag',
  tags: ['Id tags'],
  surface: operator,
  scopes: ['write:charge_points'],
  params: idTagParams,
  responses: { 204: null },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const key = idTagsTable.key(ownIdTag(services.view(), principal, params.id_tag))
    return {
      status: 204,
      changes: [removeRow(idTagsTable, key)],
      conditions: [{ condition: { table: idTagsTable.name, key, is: 'present' } }],
    }
  },
})

export const idTagRoutes = [createIdTag, listIdTags, listUnknownIdTags, getIdTag, updateIdTag, deleteIdTag]
