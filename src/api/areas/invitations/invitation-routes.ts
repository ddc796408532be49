// The routes that invitations of every kind have: an organization sends, lists and revokes them. Those who accept one do so by a route of the
// area that they join.

import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { invitationsTable } from '../../../records/invitation.js'
import { type MailContent, mailsTable } from '../../../records/mail.js'
import { conflict, type ErrorKind, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Area, Path } from '../../pipeline/area.js'
import type { Draft } from '../../pipeline/draft.js'
import { readPage } from '../../pipeline/paging.js'
import type { Route } from '../../pipeline/route.js'
import { emailAddress, named, secret, timestamp } from '../../pipeline/schemas.js'
import type { Principal } from '../../surfaces/principal.js'
import { recentSignIn } from '../../surfaces/recent-sign-in.js'
import {
  closeInvitation,
  type InvitationOf,
  isExpired,
  type Kind,
  makeInvitation,
  type PurposeOf,
} from './invitations.js'
import { raiseTeam } from './team.js'

export interface InvitationOptions<Of extends Kind, Fields extends TProperties> {
  readonly kind: Of
  /** Behind the area's; that of one invitation has its identifier behind it. */
  readonly path: Path
  /** The name of an invitation's schema in the OpenAPI document. */
  readonly schemaName: string
  /** What it shows of its purpose. */
  readonly fields: Fields
  show(purpose: PurposeOf<Of>): Static<TObject<Fields>>
}

interface Words {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
}

export interface InvitationRoutes<Of extends Kind> {
  invite<Fields extends TProperties>(
    options: Words & {
      /** Of the body, beside the address. */
      readonly fields: Fields
      readonly errors?: readonly ErrorKind[]
      readonly examples: Readonly<Record<string, unknown>>
      /** Throws where they cannot be invited, by what it reads through the draft. */
      purpose(
        body: Static<TObject<Fields>> & { readonly email: string },
        draft: Draft,
        caller: Principal,
      ): PurposeOf<Of>
    },
  ): Route
  /** Those that are open, expired ones among them until they are forgotten. */
  list(options: Words): Route
  revoke(options: Words): Route
}

/** The text of a token may be anything: one that is not good is `not_found`. */
export const invitationToken = () => Type.String({ ...secret, maxLength: 200, description: 'The token from the mail.' })

const invitationFields = {
  id: Type.String(),
  email: Type.String(),
  status: Type.Enum(['open', 'expired']),
  mail: Type.Enum(['waiting', 'sent', 'failed'], {
    description:
      '`failed` means that no mail server accepted the mail. Send another invitation, perhaps to another address.',
  }),
  expires_at: timestamp(),
  created_at: timestamp(),
}

function mailStatus(mail: { readonly content?: MailContent } | undefined): 'waiting' | 'sent' | 'failed' {
  if (mail === undefined) return 'sent'
  return mail.content === undefined ? 'failed' : 'waiting'
}

export function invitationRoutes<Scope extends string, Of extends Kind, Fields extends TProperties>(
  area: Area<Principal, Scope>,
  { kind, path, schemaName, fields, show }: InvitationOptions<Of, Fields>,
): InvitationRoutes<Of> {
  const schema = named(schemaName, { ...invitationFields, ...fields })

  function viewOf(view: ReadView, row: InvitationOf<Of>, now: number) {
    return {
      id: row.invitation_id,
      email: row.email,
      status: isExpired(row, now) ? ('expired' as const) : ('open' as const),
      mail: mailStatus(view.get(mailsTable, [row.mail_id])),
      expires_at: row.expires_at,
      created_at: row.created_at,
      ...show(row.purpose),
    }
  }

  return {
    invite: ({ fields, errors = [], purpose, ...route }) =>
      area.post(path, {
        ...route,
        requires: [recentSignIn],
        body: Type.Object({ email: emailAddress(), ...fields }),
        answer: schema,
        status: 201,
        errors: [...errors, conflict, rateLimited],
        change({ principal, body }, draft, services) {
          const { organization } = principal
          raiseTeam(draft, organization.organization_id)
          const asked = body as never as Parameters<typeof purpose>[0]
          const row = makeInvitation<Of>(draft, organization, asked.email, purpose(asked, draft, principal), services)
          return { ...viewOf(draft.view, row, services.clock.now()), mail: 'waiting' }
        },
      }),

    list: (words) =>
      area.list(path, {
        ...words,
        row: schema,
        perPage: 50,
        maximum: 200,
        read({ principal, query }, services) {
          const view = services.view()
          const now = services.clock.now()
          const list = { index: 'byOpen', group: [principal.organization.organization_id, kind] }
          const { rows, total } = readPage({ view, table: invitationsTable, list, query, newestFirst: true })
          return { rows: rows.map((row) => viewOf(view, row as InvitationOf<Of>, now)), total }
        },
      }),

    revoke: (words) =>
      area.delete(`${path as ''}/{invitation_id}`, {
        ...words,
        params: { invitation_id: Type.String({ maxLength: 64 }) },
        answer: null,
        errors: [conflict],
        change({ principal, params }, draft) {
          const { organization_id } = principal.organization
          raiseTeam(draft, organization_id)
          const row = draft.view.get(invitationsTable, [params.invitation_id])
          if (row?.organization_id !== organization_id || row.purpose.type !== kind || row.status !== 'open')
            throw notFound('there is no such invitation')
          closeInvitation(draft, row, 'revoked')
          return undefined
        },
      }),
  }
}
