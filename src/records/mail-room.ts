// How many mails an organization may have sent still, to one address and in all, where it is somebody's wish that sends them: over restarts and
// fronts too. Written under its version by whoever has a mail sent.

import { defineTable } from '../runtime/store/table.js'

export interface MailRoom {
  readonly organization_id: string
  /** As mails to it are counted; empty for those to all addresses. */
  readonly recipient: string
  readonly version: number
  /** When there is room for all of them again, wall ms. */
  readonly full_at: number
}

/** A room that is full again is like one that nobody has taken anything of; so long, its row may stay all the same. */
const keptMs = 3_600_000

export const mailRoomsTable = defineTable<MailRoom>({
  name: 'mail_rooms',
  key: (row) => [row.organization_id, row.recipient],
  indexes: { byTime: (row) => [{ group: [], order: [row.full_at] }] },
  uncounted: ['byTime'],
  importance: 'operation',
  retention: { milliseconds: keptMs, timeOf: (row) => row.full_at, index: 'byTime' },
})
