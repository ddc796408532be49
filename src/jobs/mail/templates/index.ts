// The mails by the type of their content. A new one is a file, and a line here.

import type { MailContent } from '../../../records/mail.js'
import { alertRaised } from './alert-raised.js'
import { alertResolved } from './alert-resolved.js'
import { alertSummary } from './alert-summary.js'
import { consoleSignInCode } from './console-sign-in-code.js'
import { disputeOpened } from './dispute-opened.js'
import { installerAddressTaken } from './installer-address-taken.js'
import { installerConfirmation } from './installer-confirmation.js'
import { installerIdentityApproved, installerIdentityRejected } from './installer-identity.js'
import { installerPasswordChanged } from './installer-password-changed.js'
import { installerPasswordReset } from './installer-password-reset.js'
import { installerRemoved } from './installer-removed.js'
import { type RenderedMail, renderMail } from './layout.js'
import { memberInvitation } from './member-invitation.js'
import { siteOwnerInvitation } from './site-owner-invitation.js'
import { siteOwnerSentBack } from './site-owner-sent-back.js'
import type { MailSurroundings, Template } from './template.js'
import { weeklyReport } from './weekly-report.js'

const templates: { readonly [Type in MailContent['type']]: Template<Type> } = {
  'member-invitation': memberInvitation,
  'site-owner-invitation': siteOwnerInvitation,
  'site-owner-sent-back': siteOwnerSentBack,
  'console-sign-in-code': consoleSignInCode,
  'alert-raised': alertRaised,
  'alert-resolved': alertResolved,
  'alert-summary': alertSummary,
  'weekly-report': weeklyReport,
  'dispute-opened': disputeOpened,
  'installer-confirmation': installerConfirmation,
  'installer-address-taken': installerAddressTaken,
  'installer-password-reset': installerPasswordReset,
  'installer-password-changed': installerPasswordChanged,
  'installer-identity-approved': installerIdentityApproved,
  'installer-identity-rejected': installerIdentityRejected,
  'installer-removed': installerRemoved,
}

export function mailOf(content: MailContent, surroundings: MailSurroundings): RenderedMail {
  const template = templates[content.type] as Template<MailContent['type']> | undefined
  // Stored by a later version, which may be back before the mail is given up.
  if (template === undefined) throw new Error(`this version has no mails of type ${content.type}`)
  return renderMail(template(content, surroundings))
}
