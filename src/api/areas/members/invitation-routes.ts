// Invitations of members: sent, listed and revoked by the organization, accepted by whoever has the token from the mail.

import { Type } from 'typebox'
import { scopes } from '../../../records/api-key.js'
import { membersTable, roles } from '../../../records/member.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { filledLine } from '../../../runtime/fault-words.js'
import { invitationToken, invitationRoutes as routesOf } from '../invitations/invitation-routes.js'
import { area as organizationsArea } from '../organizations/area.js'
import { area } from './area.js'
import { memberExists } from './errors.js'
import { joinByInvitation, requireRoom } from './join.js'
import { memberFields, memberView } from './members.js'

const routes = routesOf(area, {
  kind: 'member',
  path: '/invitations',
  schemaName: 'MemberInvitation',
  fields: { role: Type.Enum([...roles]) },
  show: ({ role }) => ({ role }),
})

const inviteMember = routes.invite({
  operationId: 'inviteMember',
  summary: 'Invite somebody to become a member',
  description:
    'Sends a mail with a token that can be used once, within seven days. No answer contains the token. Inviting the same address again sends a ' +
    'new token and makes the earlier one invalid.',
  fields: { role: Type.Enum([...roles]) },
  errors: [memberExists],
  examples: { viewer: { email: 'anna@example.com', role: 'viewer' } },
  purpose({ email, role }, draft, { organization: { organization_id } }) {
    // Under the team's version: whoever joins with this address raises it.
    const known = draft.view.listBy(membersTable, 'byEmail', [organization_id, email.toLowerCase()], { limit: 1 })
    if (known.length > 0) throw memberExists('a member already has this address')
    requireRoom(draft, organization_id)
    return { type: 'member', role }
  },
})

const listInvitations = routes.list({
  operationId: 'listInvitations',
  summary: 'List invitations that nobody has accepted yet, newest first',
  description: 'Expired invitations stay in the list for a while, so that they can be sent again.',
})

const revokeInvitation = routes.revoke({ operationId: 'revokeInvitation', summary: 'Revoke an invitation' })

const acceptMemberInvitation = organizationsArea.post('/invitations/accept', {
  operationId: 'acceptInvitation',
  summary: 'Accept an invitation and become a member',
  description:
    'The token determines the organization and the role, so any valid key can be used. The answer is 404 `not_found` for a token that is ' +
    'unknown, used, revoked or expired, and does not say which.',
  scopes,
  body: Type.Object({
    token: invitationToken(),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        ...filledLine,
        description: 'The part of the address before the @ if you leave it out.',
      }),
    ),
  }),
  answer: Type.Object({ organization_id: Type.String(), ...memberFields }),
  errors: [notFound, conflict],
  examples: { accept: { token: 'M4uN0tAReaL0ne-TheMailHasIt_0123456789abcde', name: 'Anna Example' } },
  change({ body }, draft, services) {
    const member = joinByInvitation(draft, body.token, body.name, services)
    return { organization_id: member.organization_id, ...memberView(member) }
  },
})

export const invitationRoutes = [inviteMember, listInvitations, revokeInvitation, acceptMemberInvitation]
