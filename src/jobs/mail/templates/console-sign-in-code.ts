// The mail with the code with which somebody signs in to the console. It has nothing in it that whoever asked for it has written: the address may be
// somebody else's.

import { type MailText, timeText } from './layout.js'
import type { ContentOf } from './template.js'

export function consoleSignInCode({ organizationName, code, expiresAt }: ContentOf<'console-sign-in-code'>): MailText {
  return {
    subject: `Your code to sign in to ${organizationName}`,
    parts: [
      {
        type: 'paragraph',
        text: `Somebody wants to sign in to the console of ${organizationName}. If it was you, enter this code:`,
      },
      { type: 'code', text: code },
      {
        type: 'paragraph',
        text: `It can be used once, until ${timeText(expiresAt)}, and only on the page that asked for it. If it was not you, ignore this mail. Nobody of ${organizationName} ever asks you for this code.`,
      },
    ],
    footer: `You get this mail because you are a member of ${organizationName}.`,
  }
}
