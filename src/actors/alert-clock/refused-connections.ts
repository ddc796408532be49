// Whether many connections of an organization's charge points are refused. Counted are the attempts that every front has stored:
// so their sum is that of all fronts, lives through a restart, and costs no memory.

import { connectionsRefused, endsBelow } from '../../alert-kinds/connections-refused.js'
import { thresholdOf } from '../../alert-kinds/index.js'
import { finding, notWanted, standingChanges } from '../../alerts/alert.js'
import { alertsTable } from '../../records/alert.js'
import { connectionAttemptsTable } from '../../records/connection-attempt.js'
import { organizationsTable } from '../../records/organization.js'
import type { ReadView } from '../../runtime/store/store.js'
import type { AlertClockOptions } from './options.js'

const kind = connectionsRefused.name
const hourMs = 3_600_000

export async function lookAtRefusedConnections(options: AlertClockOptions): Promise<void> {
  const { view } = options
  for (let last: string | undefined; ; ) {
    const organizationId = nextOrganization(view(), last)
    if (organizationId === undefined) return
    await lookAt(organizationId, options)
    last = organizationId
    await options.pause()
  }
}

/** The next one that has refused attempts, or an alert about them that may be over. */
function nextOrganization(view: ReadView, last: string | undefined): string | undefined {
  const query = { ...(last !== undefined && { from: [`${last}\0`] }), limit: 1 }
  const refused = view.listBy(connectionAttemptsTable, 'refused', [], query)[0]?.organization_id
  const alerted = view.listBy(alertsTable, 'open', [kind], query)[0]?.organization_id
  return [refused, alerted].filter((id) => id !== undefined).sort()[0]
}

async function lookAt(organizationId: string, { view, commit, now, newId }: AlertClockOptions): Promise<void> {
  const at = now()
  const set = view().get(organizationsTable, [organizationId])?.alert_thresholds
  const threshold = thresholdOf(set, kind)
  const found = finding(connectionsRefused, { organizationId, subject: organizationId }, threshold ?? 0)
  const reaches = (count: number): boolean => wereRefused(view(), organizationId, count, at - hourMs)
  const isOpen = typeof threshold === 'number' && reaches(endsBelow(threshold))
  const holds = typeof threshold === 'number' && reaches(threshold)
  const why = threshold === null ? notWanted : undefined
  const changes = [
    ...(holds ? standingChanges(view(), found, true, { now: at, newId }) : []),
    ...(isOpen ? [] : standingChanges(view(), found, false, { now: at, newId }, why)),
  ]
  if (changes.length > 0) await commit(changes)
}

/** Whether the attempt that so many attempts reach back to is from `since` or later: one read, however many there are. */
function wereRefused(view: ReadView, organizationId: string, count: number, since: number): boolean {
  const query = { from: [organizationId], to: [`${organizationId}\0`], reverse: true, offset: count - 1, limit: 1 }
  const attempt = view.listBy(connectionAttemptsTable, 'refused', [], query)[0]
  return attempt !== undefined && Date.parse(attempt.attempted_at) >= since
}
