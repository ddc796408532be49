// The mail to somebody who is invited to become a member of an organization.

import type { Role } from '../../../records/member.js'
import { howToAccept } from './invitation.js'
import type { MailText } from './layout.js'
import type { ContentOf, MailSurroundings } from './template.js'

const withArticle: Readonly<Record<Role, string>> = { admin: 'an admin', member: 'a member', viewer: 'a viewer' }

export function memberInvitation(
  { organizationName, role, token, expiresAt, timeZone }: ContentOf<'member-invitation'>,
  { appUrl, consoleUrl, hasConsole }: MailSurroundings,
): MailText {
  return {
    subject: `Invitation to ${organizationName}`,
    parts: [
      { type: 'paragraph', text: `You are invited to join ${organizationName} as ${withArticle[role]}.` },
      ...howToAccept({
        organizationName,
        token,
        expiresAt,
        timeZone,
        // Where there is no application of the operator's own, the console is it.
        ...(appUrl === undefined && consoleUrl !== undefined
          ? { appUrl: consoleUrl, page: 'invitation' }
          : { appUrl, page: 'accept-invitation' }),
        isEnteredInConsole: hasConsole === true,
        request: { type: 'request', method: 'POST', path: '/api/v1/organizations/invitations/accept', body: { token } },
        key: 'Any valid API key is accepted.',
      }),
    ],
    footer: `You get this mail because ${organizationName} entered this address. If you do not expect an invitation, you can ignore it.`,
  }
}
