// The mail with which an installer who has forgotten the password sets a new one. It has nothing in it that whoever signed up has written: the
// address may be somebody else's.

import { type MailText, timeText } from './layout.js'
import type { ContentOf, MailSurroundings } from './template.js'
import { howToUse } from './token-link.js'

export function installerPasswordReset(
  { organizationName, token, expiresAt }: ContentOf<'installer-password-reset'>,
  { appUrl }: MailSurroundings,
): MailText {
  return {
    subject: `Reset your password for ${organizationName}`,
    parts: [
      {
        type: 'paragraph',
        text: `Somebody asked for a new password for your installer account with ${organizationName}. If it was you, set it:`,
      },
      ...howToUse({
        label: 'Set a new password',
        page: 'installer/reset-password',
        token,
        appUrl,
        path: '/api/v1/installer/reset-password',
        fields: { new_password: 'your new password' },
      }),
      {
        type: 'paragraph',
        text: `This can be done once, until ${timeText(expiresAt)}. If it was not you, ignore this mail: your password stays as it is. Do not forward it.`,
      },
    ],
    footer: `You get this mail because you are an installer with ${organizationName}.`,
  }
}
