// What a charge point is told about an id tag (OCPP 1.6, 4.1 and 6.10): the organization's own tags, its guests', then its rule for unknown ones.

import type { ReadView } from '../../runtime/store.js'
import { foldIdTag, idTagsTable } from '../records/id-tag.js'
import { organizationsTable } from '../records/organization.js'
import { guestInfo, guestOf } from './guests.js'
import { type IdTagInfo, writeTimestamp } from './ocpp/index.js'

export interface Authorization {
  readonly info: IdTagInfo
  /** Whether the tag is one that the organization knows. */
  readonly known: boolean
}

/** Never ConcurrentTx: a driver who stops with the tag that started would be refused by some charge points. */
export function authorizeIdTag(view: ReadView, organizationId: string, idTag: string, now: number): Authorization {
  const tag = view.get(idTagsTable, [organizationId, foldIdTag(idTag)])
  if (tag === undefined) {
    const guest = guestOf(view, organizationId, idTag)
    if (guest !== undefined) return { info: guestInfo(guest, now), known: true }
    const rule = view.get(organizationsTable, [organizationId])?.unknown_id_tags ?? 'accept'
    return { info: { status: rule === 'accept' && idTag !== '' ? 'Accepted' : 'Invalid' }, known: false }
  }
  const expiresAt = tag.expiry_date === undefined ? undefined : Date.parse(tag.expiry_date)
  const expired = expiresAt !== undefined && expiresAt <= now
  return {
    info: {
      status: expired && tag.status === 'Accepted' ? 'Expired' : tag.status,
      ...(expiresAt !== undefined && { expiryDate: writeTimestamp(expiresAt) }),
      ...(tag.parent_id_tag !== undefined && { parentIdTag: tag.parent_id_tag }),
    },
    known: true,
  }
}
