// Changes of who belongs to an organization: each raises the team's version, and goes through only if nobody else's came before it.

import { teamsTable } from '../../../records/invitation.js'
import type { Draft } from '../../pipeline/draft.js'

/** To be called before anything is read that the change is decided by, and that the draft does not hold otherwise. */
export function raiseTeam(draft: Draft, organizationId: string): void {
  draft.get(teamsTable, [organizationId])
  draft.put(teamsTable, { organization_id: organizationId })
}
