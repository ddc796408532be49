// Invitations of every kind: made with their mail, found by their token, closed. A token is random, leaves in the mail alone, and is
// good once and for a week; of an unknown, a used and an expired one nobody learns more than that it is not good.

import { rateLimited } from '../../../actors/command-router/errors.js'
import { mailAddress } from '../../../actors/mail/messages.js'
import {
  type Invitation,
  type InvitationPurpose,
  type InvitationStatus,
  invitationsTable,
} from '../../../records/invitation.js'
import type { MailContent } from '../../../records/mail.js'
import type { Organization } from '../../../records/organization.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { lowestIdAt } from '../../../runtime/ids.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { putRow } from '../../pipeline/changes.js'
import type { Draft } from '../../pipeline/draft.js'
import { sendMail } from '../../pipeline/mail.js'
import { sha256Hex } from '../../pipeline/make-key.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { limits } from './limits.js'
import { raiseTeam } from './team.js'

const tokenBytes = 32
const validForMs = 7 * 24 * 3_600_000
const dayMs = 24 * 3_600_000

/** What somebody is invited to become. */
export type Kind = InvitationPurpose['type']
export type PurposeOf<Of extends Kind> = Extract<InvitationPurpose, { readonly type: Of }>
export type InvitationOf<Of extends Kind> = Invitation & { readonly purpose: PurposeOf<Of> }

export function isExpired({ expires_at }: Invitation, now: number): boolean {
  return Date.parse(expires_at) <= now
}

/**
 * Under the team's version. An invitation that is open for the same address is replaced: its token is good no longer. Throws `conflict`
 * and `rate_limited` at the bounds.
 */
export function makeInvitation<Of extends Kind>(
  draft: Draft,
  organization: Organization,
  email: string,
  purpose: PurposeOf<Of>,
  services: Services,
): InvitationOf<Of> {
  const { organization_id } = organization
  const now = services.clock.now()
  const before = openInvitation(draft.view, organization_id, purpose.type, email)
  if (before === undefined) {
    const tooMany = conflict(
      `an organization has at most ${limits.openInvitations} open invitations: revoke one, or wait until one has been accepted or has expired`,
    )
    const open = { index: 'byOpen', group: [organization_id, purpose.type] }
    draft.requireRoom(invitationsTable, open, limits.openInvitations, tooMany)
  }
  const day = { from: [lowestIdAt('inv', now - dayMs)] }
  if (draft.view.countBetween(invitationsTable, 'byOrganization', [organization_id], day) >= limits.invitationsPerDay)
    throw rateLimited(
      `an organization can send at most ${limits.invitationsPerDay} invitations a day: send the others later`,
      {
        retryAfterSeconds: 3_600,
      },
    )
  const token = services.randomBytes(tokenBytes).toString('base64url')
  const expires_at = formatTimestamp(now + validForMs)
  const content = contentOf(purpose, organization, token, expires_at)
  const mail_id = sendMail(draft, { organizationId: organization_id, to: email, content }, services)
  if (before !== undefined) closeInvitation(draft, before, 'replaced')
  const row: Invitation = {
    invitation_id: services.newId('inv'),
    organization_id,
    email,
    purpose,
    status: 'open',
    token_hash: sha256Hex(token),
    mail_id,
    expires_at,
    created_at: formatTimestamp(now),
  }
  return draft.putPlain(invitationsTable, row) as InvitationOf<Of>
}

function contentOf(
  purpose: InvitationPurpose,
  { name: organizationName, time_zone: timeZone }: Organization,
  token: string,
  expiresAt: string,
): MailContent {
  const common = { organizationName, token, expiresAt, ...(timeZone !== undefined && { timeZone }) }
  return purpose.type === 'member'
    ? { type: 'member-invitation', role: purpose.role, ...common }
    : { type: 'site-owner-invitation', name: purpose.name, ...common }
}

/** Under the team's version. A mail that still waits is not sent any more. */
export function closeInvitation(draft: Draft, row: Invitation, status: Exclude<InvitationStatus, 'open'>): void {
  draft.add({ changes: [putRow(invitationsTable, { ...row, status })] })
  draft.tell({ to: mailAddress(row.mail_id), message: { type: 'withdraw' } })
}

/**
 * The invitation that a token is for, accepted with the draft; who joins is up to the caller. Throws the one `not_found` for every token
 * that is not good.
 */
export function acceptInvitation<Of extends Kind>(
  draft: Draft,
  kind: Of,
  token: string,
  now: number,
): InvitationOf<Of> {
  const [row] = draft.view.listBy(invitationsTable, 'byOpenToken', [sha256Hex(token)], { limit: 1 })
  if (row?.purpose.type !== kind || isExpired(row, now))
    throw notFound('this token is not valid: it is unknown, has been used or revoked, or has expired')
  raiseTeam(draft, row.organization_id)
  draft.concern({ organizationId: row.organization_id })
  closeInvitation(draft, row, 'accepted')
  return row as InvitationOf<Of>
}

function openInvitation(view: ReadView, organizationId: string, kind: Kind, email: string): Invitation | undefined {
  return view.listBy(invitationsTable, 'byOpenEmail', [organizationId, kind, email.toLowerCase()], { limit: 1 })[0]
}
