// The mail to the owner of a site who is invited to have charge points of an organization there.

import { howToAccept } from './invitation.js'
import type { MailText } from './layout.js'
import type { ContentOf, MailSurroundings } from './template.js'

export function siteOwnerInvitation(
  { organizationName, name, token, expiresAt, timeZone }: ContentOf<'site-owner-invitation'>,
  { appUrl }: MailSurroundings,
): MailText {
  const path = `/api/v1/site-owner/accept-invitation/${encodeURIComponent(token)}`
  return {
    subject: `${organizationName} invites you as a site owner`,
    parts: [
      { type: 'paragraph', text: `Hello ${name},` },
      {
        type: 'paragraph',
        text: `${organizationName} invites you as the owner of a site. After you have accepted, you are asked for your details, your payout account, and documents.`,
      },
      ...howToAccept({
        organizationName,
        token,
        expiresAt,
        timeZone,
        appUrl,
        page: 'site-owner/accept-invitation',
        request: { type: 'request', method: 'POST', path },
        key: 'The API key that you use for this request will act on your behalf from then on.',
      }),
    ],
    footer: `You get this mail because ${organizationName} entered this address. If you do not expect an invitation, you can ignore it.`,
  }
}
