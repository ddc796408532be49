// Id tags themselves: registered, listed, read, updated and deleted.

import { Type } from 'typebox'
import { idTagStatuses, idTagsTable, unknownIdTagsTable } from '../../../records/id-tag.js'
import { conflict } from '../../../runtime/errors.js'
import { kept } from '../../pipeline/kept.js'
import { recordRoutes } from '../../pipeline/record-routes.js'
import { idTagText } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area, idTags } from './area.js'
import { idTagExists } from './errors.js'
import { fields, idTagSchema, idTagView, storedTime } from './id-tags.js'
import { limits } from './limits.js'

const routes = recordRoutes(area, idTags, { schema: idTagSchema, show: idTagView })

const createIdTag = area.post('', {
  operationId: 'createIdTag',
  summary: 'Register an id tag',
  body: Type.Object({
    id_tag: idTagText(
      'The text that charge points send when the tag is presented. Tags are compared without regard to case.',
    ),
    status: Type.Optional(fields.status),
    parent_id_tag: Type.Optional(fields.parent_id_tag),
    expiry_date: Type.Optional(fields.expiry_date),
    label: Type.Optional(fields.label),
  }),
  answer: idTagSchema,
  status: 201,
  errors: [idTagExists, conflict],
  examples: { card: { id_tag: '04A2B3C4D5E680', label: 'Fleet card 7' } },
  change({ principal: { organization }, body }, draft, services) {
    const { organization_id } = organization
    const tooMany = conflict(
      `an organization has at most ${limits.idTags} id tags: delete one that is no longer needed before you create another`,
    )
    draft.requireRoom(idTagsTable, { index: 'byOrganization', group: [organization_id] }, limits.idTags, tooMany)
    const now = formatTimestamp(services.clock.now())
    const tag = {
      organization_id,
      id_tag: body.id_tag,
      status: body.status ?? 'Accepted',
      parent_id_tag: body.parent_id_tag ?? undefined,
      expiry_date: storedTime(body.expiry_date) ?? undefined,
      label: body.label ?? undefined,
      created_at: now,
      updated_at: now,
    }
    const exists = idTagExists('this id tag, or one that differs only in case, is already registered')
    const row = draft.put(idTagsTable, tag, exists)
    // A tag that was seen before it was registered is not unknown any more.
    draft.clear(unknownIdTagsTable, idTagsTable.key(row))
    return idTagView(row)
  },
})

const listIdTags = routes.list({
  operationId: 'listIdTags',
  summary: 'List id tags',
  filters: {
    status: Type.Optional(Type.Enum([...idTagStatuses], { description: 'Returns only id tags with this status.' })),
  },
  indexes: { status: 'byStatus' },
  name: 'id_tags',
})

const getIdTag = routes.get({ operationId: 'getIdTag', summary: 'Get an id tag' })

const updateIdTag = area.patch('/{id_tag}', {
  operationId: 'updateIdTag',
  summary: 'Update an id tag',
  description: 'Fields that you leave out keep their values. null removes a value.',
  of: idTags,
  body: Type.Object({
    status: Type.Optional(fields.changedStatus),
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

export const idTagRoutes = [createIdTag, listIdTags, getIdTag, updateIdTag, deleteIdTag]
