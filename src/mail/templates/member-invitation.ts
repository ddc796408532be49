// The mail to somebody who is invited to become a member of an organization.

import type { MailText } from '../layout.js'
import type { ContentOf, MailSurroundings } from './index.js'
import { howToAccept } from './invitation.js'

export function memberInvitation(
  { organizationName, role, token, expiresAt }: ContentOf<'member-invitation'>,
  { appUrl }: MailSurroundings,
): MailText {
  return {
    subject: `Invitation to ${organizationName}`,
    parts: [
      { type: 'paragraph', text: `You are invited to join ${organizationName} with the role ${role}.` },
      ...howToAccept({ token, expiresAt, appUrl, page: 'accept-invitation' }),
    ],
    footer: `${organizationName} gave this address. If you do not expect an invitation, you can ignore it.`,
  }
}
