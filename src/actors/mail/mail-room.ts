// Room for a mail that somebody wishes to have sent: so many an hour of one organization to one address, so that nobody is flooded with mails whose words
// and address another has chosen, and so many of it in all, so that the mail server goes on to take those of the others.

import { type MailRoom, mailRoomsTable } from '../../records/mail-room.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import type { Condition } from '../../runtime/store/store.js'
import type { Key, Table } from '../../runtime/store/table.js'
import { afterTaking, type Rate, secondsUntil } from '../../runtime/token-bucket.js'
import { limits } from './limits.js'
import { type MailWish, mailEffects } from './new-mail.js'

const hourSeconds = 3_600
const toOne: Rate = { perSecond: limits.mailsToOnePerHour / hourSeconds, burst: limits.mailsToOneAtOnce }
const inAll: Rate = { perSecond: limits.mailsInAllPerHour / hourSeconds, burst: limits.mailsInAllAtOnce }

export type TakenRoom =
  /** As they are to be stored, each in place of the one that was read. */
  | { readonly ok: true; readonly rooms: readonly Omit<MailRoom, 'version'>[] }
  | { readonly ok: false; readonly message: string; readonly retryAfterSeconds: number }

/** What is behind a plus sign leads to the same mailbox. */
export function mailboxOf(address: string): string {
  return address.toLowerCase().replace(/\+[^@]*@/, '@')
}

/** `read` finds the rows as they are now; `now` is wall time, ms. */
export function takeMailRoom(
  read: (table: Table<MailRoom>, key: Key) => MailRoom | undefined,
  { organizationId, to }: Pick<MailWish, 'organizationId' | 'to'>,
  now: number,
): TakenRoom {
  const rooms: Omit<MailRoom, 'version'>[] = []
  for (const [recipient, rate, message] of [
    [mailboxOf(to), toOne, `at most ${limits.mailsToOnePerHour} mails an hour are sent to one address`],
    ['', inAll, `at most ${limits.mailsInAllPerHour} mails an hour are sent for an organization`],
  ] as const) {
    const stored = read(mailRoomsTable, [organizationId, recipient])?.full_at ?? now
    // No bucket takes longer than this to fill up: beyond it, the clock has been set back since.
    const fullAt = stored <= now + (rate.burst * 1_000) / rate.perSecond + 1 ? stored : now
    const after = afterTaking(fullAt, rate, now)
    if (after === undefined) {
      const retryAfterSeconds = Math.max(1, Math.ceil(secondsUntil({ fullAt }, rate, now)))
      return { ok: false, message: `${message}: try again later`, retryAfterSeconds }
    }
    rooms.push({ organization_id: organizationId, recipient, full_at: Math.ceil(after) })
  }
  return { ok: true, rooms }
}

/** For actors that do what they were asked without a mail where there is no room for one; undefined then. */
export function mailWithinRoom(wish: MailWish, context: Context): readonly Effect[] | undefined {
  const held: Effect[] = []
  const versions = new Map<string, number>()
  const taken = takeMailRoom(
    (table, key) => {
      const row = context.read().get(table, key)
      versions.set(String(key[1]), row?.version ?? 0)
      held.push(effect.require(stillAsRead(key, row)))
      return row
    },
    wish,
    context.now(),
  )
  if (!taken.ok) return undefined
  const rooms = taken.rooms.map((room) =>
    effect.put(mailRoomsTable, { ...room, version: (versions.get(room.recipient) ?? 0) + 1 }),
  )
  return [...held, ...rooms, ...mailEffects(wish, context)]
}

function stillAsRead(key: Key, row: MailRoom | undefined): Condition {
  const at = { table: mailRoomsTable.name, key }
  return row === undefined ? { ...at, is: 'absent' } : { ...at, is: 'version', version: row.version }
}
