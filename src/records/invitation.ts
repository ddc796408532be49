// An invitation by mail, to become a member or a site owner of an organization. Whoever has its token can accept it, once: the row
// knows the token's hash alone. Written by the API together with the team's version.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'
import type { Role } from './member.js'
import type { Project } from './site-owner.js'

export type InvitationPurpose =
  | { readonly type: 'member'; readonly role: Role }
  | { readonly type: 'site-owner'; readonly name: string; readonly project?: Project }

/** replaced: the same address was invited again, and that token is the good one. */
export type InvitationStatus = 'open' | 'accepted' | 'revoked' | 'replaced'

export interface Invitation {
  readonly invitation_id: string
  readonly organization_id: string
  readonly email: string
  readonly purpose: InvitationPurpose
  readonly status: InvitationStatus
  /** SHA-256, in hex. */
  readonly token_hash: string
  /** The mail that has the token. */
  readonly mail_id: string
  readonly expires_at: string
  readonly created_at: string
}

const keptMs = 30 * 24 * 3_600_000

export const invitationsTable = defineTable<Invitation>({
  name: 'invitations',
  key: (row) => [row.invitation_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byOpen: (row) => (row.status === 'open' ? [{ group: [row.organization_id, row.purpose.type] }] : []),
    byOpenEmail: (row) =>
      row.status === 'open' ? [{ group: [row.organization_id, row.purpose.type, row.email.toLowerCase()] }] : [],
    byOpenToken: (row) => (row.status === 'open' ? [{ group: [row.token_hash] }] : []),
  },
  uncounted: ['byOpenEmail', 'byOpenToken'],
  retention: { milliseconds: keptMs, timeOf: (row) => timeOfId(row.invitation_id) },
})

/**
 * Who belongs to an organization, as one version: every change of its members and invitations, and every binding of a site owner,
 * raises it. What is decided by looking at several rows, such as that the last admin stays, holds because only one such change at
 * a time goes through.
 */
export interface Team {
  readonly organization_id: string
  readonly version: number
}

export const teamsTable = defineTable<Team>({
  name: 'teams',
  key: (row) => [row.organization_id],
})
