// Somebody joins an organization with the token of an invitation: with a request to the API, or by signing in to the console with it.

import { type Member, membersTable } from '../../../records/member.js'
import { conflict } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { acceptInvitation } from '../invitations/invitations.js'
import { limits } from './limits.js'

/** Throws `conflict` where the organization has as many members as it may. */
export function requireRoom(draft: Draft, organizationId: string): void {
  const tooMany = conflict(`an organization has at most ${limits.members} members: remove one before another joins`)
  draft.requireRoom(membersTable, { index: 'byOrganization', group: [organizationId] }, limits.members, tooMany)
}

/** Without a name, it is the part of the address before the @. Throws `not_found` for a token that is not good. */
export function joinByInvitation(
  draft: Draft,
  token: string,
  name: string | undefined,
  services: Pick<Services, 'newId' | 'clock'>,
): Member {
  const now = services.clock.now()
  const { organization_id, email, purpose } = acceptInvitation(draft, 'member', token, now)
  requireRoom(draft, organization_id)
  return draft.put(membersTable, {
    organization_id,
    user_id: services.newId('usr'),
    email,
    name: name ?? email.slice(0, email.indexOf('@')),
    role: purpose.role,
    joined_at: formatTimestamp(now),
  })
}
