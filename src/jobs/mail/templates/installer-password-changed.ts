// The mail to an installer whose password has been set anew.

import { type MailText, timeText } from './layout.js'
import type { ContentOf } from './template.js'

export function installerPasswordChanged({
  organizationName,
  name,
  at,
}: ContentOf<'installer-password-changed'>): MailText {
  return {
    subject: `Your password for ${organizationName} was changed`,
    parts: [
      { type: 'paragraph', text: `Hello ${name},` },
      {
        type: 'paragraph',
        text: `The password of your installer account with ${organizationName} was changed at ${timeText(at)}, and everybody who was logged in has been logged out. If it was not you, somebody else reads your mail: secure your mailbox first, then set another password.`,
      },
    ],
    footer: `You get this mail because you are an installer with ${organizationName}.`,
  }
}
