// Room for mails that somebody wishes to have sent.

import { test } from 'tap'
import { limits } from '../../../src/actors/mail/limits.js'
import { takeMailRoom } from '../../../src/actors/mail/mail-room.js'
import type { MailRoom } from '../../../src/records/mail-room.js'

const hour = 3_600_000

/** An organization whose rooms are stored as they are taken. */
function make() {
  const stored = new Map<string, MailRoom>()
  const clock = { time: Date.parse('2026-11-01T00:00:00Z') }
  return {
    clock,
    wish(to: string, organizationId = 'org_1') {
      const taken = takeMailRoom((_, key) => stored.get(String(key)), { organizationId, to }, clock.time)
      if (taken.ok)
        for (const room of taken.rooms)
          stored.set(String([room.organization_id, room.recipient]), { ...room, version: 1 })
      return taken
    },
  }
}

test('mail room - so many go to one address, however it is written; what is refused takes nothing', (t) => {
  const { clock, wish } = make()
  const spelt = ['anna@example.com', 'Anna@Example.com', 'anna+1@example.com', 'anna+2+3@example.com']
  for (let at = 0; at < limits.mailsToOneAtOnce; at++) t.ok(wish(spelt[at % spelt.length] as string).ok)
  for (let at = 0; at < 3; at++)
    t.match(wish('anna@example.com'), { ok: false, message: /to one address/, retryAfterSeconds: 360 })
  t.ok(wish('bert@example.com').ok)
  t.ok(wish('anna@example.com', 'org_2').ok, 'what one organization sends does not keep another from sending')
  clock.time += 360_000
  t.ok(wish('anna@example.com').ok)
  t.notOk(wish('anna@example.com').ok)
  t.end()
})

test('mail room - so many are sent for an organization, whatever the addresses', (t) => {
  const { clock, wish } = make()
  for (let at = 0; at < limits.mailsInAllAtOnce; at++) t.ok(wish(`${at}@example.com`).ok)
  t.match(wish('one-more@example.com'), { ok: false, message: /for an organization/, retryAfterSeconds: 36 })
  t.ok(wish('one-more@example.com', 'org_2').ok)
  clock.time += hour
  let sent = 0
  while (sent < limits.mailsInAllAtOnce && wish(`late-${sent}@example.com`).ok) sent++
  t.equal(sent, limits.mailsInAllPerHour)
  t.end()
})

test('mail room - a clock that was set back by years keeps nobody waiting for years', (t) => {
  const { clock, wish } = make()
  for (let at = 0; at < limits.mailsToOneAtOnce; at++) wish('anna@example.com')
  t.notOk(wish('anna@example.com').ok)
  clock.time -= 10_000 * hour
  t.ok(wish('anna@example.com').ok)
  t.end()
})
