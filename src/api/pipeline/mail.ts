// How a route has a mail sent: as changes of its own commit. The mail's actor is woken for it within a second.

import { rateLimited } from '../../actors/command-router/errors.js'
import { takeMailRoom } from '../../actors/mail/mail-room.js'
import { type MailWish, newMail } from '../../actors/mail/new-mail.js'
import { mailsTable } from '../../records/mail.js'
import { mailRoomsTable } from '../../records/mail-room.js'
import { wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import type { Change } from '../../runtime/store/store.js'
import { putRow } from './changes.js'
import type { Draft } from './draft.js'
import type { Services } from './services.js'

export interface MailChanges {
  readonly mailId: string
  readonly changes: readonly Change[]
}

export function mailChanges(wish: MailWish, services: Pick<Services, 'newId' | 'clock'>): MailChanges {
  const { mail, wakeUp } = newMail(wish, services.newId('mail'), services.clock)
  return { mailId: mail.mail_id, changes: [putRow(mailsTable, mail), putRow(wakeUpsTable, wakeUp)] }
}

/**
 * Has a mail sent with the draft, and returns its id: for whatever a caller does whose words or address they choose. Throws `rate_limited` where
 * as many went to that address, or were sent for the organization, as may in an hour.
 */
export function sendMail(draft: Draft, wish: MailWish, services: Pick<Services, 'newId' | 'clock'>): string {
  const room = takeMailRoom((table, key) => draft.get(table, key), wish, services.clock.now())
  if (!room.ok) throw rateLimited(room.message, { retryAfterSeconds: room.retryAfterSeconds })
  for (const row of room.rooms) draft.put(mailRoomsTable, row)
  const mail = mailChanges(wish, services)
  draft.add(mail)
  return mail.mailId
}
