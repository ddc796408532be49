// The mail with which somebody who signs up as an installer confirms their address. Anybody can have it sent to any address, so nothing in it is
// in the words of whoever signed up.

import { type MailText, timeText } from './layout.js'
import type { ContentOf, MailSurroundings } from './template.js'
import { howToUse } from './token-link.js'

export function installerConfirmation(
  { organizationName, token, signedUpAt, expiresAt }: ContentOf<'installer-confirmation'>,
  { appUrl }: MailSurroundings,
): MailText {
  return {
    subject: `Confirm your email address for ${organizationName}`,
    parts: [
      {
        type: 'paragraph',
        text: `Somebody signed up as an installer with ${organizationName} at ${timeText(signedUpAt)}, and gave this address. If it was you, confirm it:`,
      },
      ...howToUse({
        label: 'Confirm the address',
        page: 'installer/confirm',
        token,
        appUrl,
        path: '/api/v1/installer/confirm',
      }),
      {
        type: 'paragraph',
        text: `This can be done once, until ${timeText(expiresAt)}. If it was not you, do not confirm it: whoever signed up would have an account with your address.`,
      },
    ],
    footer: `You get this mail because somebody gave this address to ${organizationName}.`,
  }
}
