// Invitations of members: made, listed and revoked by the organization, accepted by whoever has the token from the mail.

import { Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { scopes } from '../../../records/api-key.js'
import type { Member } from '../../../records/member.js'
import { membersTable, roles } from '../../../records/member.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { notBlank } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { putRow } from '../../pipeline/changes.js'
import { defineList } from '../../pipeline/list-route.js'
import { defineRoute } from '../../pipeline/route.js'
import { emailAddress, named } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import { organizationParams, ownOrganization } from '../organizations/organizations.js'
import { memberExists } from './errors.js'
import {
  closeInvitation,
  type InvitationOf,
  invitationByToken,
  invitationFields,
  invitationToken,
  invitationView,
  makeInvitation,
  openInvitations,
  ownInvitation,
} from './invitations.js'
import { limits } from './limits.js'
import { memberFields, memberView } from './members.js'
import { changeTeam } from './team.js'

const invitationSchema = named('MemberInvitation', { ...invitationFields, role: Type.Enum([...roles]) })

function memberInvitationView(view: ReadView, row: InvitationOf<'member'>, now: number) {
  return { ...invitationView(view, row, now), role: row.purpose.role }
}

function requireRoom(view: ReadView, organizationId: string): void {
  if (view.total(membersTable, 'byOrganization', [organizationId]) >= limits.members)
    throw conflict(`an organization has at most ${limits.members} members`)
}

function requireStranger(view: ReadView, organizationId: string, email: string): void {
  if (view.listBy(membersTable, 'byEmail', [organizationId, email.toLowerCase()], { limit: 1 }).length > 0)
    throw memberExists('somebody with this address is a member already')
}

const inviteMember = defineRoute({
  method: 'POST',
  path: '/api/v1/organizations/{org_id}/invitations',
  operationId: 'inviteMember',
  summary: 'Invite somebody to become a member',
  description:
    'They get a mail with a token that is good once, for seven days. The token is in no answer. Inviting the same address again ' +
    'sends a new token and makes the earlier one invalid.',
  tags: ['Organizations'],
  surface: operator,
  scopes: ['write:organisations'],
  params: organizationParams,
  body: Type.Object({ email: emailAddress(), role: Type.Enum([...roles]) }),
  responses: { 201: invitationSchema },
  errors: [notFound, memberExists, conflict, rateLimited],
  sheddable: 'never',
  examples: { viewer: { email: 'anna@example.com', role: 'viewer' } },
  handle({ principal, params, body }, services) {
    const organization = ownOrganization(principal, params.org_id)
    const { organization_id } = organization
    const view = services.view()
    const change = changeTeam(view, organization_id)
    requireStranger(view, organization_id, body.email)
    requireRoom(view, organization_id)
    const purpose = { type: 'member', role: body.role } as const
    const { row, changes, tell } = makeInvitation(view, organization, body.email, purpose, services)
    const shown = memberInvitationView(view, { ...row, purpose }, services.clock.now())
    return { status: 201, body: { ...shown, mail: 'waiting' }, tell, ...change(changes) }
  },
})

const listInvitations = defineList({
  surface: operator,
  path: '/api/v1/organizations/{org_id}/invitations',
  operationId: 'listInvitations',
  summary: 'List invitations that nobody has accepted yet, newest first',
  description: 'Expired ones stay in the list for a while, so that they can be sent again.',
  tags: ['Organizations'],
  scopes: ['read:organisations'],
  params: organizationParams,
  row: invitationSchema,
  perPage: 50,
  maximum: 200,
  errors: [notFound],
  read({ principal, params, query }, services) {
    const { organization_id } = ownOrganization(principal, params.org_id)
    const view = services.view()
    const now = services.clock.now()
    const { rows, total } = openInvitations(view, organization_id, 'member', query)
    const data = rows.map((row) => memberInvitationView(view, row, now))
    return { rows: data, total }
  },
})

const revokeInvitation = defineRoute({
  method: 'DELETE',
  path: '/api/v1/organizations/{org_id}/invitations/{invitation_id}',
  operationId: 'revokeInvitation',
  summary: 'Revoke an invitation',
  tags: ['Organizations'],
  surface: operator,
  scopes: ['write:organisations'],
  params: Type.Object({ ...organizationParams.properties, invitation_id: Type.String({ maxLength: 64 }) }),
  responses: { 204: null },
  errors: [notFound, conflict],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const { organization_id } = ownOrganization(principal, params.org_id)
    const view = services.view()
    const change = changeTeam(view, organization_id)
    const { changes, tell } = closeInvitation(
      ownInvitation(view, organization_id, 'member', params.invitation_id),
      'revoked',
    )
    return { status: 204, tell, ...change(changes) }
  },
})

const acceptInvitation = defineRoute({
  method: 'POST',
  path: '/api/v1/organizations/invitations/accept',
  operationId: 'acceptInvitation',
  summary: 'Accept an invitation and become a member',
  description:
    'The token says which organization and which role, so every valid key will do. A token that is unknown, used, revoked or expired ' +
    'is 404 `not_found`, without a word about which of these.',
  tags: ['Organizations'],
  surface: operator,
  scopes,
  body: Type.Object({
    token: invitationToken(),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        ...notBlank,
        description: 'what is before the @ of the address, unless given',
      }),
    ),
  }),
  responses: { 200: Type.Object({ organization_id: Type.String(), ...memberFields }) },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: { accept: { token: 'M4uN0tAReaL0ne-TheMailHasIt_0123456789abcde', name: 'Anna Example' } },
  handle({ body }, services) {
    const view = services.view()
    const now = services.clock.now()
    const invitation = invitationByToken(view, 'member', body.token, now)
    const { organization_id, email, purpose } = invitation
    const change = changeTeam(view, organization_id)
    requireRoom(view, organization_id)
    const member: Member = {
      organization_id,
      user_id: services.newId('usr'),
      version: 1,
      email,
      name: body.name ?? email.slice(0, email.indexOf('@')),
      role: purpose.role,
      joined_at: formatTimestamp(now),
    }
    const { changes, tell } = closeInvitation(invitation, 'accepted')
    return {
      status: 200,
      body: { organization_id, ...memberView(member) },
      concerns: { organizationId: organization_id },
      tell,
      ...change([...changes, putRow(membersTable, member)]),
    }
  },
})

export const invitationRoutes = [inviteMember, listInvitations, revokeInvitation, acceptInvitation]
