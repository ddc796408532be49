// The area of id tags: cards, fobs and app identities. Every organization has tags of its own, which others may have too.

import { foldIdTag, idTagsTable } from '../../../records/id-tag.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { givenIdTag } from '../../pipeline/schemas.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Id tags',
  about: 'The cards and tokens that may charge, and those that were seen without being registered.',
  path: '/api/v1/id-tags',
  read: 'read:charge_points',
  write: 'write:charge_points',
})

/** Compared without regard to case. */
export const idTags = defineOwned({
  table: idTagsTable,
  id: 'id_tag',
  called: 'id tag',
  schema: givenIdTag(),
  keyOf: (organizationId, idTag) => [organizationId, foldIdTag(idTag)],
})
