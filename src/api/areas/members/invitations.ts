// Invitations of every kind: made with their mail, found by their token, revoked. A token is random, leaves in the mail alone, and is
// good once and for a week; of an unknown, a used and an expired one nobody learns more than that it is not good.

import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { mailAddress } from '../../../actors/mail/messages.js'
import {
  type Invitation,
  type InvitationPurpose,
  type InvitationStatus,
  invitationsTable,
} from '../../../records/invitation.js'
import { type MailContent, mailsTable } from '../../../records/mail.js'
import type { Organization } from '../../../records/organization.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { lowestIdAt } from '../../../runtime/ids.js'
import type { Change, ReadView } from '../../../runtime/store/store.js'
import { putRow } from '../../pipeline/changes.js'
import { mailChanges } from '../../pipeline/mail.js'
import { type PageQuery, readPage } from '../../pipeline/paging.js'
import type { Answer } from '../../pipeline/route.js'
import { secret, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { limits } from './limits.js'

const tokenBytes = 32
const validForMs = 7 * 24 * 3_600_000
const dayMs = 24 * 3_600_000

/** Whatever else it is, a token that is not good is told as that. */
export const invitationToken = () => Type.String({ ...secret, maxLength: 200, description: 'from the mail' })

/** What every invitation shows. */
export const invitationFields = {
  id: Type.String(),
  email: Type.String(),
  status: Type.Enum(['open', 'expired']),
  mail: Type.Enum(['waiting', 'sent', 'failed'], {
    description: 'failed: no mail server took it; invite again, with another address perhaps',
  }),
  expires_at: timestamp(),
  created_at: timestamp(),
}

export function invitationView(view: ReadView, row: Invitation, now: number) {
  const mail = view.get(mailsTable, [row.mail_id])
  return {
    id: row.invitation_id,
    email: row.email,
    status: isExpired(row, now) ? ('expired' as const) : ('open' as const),
    mail: mailStatus(mail),
    expires_at: row.expires_at,
    created_at: row.created_at,
  }
}

function mailStatus(mail: { readonly content?: MailContent } | undefined): 'waiting' | 'sent' | 'failed' {
  if (mail === undefined) return 'sent'
  return mail.content === undefined ? 'failed' : 'waiting'
}

function isExpired({ expires_at }: Invitation, now: number): boolean {
  return Date.parse(expires_at) <= now
}

export interface NewInvitation {
  readonly row: Invitation
  readonly changes: readonly Change[]
  readonly tell: NonNullable<Answer['tell']>
}

/** One that is open for the same address is replaced: its token is good no longer. Throws `conflict` and `rate_limited` at the bounds. */
export function makeInvitation(
  view: ReadView,
  organization: Organization,
  email: string,
  purpose: InvitationPurpose,
  services: Services,
): NewInvitation {
  const { organization_id } = organization
  const now = services.clock.now()
  const before = openInvitation(view, organization_id, purpose.type, email)
  if (
    before === undefined &&
    view.total(invitationsTable, 'byOpen', [organization_id, purpose.type]) >= limits.openInvitations
  )
    throw conflict(`an organization has at most ${limits.openInvitations} open invitations`)
  const day = { from: [lowestIdAt('inv', now - dayMs)] }
  if (view.countBetween(invitationsTable, 'byOrganization', [organization_id], day) >= limits.invitationsPerDay)
    throw rateLimited(`an organization makes at most ${limits.invitationsPerDay} invitations a day`, {
      retryAfterSeconds: 3_600,
    })
  const token = services.randomBytes(tokenBytes).toString('base64url')
  const expires_at = formatTimestamp(now + validForMs)
  const { name: organizationName, time_zone: timeZone } = organization
  const content = contentOf(purpose, {
    organizationName,
    token,
    expiresAt: expires_at,
    ...(timeZone !== undefined && { timeZone }),
  })
  const mail = mailChanges({ organizationId: organization_id, to: email, content }, services)
  const row: Invitation = {
    invitation_id: services.newId('inv'),
    organization_id,
    email,
    purpose,
    status: 'open',
    token_hash: hashOf(token),
    mail_id: mail.mailId,
    expires_at,
    created_at: formatTimestamp(now),
  }
  const replaced = before === undefined ? undefined : closeInvitation(before, 'replaced')
  return {
    row,
    changes: [...(replaced?.changes ?? []), putRow(invitationsTable, row), ...mail.changes],
    tell: replaced?.tell ?? [],
  }
}

function contentOf(
  purpose: InvitationPurpose,
  common: {
    readonly organizationName: string
    readonly token: string
    readonly expiresAt: string
    readonly timeZone?: string
  },
): MailContent {
  return purpose.type === 'member'
    ? { type: 'member-invitation', role: purpose.role, ...common }
    : { type: 'site-owner-invitation', name: purpose.name, ...common }
}

/** A mail that still waits has nothing to say any more. */
export function closeInvitation(
  row: Invitation,
  status: Exclude<InvitationStatus, 'open'>,
): Pick<NewInvitation, 'changes' | 'tell'> {
  return {
    changes: [putRow(invitationsTable, { ...row, status })],
    tell: [{ to: mailAddress(row.mail_id), message: { type: 'withdraw' } }],
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Whom they invite, and as what. */
export type InvitationOf<Type extends InvitationPurpose['type']> = Invitation & {
  readonly purpose: Extract<InvitationPurpose, { readonly type: Type }>
}

/** Throws the one `not_found` for every token that is not good. */
export function invitationByToken<Type extends InvitationPurpose['type']>(
  view: ReadView,
  type: Type,
  token: string,
  now: number,
): InvitationOf<Type> {
  const [row] = view.listBy(invitationsTable, 'byOpenToken', [hashOf(token)], { limit: 1 })
  if (row?.purpose.type === type && !isExpired(row, now)) return row as InvitationOf<Type>
  throw notFound('this token is not good: it is unknown, was used or revoked, or has expired')
}

function openInvitation(
  view: ReadView,
  organizationId: string,
  type: InvitationPurpose['type'],
  email: string,
): Invitation | undefined {
  return view.listBy(invitationsTable, 'byOpenEmail', [organizationId, type, email.toLowerCase()], { limit: 1 })[0]
}

/** Throws `not_found`, also for one of another organization or kind, and one that is not open. */
export function ownInvitation(
  view: ReadView,
  organizationId: string,
  type: InvitationPurpose['type'],
  invitationId: string,
): Invitation {
  const row = view.get(invitationsTable, [invitationId])
  if (row?.organization_id === organizationId && row.purpose.type === type && row.status === 'open') return row
  throw notFound('there is no such invitation')
}

/** Those that are open, expired ones among them until they are forgotten. */
export function openInvitations<Type extends InvitationPurpose['type']>(
  view: ReadView,
  organizationId: string,
  type: Type,
  query: PageQuery,
): { readonly rows: InvitationOf<Type>[]; readonly total: number } {
  const list = { index: 'byOpen', group: [organizationId, type] }
  const { rows, total } = readPage({ view, table: invitationsTable, list, query, newestFirst: true })
  return { rows: rows as InvitationOf<Type>[], total }
}
