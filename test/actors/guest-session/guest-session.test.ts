// A guest session's actor over the store in memory, a clock that moves when told, and a provider that answers when told: what
// time, a lost message and the end of a shard make of it.

import { pino } from 'pino'
import { test } from 'tap'
import type { CommandReply, ExecuteMessage } from '../../../src/actors/command-router/messages.js'
import { guestSession } from '../../../src/actors/guest-session/guest-session.js'
import { type AuthorizeGuestMessage, guestSessionAddress } from '../../../src/actors/guest-session/messages.js'
import { isHopeless, type PaymentRequest, pauseAfter } from '../../../src/actors/guest-session/payment.js'
import { type GuestSession, guestSessionsTable, guestStartsTable } from '../../../src/actors/records/guest-session.js'
import { tables } from '../../../src/actors/records/index.js'
import { type Session, sessionsTable } from '../../../src/actors/records/session.js'
import { putRow } from '../../../src/api/changes.js'
import type { JobOutcome } from '../../../src/runtime/actor.js'
import { createActorHost } from '../../../src/runtime/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor-host-ports.js'
import { openMemoryStore } from '../../../src/runtime/memory-store.js'
import { outboxTable } from '../../../src/runtime/outbox.js'
import { unowned } from '../../../src/runtime/store.js'
import { createWakeUpSweep, wakeUpsTable } from '../../../src/runtime/wake-ups.js'
import { declared } from '../../support/declared-events.js'
import { createFakeClock } from '../../support/fake-clock.js'

const id = 'gse_1'
const minute = 60_000
const done: JobOutcome = { ok: true, value: { type: 'done', reference: 'ref_1' } }
const unknown: JobOutcome = { ok: false, message: 'the connection was lost' }
const partitions = { owner: () => 0, epoch: () => 1 }

const wish: AuthorizeGuestMessage = {
  type: 'authorize',
  session: {
    token_hash: 'hash',
    organization_id: 'org_1',
    charge_point_id: 'CP-1',
    connector_id: 1,
    id_tag: 'GST00000000000000000',
    created_by: 'api_key:key_1',
  },
  paymentMethod: 'pm',
  amountMinor: 5_000,
  currency: 'EUR',
}

function sessionRow(fields: Partial<Session>): Session {
  return {
    session_id: 'ses_1',
    transaction_id: 7,
    organization_id: 'org_1',
    charge_point_id: 'CP-1',
    connector_id: 1,
    id_tag: wish.session.id_tag,
    authorization: 'Accepted',
    status: 'active',
    started_at: '2026-11-01T00:01:00.000Z',
    received_at: '2026-11-01T00:01:00.000Z',
    meter_start: 0,
    currency: 'EUR',
    flags: [],
    start_key: '',
    ...fields,
  }
}

function setUp() {
  const clock = createFakeClock()
  const store = openMemoryStore(tables)
  const asked: { readonly request: PaymentRequest; readonly answer: (outcome: JobOutcome) => void }[] = []
  const commands: ExecuteMessage[] = []
  const replies: unknown[] = []
  const start = () => {
    const host = createActorHost({
      definitions: [guestSession] as unknown as readonly AnyActorDefinition[],
      store,
      partitions,
      clock,
      random: () => 0.5,
      log: pino({ level: 'silent' }),
      passivateAfterMs: minute,
      ports: {
        send: (_, message) => commands.push(message as ExecuteMessage),
        reply: (_, outcome) => replies.push(outcome.ok ? outcome.body : outcome.code),
        frame() {},
        close() {},
        done() {},
        runJob: (_, input) =>
          new Promise((resolve) => asked.push({ request: input as PaymentRequest, answer: resolve })),
        connectionOf: () => undefined,
      },
    })
    return { host, sweep: createWakeUpSweep({ view: store.view, clock, partitions, owner: 0, host }) }
  }
  let running = start()
  async function settle(): Promise<void> {
    for (let turns = 0; turns < 20; turns++) {
      running.host.run()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const stage = {
    clock,
    commands,
    replies,
    operations: () => asked.map(({ request }) => `${request.operation} ${request.key}`),
    row: () => store.view().get(guestSessionsTable, [id]) as GuestSession,
    wakeUps: () => store.view().list(wakeUpsTable, []),
    events: () => declared(store.view().list(outboxTable, [])).map(({ event }) => event),
    async tell(message: unknown, waits = false) {
      running.host.deliver(guestSessionAddress(id), {
        message,
        ...(waits && { replyTo: { thread: 'front/0', ask: 1 } }),
      })
      await settle()
    },
    refuseWrites: (refused: boolean) => store.failNext(refused ? Number.POSITIVE_INFINITY : 0),
    /** The newest request to the provider is answered. */
    async provider(outcome: JobOutcome) {
      asked.at(-1)?.answer(outcome)
      await settle()
    },
    async chargePoint(status: 'Accepted' | 'Rejected') {
      const { commandId } = commands.at(-1) as ExecuteMessage
      const outcome = { type: 'answered', payload: { status }, responseTimeMs: 1 }
      const reply = { type: 'recorded', record: { status }, outcome } as unknown as CommandReply
      await stage.tell({ type: 'command-ended', commandId, reply })
    },
    async session(fields: Partial<Session> = {}) {
      const start = putRow(guestStartsTable, { guest_session_id: id, session_id: 'ses_1' })
      await store.commit(unowned([putRow(sessionsTable, sessionRow(fields)), start]))
    },
    /** Second by second, as a shard's sweep goes. */
    async pass(ms: number, stepMs = 1_000) {
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.advance(Math.min(stepMs, ms - passed))
        running.host.runTimers()
        if (running.sweep.sweep() > 0) await settle()
      }
      await settle()
    },
    /** As after the end of its shard: what was under way is heard of no more. */
    restart() {
      running = start()
    },
    async offered() {
      await stage.tell(wish, true)
      await stage.provider(done)
      await stage.chargePoint('Accepted')
    },
  }
  return stage
}

test('guest session - not started within 15 minutes it is stopped, costs nothing, and what was set aside is released', async (t) => {
  const stage = setUp()
  await stage.offered()
  t.match(stage.replies, [{ type: 'guest', session: { status: 'authorizing', offered: true } }])
  await stage.pass(15 * minute - 1_000)
  t.match(stage.row(), { status: 'authorizing', payment: { status: 'authorized' } })
  await stage.pass(2_000)
  t.match(stage.row(), { status: 'stopped', end: 'not_started', final_cost: 0, currency: 'EUR' })
  await stage.provider(done)
  t.equal(stage.row().payment.status, 'released')
  t.same(stage.operations(), [`authorize ${id}`, `release ${id}`])
  t.same(stage.wakeUps(), [], 'there is nothing left to do')
  t.same(stage.events(), ['guest_session.authorized', 'guest_session.stopped', 'guest_session.released'])
})

test('guest session - whoever waits for an answer that the disk does not take is told so', async (t) => {
  const stage = setUp()
  await stage.tell(wish, true)
  t.same(stage.replies, [])
  stage.refuseWrites(true)
  await stage.provider(done)
  t.same(stage.replies, ['overloaded'], 'who asked for the session')
  stage.refuseWrites(false)

  const other = setUp()
  await other.offered()
  await other.session()
  await other.pass(minute + 1_000)
  await other.tell({ type: 'stop' }, true)
  await other.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 4 })
  t.equal(other.replies.length, 1, 'only who has asked for the session was answered')
  other.refuseWrites(true)
  await other.tell({ type: 'session-changed' })
  t.same(other.replies.slice(1), ['overloaded'], 'who has asked for its end')
})

test('guest session - the 15 minutes go on while the service is down', async (t) => {
  const stage = setUp()
  await stage.offered()
  stage.restart()
  await stage.pass(60 * minute, 60 * minute)
  t.match(stage.row(), { status: 'stopped', end: 'not_started', payment: { status: 'release_pending' } })
})

test('guest session - a charge that nobody told of is found, and so is its end', async (t) => {
  const stage = setUp()
  await stage.offered()
  await stage.session()
  await stage.pass(minute + 1_000)
  t.match(stage.row(), { status: 'charging', session_id: 'ses_1', transaction_id: 7 })
  await stage.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 4 })
  await stage.pass(minute + 1_000)
  await stage.provider(done)
  t.match(stage.row(), { status: 'stopped', final_cost: 4, energy_wh: 10_000, payment: { status: 'captured' } })
})

test('guest session - an authorization that ended with its shard is released, for nobody has the token', async (t) => {
  for (const answered of [false, true]) {
    const stage = setUp()
    await stage.tell(wish, true)
    if (answered) await stage.provider(done)
    stage.restart()
    await stage.pass(minute + 1_000)
    await stage.provider(done)
    t.match(stage.row(), { status: 'stopped', end: 'interrupted', payment: { status: 'released' } })
    t.same(stage.operations(), [`authorize ${id}`, `release ${id}`])
  }
})

test('guest session - a charge that begins as it is given up is ended', async (t) => {
  const stage = setUp()
  await stage.offered()
  await stage.tell({ type: 'stop' }, true)
  await stage.provider(done)
  await stage.session()
  await stage.tell({ type: 'session-changed' })
  t.match(stage.commands.at(-1), { command: 'RemoteStopTransaction', parameters: { transactionId: 7 } })
})

test('guest session - a charge point that begins before it accepts is taken at its word', async (t) => {
  const stage = setUp()
  await stage.tell(wish, true)
  await stage.provider(done)
  await stage.session()
  await stage.tell({ type: 'session-changed' })
  await stage.chargePoint('Rejected')
  t.match(stage.row(), { status: 'charging', offered: true })
  t.match(stage.replies, [{ type: 'guest', session: { status: 'charging' } }])
})

test('guest session - a command whose router is gone is not waited for', async (t) => {
  const stage = setUp()
  await stage.tell(wish, true)
  await stage.provider(done)
  await stage.pass(15_000)
  t.match(stage.replies, [{ type: 'not-accepted', reply: undefined }])
  t.match(stage.row(), { status: 'stopped', end: 'not_accepted', payment: { status: 'release_pending' } })
})

test('guest session - a provider that is down is asked again after longer and longer, over restarts, under the same key', async (t) => {
  const stage = setUp()
  await stage.offered()
  await stage.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 4 })
  await stage.tell({ type: 'session-changed' })
  for (const failures of [1, 2, 3]) {
    await stage.provider(unknown)
    t.match(stage.row().payment, { status: 'capture_pending', failures, error: 'the connection was lost' })
    if (failures === 2) stage.restart()
    await stage.pass(pauseAfter(failures) - 1_000)
    t.equal(stage.operations().length, failures + 1)
    await stage.pass(2_000)
    t.equal(stage.operations().length, failures + 2)
  }
  await stage.provider(done)
  t.equal(stage.row().payment.status, 'captured')
  t.same(new Set(stage.operations().slice(1)), new Set([`capture ${id}`]))
})

test('guest session - a provider that stays away for a week is given up, with an alert', async (t) => {
  const stage = setUp()
  await stage.offered()
  await stage.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 4 })
  await stage.tell({ type: 'session-changed' })
  for (let hours = 0; hours < 24 * 8 && stage.row().payment.status === 'capture_pending'; hours++) {
    await stage.provider(unknown)
    await stage.pass(60 * minute, 60 * minute)
  }
  t.equal(stage.row().payment.status, 'failed')
  t.ok(stage.events().includes('alert.triggered'))
  t.same(stage.wakeUps(), [])
  t.notOk(isHopeless(0, 6 * 24 * 60 * minute))
})

test('guest session - an estimated end is left to be corrected for a while, and is the bill after that', async (t) => {
  const stage = setUp()
  await stage.offered()
  await stage.session({ status: 'estimated', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 5_000, cost: 2 })
  await stage.tell({ type: 'session-changed' })
  await stage.pass(10 * minute)
  t.equal(stage.row().status, 'charging')
  await stage.pass(10 * minute)
  t.match(stage.row(), { status: 'stopped', final_cost: 2 })
})

test('guest session - a charge that has used up what was set aside is ended', async (t) => {
  const stage = setUp()
  await stage.offered()
  await stage.session({ cost_so_far: 49 })
  await stage.tell({ type: 'session-changed' })
  t.equal(stage.commands.length, 1)
  await stage.session({ cost_so_far: 50 })
  await stage.pass(minute + 1_000)
  t.match(stage.commands.at(-1), { command: 'RemoteStopTransaction' })
})

test('guest session - more than was set aside is not taken, and somebody is told', async (t) => {
  const stage = setUp()
  await stage.offered()
  await stage.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 60 })
  await stage.tell({ type: 'session-changed' })
  await stage.provider(done)
  t.match(stage.row(), { final_cost: 60, payment: { status: 'captured', capture_minor: 5_000 } })
  t.ok(stage.events().includes('alert.triggered'))
})

test('guest session - who stops a charge that goes on is told why, or after a while how it stands', async (t) => {
  const stage = setUp()
  await stage.offered()
  await stage.session()
  await stage.tell({ type: 'session-changed' })
  await stage.tell({ type: 'stop' }, true)
  await stage.chargePoint('Rejected')
  t.match(stage.replies.at(-1), { type: 'not-accepted', reply: { record: { status: 'Rejected' } } })
  await stage.tell({ type: 'stop' }, true)
  await stage.chargePoint('Accepted')
  t.equal(stage.replies.length, 2)
  await stage.pass(15_000)
  t.match(stage.replies.at(-1), { type: 'guest', session: { status: 'charging' } })
})

test('guest session - the provider is asked one thing at a time, and not before its time', async (t) => {
  const stage = setUp()
  await stage.offered()
  await stage.session({ status: 'completed', ended_at: '2026-11-01T00:03:00.000Z', energy_wh: 10_000, cost: 4 })
  const nudge = async (): Promise<number> => {
    await stage.tell({ type: 'session-changed' })
    await stage.tell({ type: 'stop' }, true)
    await stage.tell({ type: 'wake-up', reason: 'look' })
    return stage.operations().length
  }
  t.equal(await nudge(), 2, 'while it works')
  await stage.provider(unknown)
  t.equal(await nudge(), 2, 'while it is given time')
  t.match(stage.replies.at(-1), { type: 'guest', session: { payment: { status: 'capture_pending' } } })
  await stage.pass(pauseAfter(1))
  t.equal(await nudge(), 3)
  await stage.pass(61_000)
  t.equal(await nudge(), 4, 'an answer that does not come is asked for again')
})
