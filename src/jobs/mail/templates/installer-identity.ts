// The mails to an installer whose identity the operator of the installation has approved or rejected.

import { appPage } from './app-page.js'
import type { MailText, Part } from './layout.js'
import type { ContentOf, MailSurroundings } from './template.js'

export function installerIdentityApproved({
  organizationName,
  name,
}: ContentOf<'installer-identity-approved'>): MailText {
  return {
    subject: `${organizationName} has verified your identity`,
    parts: [
      { type: 'paragraph', text: `Hello ${name},` },
      { type: 'paragraph', text: `${organizationName} has verified your identity. You can commission charge points.` },
    ],
    footer: footer(organizationName),
  }
}

export function installerIdentityRejected(
  { organizationName, name, reason }: ContentOf<'installer-identity-rejected'>,
  { appUrl }: MailSurroundings,
): MailText {
  return {
    subject: `${organizationName} could not verify your identity`,
    parts: [
      { type: 'paragraph', text: `Hello ${name},` },
      {
        type: 'paragraph',
        text: `${organizationName} has reviewed the documents that you submitted, and could not verify your identity, for this reason:`,
      },
      { type: 'paragraph', text: reason },
      ...howToResubmit(appUrl),
    ],
    footer: footer(organizationName),
  }
}

const footer = (organizationName: string): string =>
  `You get this mail because you are an installer with ${organizationName}.`

function howToResubmit(appUrl: string | undefined): readonly Part[] {
  if (appUrl !== undefined)
    return [{ type: 'link', label: 'Submit other documents', url: appPage(appUrl, 'installer/identity') }]
  return [
    {
      type: 'paragraph',
      text: 'Submit other documents with POST /api/v1/installer/verify-identity and your access token.',
    },
  ]
}
