// The name of whoever stands in a record by an id: what people read in its place. Never who may do what.

import { apiKeysTable } from '../../records/api-key.js'
import { membersTable } from '../../records/member.js'
import type { ReadView } from '../../runtime/store/store.js'

/**
 * Of `api_key:key_…`, `user:usr_…`, or the id alone: the name of the key or of the member today. The text as it is where the organization has
 * neither any more, and for whom has no name here.
 */
export function actorName(view: ReadView, organizationId: string, by: string): string {
  const id = by.replace(/^(?:api_key|user):/, '')
  const key = view.get(apiKeysTable, [id])
  if (key?.organization_id === organizationId) return key.name
  return view.get(membersTable, [organizationId, id])?.name ?? by
}
