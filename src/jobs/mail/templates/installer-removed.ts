// The mail to an installer whose account the operator of the installation has deleted.

import type { MailText } from './layout.js'
import type { ContentOf } from './template.js'

export function installerRemoved({ organizationName, name }: ContentOf<'installer-removed'>): MailText {
  return {
    subject: `Your installer account with ${organizationName} was deleted`,
    parts: [
      { type: 'paragraph', text: `Hello ${name},` },
      {
        type: 'paragraph',
        text: `${organizationName} has deleted your installer account. You can no longer log in. Charge points that you have installed are not affected.`,
      },
    ],
    footer: `You get this mail because you were an installer with ${organizationName}.`,
  }
}
