// An entry of an organization's audit log: one change that was made with a key, or one attempt that may have changed something.
// Written in the commit of the change itself; never changed, and pruned when its time is over.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'

export interface AuditEntry {
  /** `aud_` and a ULID, given at the commit, whose time is in it; empty until then. */
  readonly id: string
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

/** Unless the operator wants another (`audit_retention_days`). */
const defaultRetentionMs = 365 * 24 * 3_600_000

export const auditTable = defineTable<AuditEntry>({
  name: 'audit_entries',
  key: (row) => [row.id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byKey: (row) => (row.key_id === undefined ? [] : [{ group: [row.organization_id, row.key_id] }]),
    byUser: (row) => (row.user_id === undefined ? [] : [{ group: [row.organization_id, row.user_id] }]),
    byChargePoint: ({ organization_id, resources: { charge_point_id } }) =>
      typeof charge_point_id === 'string' ? [{ group: [organization_id, charge_point_id] }] : [],
    /** What was done to a session; what was only tried is not among it. */
    doneToSession: ({ organization_id, resources: { session_id }, action, status }) =>
      typeof session_id === 'string' && status < 400 ? [{ group: [organization_id, session_id, action] }] : [],
    byAction: (row) => [{ group: [row.organization_id, row.action] }],
  },
  uncounted: ['doneToSession'],
  retention: { timeOf: (row) => timeOfId(row.id), milliseconds: defaultRetentionMs },
  log: { idPrefix: 'aud' },
})
