// The id tags that nobody has registered, and that charge points have reported.

import { Type } from 'typebox'
import { unknownIdTagsTable } from '../../../records/id-tag.js'
import { type List, readPage } from '../../pipeline/paging.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import { area } from './area.js'

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
    return { rows: rows.map(({ organization_id, version, ...row }) => row), total }
  },
})

export const unknownIdTagRoutes = [listUnknownIdTags]
