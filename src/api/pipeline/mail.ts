// How a route has a mail sent: as changes of its own commit. The mail's actor is woken for it within a second.

import { type MailWish, newMail } from '../../actors/mail/new-mail.js'
import { mailsTable } from '../../records/mail.js'
import { wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import type { Change } from '../../runtime/store/store.js'
import { putRow } from './changes.js'
import type { Services } from './services.js'

export interface MailChanges {
  readonly mailId: string
  readonly changes: readonly Change[]
}

export function mailChanges(wish: MailWish, services: Pick<Services, 'newId' | 'clock'>): MailChanges {
  const { mail, wakeUp } = newMail(wish, services.newId('mail'), services.clock.now())
  return { mailId: mail.mail_id, changes: [putRow(mailsTable, mail), putRow(wakeUpsTable, wakeUp)] }
}
