// The mail to an installer whose address somebody has signed up with again: the answer to the request does not say that there is an account.

import { appPage } from './app-page.js'
import type { MailText, Part } from './layout.js'
import type { ContentOf, MailSurroundings } from './template.js'

export function installerAddressTaken(
  { organizationName }: ContentOf<'installer-address-taken'>,
  { appUrl }: MailSurroundings,
): MailText {
  return {
    subject: `You already have an account with ${organizationName}`,
    parts: [
      {
        type: 'paragraph',
        text: `Somebody signed up as an installer with ${organizationName} and gave this address, which already has an account. Nothing has been changed. If it was you, log in, or reset your password if you have forgotten it.`,
      },
      ...howToReset(appUrl),
    ],
    footer: `You get this mail because you are an installer with ${organizationName}.`,
  }
}

function howToReset(appUrl: string | undefined): readonly Part[] {
  if (appUrl !== undefined) return [{ type: 'link', label: 'Log in', url: appPage(appUrl, 'installer/login') }]
  const body = { email: 'your address' }
  return [{ type: 'request', method: 'POST', path: '/api/v1/installer/forgot-password', body, open: true }]
}
