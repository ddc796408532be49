// The one way to have a mail sent: rows that are committed with what the mail tells of. The wake-up among them has its actor send it,
// whatever happens to the process in between.

import { type Mail, type MailContent, mailsTable } from '../../records/mail.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { type WakeUp, wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import { mailKind } from './messages.js'

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

/** `now` is wall time, ms. */
export function newMail(
  { organizationId, to, content, isForNobody = false }: MailWish,
  mailId: string,
  now: number,
): NewMail {
  return {
    mail: {
      mail_id: mailId,
      organization_id: organizationId,
      to,
      type: content.type,
      content,
      ...(isForNobody && { is_for_nobody: true as const }),
      created_at: new Date(now).toISOString(),
      attempts: 0,
    },
    wakeUp: { kind: mailKind, id: mailId, reason: sendReason, at: now },
  }
}

/** For actors; routes have src/api/pipeline/mail.ts. */
export function mailEffects(wish: MailWish, context: Context): readonly Effect[] {
  const { mail, wakeUp } = newMail(wish, context.newId('mail'), context.now())
  return [effect.put(mailsTable, mail), effect.put(wakeUpsTable, wakeUp)]
}
