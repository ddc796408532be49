// An entry of an organization's audit log: one change that was made with a key, or one attempt that may have changed something.
// Written in the commit of the change itself; never changed, and pruned when the time of its id is over.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'

export interface AuditEntry {
  /** `aud_` and a ULID, given at the commit; empty until then. Its time is late after the clock was ahead. */
  readonly id: string
  /** When it was done, wall ms. Rows from before it was kept have it in their id alone. */
  readonly at?: number
  /** Whose log it is in; `noOrganization` where neither the caller nor what was changed belongs to one. */
  readonly organization_id: string
  /** Absent, as all that tells of a caller, where it was a key of another organization. */
  readonly key_id?: string
  /** As it was then. */
  readonly key_name?: string
  /** The member that the key was bound to. */
  readonly user_id?: string
  /** Where it was done with the token of an installer. */
  readonly installer_id?: string
  /** The operation's id in the API's reference. */
  readonly action: string
  readonly method: string
  /** With its parameters, but for those that are secrets. */
  readonly path: string
  /** Ids from the path and from the answer, by name. */
  readonly resources: Readonly<Record<string, string | number>>
  readonly request_id?: string
  readonly remote_address?: string
  readonly status: number
  /** The error code of an attempt that did not succeed. */
  readonly error?: string
  /** The body without secrets, and without what is too large. */
  readonly request_body?: unknown
}

export const noOrganization = ''

/** An entry as it is put: its id is given at the commit. `now`: wall ms. */
export function newAuditEntry(entry: Omit<AuditEntry, 'id' | 'at'>, now: number): AuditEntry {
  return { id: '', at: now, ...entry }
}

/** When it was done, wall ms. */
export function timeOfEntry({ at, id }: { readonly at?: number | undefined; readonly id: string }): number {
  return at ?? timeOfId(id)
}

/** Unless the operator wants another (`audit_retention_days`). */
const defaultRetentionMs = 365 * 24 * 3_600_000

export const auditTable = defineTable<AuditEntry>({
  name: 'audit_entries',
  key: (row) => [row.id],
  // By their times, which callers filter by.
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id], order: [timeOfEntry(row)] }],
    byKey: (row) =>
      row.key_id === undefined ? [] : [{ group: [row.organization_id, row.key_id], order: [timeOfEntry(row)] }],
    byUser: (row) =>
      row.user_id === undefined ? [] : [{ group: [row.organization_id, row.user_id], order: [timeOfEntry(row)] }],
    byChargePoint: (row) => {
      const { charge_point_id } = row.resources
      if (typeof charge_point_id !== 'string') return []
      return [{ group: [row.organization_id, charge_point_id], order: [timeOfEntry(row)] }]
    },
    /** What was done to a session; what was only tried is not among it. */
    doneToSession: ({ organization_id, resources: { session_id }, action, status }) =>
      typeof session_id === 'string' && status < 400 ? [{ group: [organization_id, session_id, action] }] : [],
    byAction: (row) => [{ group: [row.organization_id, row.action], order: [timeOfEntry(row)] }],
  },
  uncounted: ['doneToSession'],
  retention: { timeOf: (row) => timeOfId(row.id), milliseconds: defaultRetentionMs },
  log: { idPrefix: 'aud' },
})
