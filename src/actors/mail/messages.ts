// What the actor of a mail is told, and the job that it has done.

import type { Mail, MailContent } from '../../records/mail.js'
import type { Address, JobOutcome } from '../../runtime/actor/actor.js'
import type { WakeUpMessage } from '../../runtime/actor/wake-ups.js'

export const mailKind = 'mail'

export function mailAddress(mailId: string): Address {
  return { kind: mailKind, id: mailId }
}

export type MailMessage =
  | WakeUpMessage
  | { readonly type: 'attempted'; readonly outcome: JobOutcome }
  /** What the mail says holds no longer: it need not be sent, if it has not been yet. */
  | { readonly type: 'withdraw' }

export const sendMailJob = 'send-mail'

export type SendMailRequest = Pick<Mail, 'mail_id' | 'to' | 'created_at'> &
  Partial<Pick<Mail, 'organization_id'>> & { readonly content: MailContent }

/** A job that fails may have sent it or not: it is tried again. */
export type SendMailResult =
  | { readonly type: 'sent' }
  /** There is no mail server: it is a file now. */
  | { readonly type: 'written'; readonly file: string; readonly subject: string }
  /** For good. */
  | { readonly type: 'refused'; readonly reason: string }
