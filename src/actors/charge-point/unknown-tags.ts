// Tags that nobody has registered, noted where they are shown so that an operator can adopt them: a row per organization and tag,
// written once a minute at most, in the commit that is made anyway or in the only one.

import { foldIdTag, idTagCharacters, unknownIdTagsTable } from '../../records/id-tag.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { ReadView } from '../../runtime/store/store.js'
import { limits } from './limits.js'

const minuteMs = 60_000

function isFull(view: ReadView, organizationId: string): boolean {
  return view.total(unknownIdTagsTable, 'byOrganization', [organizationId]) >= limits.unknownIdTags
}

export function noteUnknownTag(organizationId: string, idTag: string, context: Context): readonly Effect[] {
  // Nobody could adopt it.
  if (idTag.trim() === '' || idTag.length > idTagCharacters) return []
  const view = context.read()
  const seenAt = new Date(Math.floor(context.now() / minuteMs) * minuteMs).toISOString()
  const before = view.get(unknownIdTagsTable, [organizationId, foldIdTag(idTag)])
  if (before?.last_seen_at === seenAt) return []
  if (before === undefined && isFull(view, organizationId)) return []
  return [
    effect.put(unknownIdTagsTable, {
      organization_id: organizationId,
      id_tag: idTag,
      first_seen_at: before?.first_seen_at ?? seenAt,
      last_seen_at: seenAt,
      count: (before?.count ?? 0) + 1,
      charge_point_id: context.id,
    }),
  ]
}
