// Months over a clock that somebody sets: the billing actor in its host over the store in memory. Whatever the clock did, each session is on
// one invoice, and no month is closed that is not over.

import { pino } from 'pino'
import { test } from 'tap'
import { billing } from '../../../src/actors/billing/billing.js'
import { billingAddress } from '../../../src/actors/billing/messages.js'
import { putRow } from '../../../src/api/pipeline/changes.js'
import { tables } from '../../../src/records/index.js'
import { billingProgressTable, invoiceItemsTable, invoicesTable } from '../../../src/records/invoice.js'
import { organizationsTable } from '../../../src/records/organization.js'
import { sessionCostsTable, unbilledSession, unbilledSessionsTable } from '../../../src/records/session-cost.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { unowned } from '../../../src/runtime/store/store.js'
import { billedSession } from '../../api/billed-sessions.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'

const organizationId = 'org_1'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const at = (text: string): number => Date.parse(text)

function stageBilling() {
  const clock = createFakeClock()
  const store = openMemoryStore(tables)
  const host = createActorHost({
    definitions: [billing] as unknown as readonly AnyActorDefinition[],
    store,
    partitions: ownPartitions(),
    clock,
    random: () => 0.5,
    log: pino({ level: 'silent' }),
    passivateAfterMs: minuteMs,
    ports: {
      send: (to, message) => void host.deliver(to, { message }),
      reply() {},
      frame() {},
      close() {},
      done() {},
      runJob: () => Promise.resolve({ ok: false, message: 'there are no jobs here' }),
      connectionOf: () => undefined,
    },
  })
  const view = store.view
  const organization = { organization_id: organizationId, name: 'Vast', country: 'DE', contact_email: 'a@example.com' }
  let sessions = 0
  return {
    clock,
    view,
    store,
    async begin() {
      await store.commit(unowned([putRow(organizationsTable, organization as never)]))
    },
    /** A session ends now, as the clock of the service shows it, and is priced by the charge point's actor. */
    async sessionEnds(endedAt = clock.now()): Promise<string> {
      const { session, cost } = billedSession({
        organizationId,
        sessionId: `ses_${++sessions}`,
        endedAt: new Date(endedAt).toISOString(),
        pricedAt: new Date(clock.now()).toISOString(),
      })
      const unbilled = unbilledSession(cost, clock.confirmed())
      await store.commit(unowned([putRow(sessionCostsTable, cost), putRow(unbilledSessionsTable, unbilled)]))
      return session.session_id
    },
    /** As the clock of months does once a minute, until nothing is due any more. */
    async close() {
      host.deliver(billingAddress(organizationId), { message: { type: 'close-months' } })
      for (let turns = 0; turns < 200; turns++) {
        host.run()
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    /** Sessions by the month of their invoice. */
    billed() {
      const months: Record<string, string[]> = {}
      for (const { month } of view().list(invoicesTable, []))
        months[month] = view()
          .listBy(invoiceItemsTable, 'byMonth', [organizationId, month])
          .map(({ session_id }) => session_id)
      return months
    },
    closedThrough: () => view().get(billingProgressTable, [organizationId])?.closed_through,
    to(text: string) {
      clock.advance(at(text) - clock.now())
      clock.look()
    },
  }
}

test('billing - a clock that is two days ahead for a minute at the end of a month loses no session', async (t) => {
  const stage = stageBilling()
  await stage.begin()
  stage.to('2026-11-20T12:00:00Z')
  const first = await stage.sessionEnds()
  stage.to('2026-11-29T23:00:00Z')
  stage.clock.set(stage.clock.now() + 2 * dayMs)
  const ahead = await stage.sessionEnds()
  await stage.close()
  t.same(stage.billed(), {}, 'a month that is not over is not closed')
  stage.clock.advance(minuteMs)
  stage.clock.look()
  stage.clock.set(stage.clock.now() - 2 * dayMs)
  const later = await stage.sessionEnds()
  await stage.close()
  stage.to('2026-12-01T01:00:00Z')
  await stage.close()
  t.same(stage.billed(), { '2026-11': [first, ahead, later] })
})

test('billing - months that a clock ahead has closed too early lose no session, and none is skipped', async (t) => {
  const stage = stageBilling()
  await stage.begin()
  stage.to('2026-11-20T12:00:00Z')
  const first = await stage.sessionEnds()
  stage.clock.set(stage.clock.now() + 400 * dayMs)
  stage.clock.confirm()
  await stage.close()
  t.same(stage.billed(), { '2026-11': [first] })
  t.equal(stage.closedThrough(), '2027-11')
  const ahead = await stage.sessionEnds()
  stage.clock.set(stage.clock.now() - 400 * dayMs)
  stage.clock.confirm()
  const late = await stage.sessionEnds()
  stage.to('2026-12-10T12:00:00Z')
  const next = await stage.sessionEnds()
  stage.to('2027-01-01T01:00:00Z')
  await stage.close()
  t.same(stage.billed(), { '2026-11': [first], '2026-12': [late, next] })
  t.equal(stage.closedThrough(), '2026-12')
  stage.to('2027-12-25T12:00:00Z')
  stage.clock.confirm()
  await stage.close()
  stage.to('2028-01-01T01:00:00Z')
  stage.clock.confirm()
  await stage.close()
  t.same(stage.billed(), { '2026-11': [first], '2026-12': [late, next], '2027-12': [ahead] })
})

test('billing - a session that was priced long before the last closing is billed by the next one', async (t) => {
  const stage = stageBilling()
  await stage.begin()
  stage.to('2026-11-20T12:00:00Z')
  const first = await stage.sessionEnds()
  stage.to('2026-12-01T01:00:00Z')
  await stage.close()
  stage.clock.set(at('2026-11-25T12:00:00Z'))
  const behind = await stage.sessionEnds()
  stage.clock.set(at('2026-12-05T12:00:00Z'))
  stage.to('2027-01-01T01:00:00Z')
  stage.clock.confirm()
  await stage.close()
  t.same(stage.billed(), { '2026-11': [first], '2026-12': [behind] })
  t.same(stage.view().list(unbilledSessionsTable, []), [])
})
