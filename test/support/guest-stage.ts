// A guest session's actor over the store in memory, a clock that moves when told, and a provider and a charge point that answer
// when told.

import { pino } from 'pino'
import type { CommandReply, ExecuteMessage } from '../../src/actors/command-router/messages.js'
import { guestSession } from '../../src/actors/guest-session/guest-session.js'
import { type AuthorizeGuestMessage, guestSessionAddress } from '../../src/actors/guest-session/messages.js'
import type { PaymentRequest } from '../../src/actors/guest-session/payment.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { alertsTable } from '../../src/records/alert.js'
import { type GuestSession, guestSessionsTable, guestStartsTable } from '../../src/records/guest-session.js'
import { tables } from '../../src/records/index.js'
import { type Session, sessionsTable } from '../../src/records/session.js'
import type { JobOutcome } from '../../src/runtime/actor/actor.js'
import { createActorHost } from '../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../src/runtime/actor/actor-host-ports.js'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import { createWakeUpSweep, wakeUpsTable } from '../../src/runtime/actor/wake-ups.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import type { Table } from '../../src/runtime/store/table.js'
import { declared } from './declared-events.js'
import { createFakeClock } from './fake-clock.js'
import { ownPartitions } from './own-partitions.js'

export const id = 'gse_1'
export const minute = 60_000
export const done: JobOutcome = { ok: true, value: { type: 'done', reference: 'ref_1' } }
export const unknown: JobOutcome = { ok: false, message: 'the connection was lost' }
const partitions = ownPartitions()

export const wish: AuthorizeGuestMessage = {
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

export function stageGuest() {
  const clock = createFakeClock()
  const store = openMemoryStore(tables)
  const asked: { readonly request: PaymentRequest; readonly answer: (outcome: JobOutcome) => void }[] = []
  const commands: ExecuteMessage[] = []
  const replies: unknown[] = []
  const start = () => {
    const host = createActorHost({
      definitions: [guestSession] as unknown as readonly AnyActorDefinition[],
      store,
      partitions: ownPartitions(),
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
  let heardFrom = 0
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
    /** What the provider was asked since the last restart, oldest first. */
    jobs: () => asked.slice(heardFrom),
    settle,
    asked: () => asked.map(({ request }) => request),
    row: () => store.view().get(guestSessionsTable, [id]) as GuestSession,
    wakeUps: () => store.view().list(wakeUpsTable, []),
    outbox: () => store.view().list(outboxTable, []),
    events: () => declared(store.view().list(outboxTable, [])).map(({ event }) => event),
    async tell(message: unknown, waits = false) {
      running.host.deliver(guestSessionAddress(id), {
        message,
        ...(waits && { replyTo: { front: 0, ask: 1 } }),
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
    async store<Row>(table: Table<Row>, ...rows: readonly Row[]) {
      await store.commit(unowned(rows.map((row) => putRow(table, row))))
    },
    /** Those of what is stored that are open. */
    openAlerts: () =>
      store
        .view()
        .list(alertsTable, [])
        .filter(({ status }) => status === 'open'),
    /** What the charge point's actor stores with a change of the session. */
    async wake(reason: string) {
      const { kind } = guestSessionAddress(id)
      await store.commit(unowned([putRow(wakeUpsTable, { kind, id, reason, at: clock.now() })]))
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
      heardFrom = asked.length
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
