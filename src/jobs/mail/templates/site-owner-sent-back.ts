// The mail to a site owner whose onboarding the organization has sent back.

import { appPage } from './app-page.js'
import type { MailText, Part } from './layout.js'
import type { ContentOf, MailSurroundings } from './template.js'

export function siteOwnerSentBack(
  { organizationName, name, reason }: ContentOf<'site-owner-sent-back'>,
  { appUrl }: MailSurroundings,
): MailText {
  return {
    subject: `${organizationName} asks you for changes`,
    parts: [
      { type: 'paragraph', text: `Hello ${name},` },
      {
        type: 'paragraph',
        text: `${organizationName} has reviewed the details and documents that you submitted as the owner of a site, and asks you for changes, for this reason:`,
      },
      { type: 'paragraph', text: reason },
      ...howToResubmit(appUrl),
    ],
    footer: `You get this mail because you are a site owner of ${organizationName}.`,
  }
}

function howToResubmit(appUrl: string | undefined): readonly Part[] {
  const todo = 'Make these changes, and submit your details again'
  if (appUrl !== undefined)
    return [
      { type: 'paragraph', text: `${todo}.` },
      { type: 'link', label: 'Change your details', url: appPage(appUrl, 'site-owner/onboarding') },
    ]
  return [
    {
      type: 'paragraph',
      text: `${todo}, with the API key that acts on your behalf. Your details are at /api/v1/site-owner/profile, your account and documents below /api/v1/site-owner/onboarding; this request submits them:`,
    },
    { type: 'request', method: 'POST', path: '/api/v1/site-owner/onboarding/complete' },
  ]
}
