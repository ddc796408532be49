// Mails to installers. They are in the name of the operator of the installation.

import type { MailWish } from '../../../actors/mail/new-mail.js'
import { noOrganization } from '../../../records/audit-entry.js'
import type { InstallerMailContent } from '../../../records/mail.js'
import type { Draft } from '../../pipeline/draft.js'
import { mailChanges } from '../../pipeline/mail.js'
import type { Services } from '../../pipeline/services.js'
import { operatorOf } from '../organizations/operator.js'

type Content = InstallerMailContent extends infer One
  ? One extends unknown
    ? Omit<One, 'organizationName'>
    : never
  : never

/** Sent once the draft is committed. */
export function addMail(draft: Draft, to: string, content: Content, services: Services): void {
  addMailFor(draft, { to, isForNobody: false }, content, services)
}

/** Takes the same time and room where it is for nobody, who is sent nothing. */
export function addMailFor(
  draft: Draft,
  recipient: Pick<MailWish, 'to' | 'isForNobody'>,
  content: Content,
  services: Services,
): void {
  const organizationName = operatorOf(draft.view)?.name ?? 'the operator'
  const said = { ...content, organizationName } as InstallerMailContent
  draft.add(mailChanges({ organizationId: noOrganization, ...recipient, content: said }, services))
}
