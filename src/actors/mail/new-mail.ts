// The one way to have a mail sent: rows that are committed with what the mail tells of. The wake-up among them has its actor send it,
// whatever happens to the process in between.

import { type Mail, type MailContent, mailsTable } from '../../records/mail.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { type WakeUp, wakeUpAfter, wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import type { ServiceClock } from '../../runtime/steady-time.js'
import { mailAddress } from './messages.js'

export const sendReason = 'send'

export interface MailWish {
  readonly organizationId: string
  /** One address. */
  readonly to: string
  readonly content: MailContent
  /** It is stored, and never sent. */
  readonly isForNobody?: boolean
}

export interface NewMail {
  readonly mail: Mail
  readonly wakeUp: WakeUp
}

export function newMail(
  { organizationId, to, content, isForNobody = false }: MailWish,
  mailId: string,
  clock: Pick<ServiceClock, 'now' | 'steady'>,
): NewMail {
  return {
    mail: {
      mail_id: mailId,
      organization_id: organizationId,
      to,
      type: content.type,
      content,
      ...(isForNobody && { is_for_nobody: true as const }),
      created_at: new Date(clock.now()).toISOString(),
      since: clock.steady(),
      attempts: 0,
    },
    wakeUp: wakeUpAfter(mailAddress(mailId), sendReason, 0, clock),
  }
}

/** For actors; routes have src/api/pipeline/mail.ts. */
export function mailEffects(wish: MailWish, context: Context): readonly Effect[] {
  const { mail, wakeUp } = newMail(wish, context.newId('mail'), context)
  return [effect.put(mailsTable, mail), effect.put(wakeUpsTable, wakeUp)]
}
