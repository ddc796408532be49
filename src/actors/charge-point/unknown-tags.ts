// Tags that nobody has registered, noted where they are shown so that an operator can adopt them: a row per organization and tag, written
// once a minute at most. Any charge point of the organization may write it, so it is written only as it was read: a charge point that was
// overtaken looks again, and most often finds the minute noted.

import { foldIdTag, idTagCharacters, type UnknownIdTag, unknownIdTagsTable } from '../../records/id-tag.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { Condition } from '../../runtime/store/store.js'
import { limits } from './limits.js'

const minuteMs = 60_000

export function noteUnknownTag(organizationId: string, idTag: string, context: Context): readonly Effect[] {
  // Nobody could adopt it.
  if (idTag.trim() === '' || idTag.length > idTagCharacters) return []
  const seenAt = Math.floor(context.now() / minuteMs) * minuteMs
  const key = [organizationId, foldIdTag(idTag)]
  const before = context.read().get(unknownIdTagsTable, key)
  // The clock of another node may be in the next minute already.
  const ago = before === undefined ? minuteMs : seenAt - Date.parse(before.last_seen_at)
  if (ago === 0 || ago === -minuteMs) return []
  if (before === undefined && isFull(organizationId, context)) return []
  const seenAtIso = new Date(seenAt).toISOString()
  const row: UnknownIdTag = {
    organization_id: organizationId,
    id_tag: idTag,
    first_seen_at: before?.first_seen_at ?? seenAtIso,
    last_seen_at: seenAtIso,
    count: (before?.count ?? 0) + 1,
    charge_point_id: context.id,
    version: (before?.version ?? 0) + 1,
  }
  const table = unknownIdTagsTable.name
  const asRead: readonly Condition[] =
    before === undefined
      ? [{ table, key, is: 'absent' }, hasRoom(organizationId)]
      : [{ table, key, is: 'version', version: before.version ?? 0 }]
  return [...asRead.map((condition) => effect.require(condition)), effect.put(unknownIdTagsTable, row)]
}

function hasRoom(organizationId: string): Condition {
  const { name: table } = unknownIdTagsTable
  return { table, index: 'byOrganization', group: [organizationId], is: 'below', total: limits.unknownIdTags }
}

function isFull(organizationId: string, context: Context): boolean {
  return context.read().total(unknownIdTagsTable, 'byOrganization', [organizationId]) >= limits.unknownIdTags
}
