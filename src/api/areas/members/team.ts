// Changes of who belongs to an organization, new keys among them: each raises the team's version, and goes through only if nobody
// else's came before it.

import { teamsTable } from '../../../records/invitation.js'
import type { Change, ReadView } from '../../../runtime/store/store.js'
import { putRow, unchanged } from '../../pipeline/changes.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Precondition } from '../../pipeline/route.js'

export interface TeamChange {
  readonly changes: readonly Change[]
  readonly conditions: readonly Precondition[]
}

/** To be read before anything that the change is decided by; the handler runs again when it has lost a race. */
export function changeTeam(view: ReadView, organizationId: string): (changes: readonly Change[]) => TeamChange {
  const key = [organizationId]
  const before = view.get(teamsTable, key)
  const team = { organization_id: organizationId, version: (before?.version ?? 0) + 1 }
  return (changes) => ({
    changes: [...changes, putRow(teamsTable, team)],
    conditions: [{ condition: unchanged(teamsTable, key, before) }],
  })
}

/** The same through a draft: to be called before anything is read that the change is decided by, and not held otherwise. */
export function raiseTeam(draft: Draft, organizationId: string): void {
  draft.get(teamsTable, [organizationId])
  draft.put(teamsTable, { organization_id: organizationId })
}
