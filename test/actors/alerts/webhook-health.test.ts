// The alert about a webhook endpoint, as an actor of endpoints keeps it: judged after each attempt, stored with its result.

import fc from 'fast-check'
import { pino } from 'pino'
import { test } from 'tap'
import { judgeWebhook } from '../../../src/alerts/webhook-health.js'
import { type Alert, alertsTable } from '../../../src/records/alert.js'
import { tables } from '../../../src/records/index.js'
import { organizationsTable } from '../../../src/records/organization.js'
import { type ActorDefinition, effect } from '../../../src/runtime/actor/actor.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { outboxTable } from '../../../src/runtime/actor/outbox.js'
import { encodeRow } from '../../../src/runtime/codec.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { unowned } from '../../../src/runtime/store/store.js'
import { defineTable } from '../../../src/runtime/store/table.js'
import { declared } from '../../support/declared-events.js'
import { createFakeClock } from '../../support/fake-clock.js'

interface Row {
  readonly id: string
  readonly failing_since?: number | undefined
  readonly alert?: Alert
}
type Message = { readonly ok: boolean } | { readonly removed: true }

const rowsTable = defineTable<Row>({ name: 'endpoints', key: (row) => [row.id] })
const minuteMs = 60_000

const endpoint: ActorDefinition<{ row: Row }, Message> = {
  kind: 'endpoint',
  load: (context) => ({ row: context.read().get(rowsTable, [context.id]) ?? { id: context.id } }),
  idle: () => true,
  handle(state, message, context) {
    const removed = 'removed' in message
    const fails = !removed && !message.ok
    const failingSince = fails ? (state.row.failing_since ?? context.now()) : undefined
    const health = {
      endpointId: context.id,
      organizationId: 'org_1',
      url: 'https://hooks.example.com/path?token=secret',
      failingSince,
      now: context.now(),
      alert: state.row.alert,
    }
    const { alert, effects } = judgeWebhook(health, context, removed ? 'the endpoint has been removed' : undefined)
    state.row = {
      id: context.id,
      ...(failingSince !== undefined && { failing_since: failingSince }),
      ...(alert !== undefined && { alert }),
    }
    return [...effects, effect.put(rowsTable, state.row)]
  },
}

async function setUp() {
  const clock = createFakeClock()
  const store = openMemoryStore([...tables, rowsTable] as typeof tables)
  const host = createActorHost({
    definitions: [endpoint] as unknown as readonly AnyActorDefinition[],
    store,
    partitions: { owner: () => 0, epoch: () => 1 },
    clock,
    random: () => 0.5,
    log: pino({ level: 'silent' }),
    passivateAfterMs: 0,
    ports: {
      send: () => undefined,
      reply: () => undefined,
      frame: () => undefined,
      close: () => undefined,
      done: () => undefined,
      runJob: () => Promise.resolve({ ok: false, message: 'there are no jobs here' }),
      connectionOf: () => undefined,
    },
  })
  return {
    clock,
    async threshold(webhook_failing_minutes: number | null): Promise<void> {
      const row = encodeRow({ organization_id: 'org_1', alert_thresholds: { webhook_failing_minutes } })
      await store.commit(unowned([{ type: 'put', table: organizationsTable.name, key: ['org_1'], row }]))
    },
    async tell(message: Message): Promise<void> {
      host.deliver({ kind: 'endpoint', id: 'whe_1' }, { message })
      host.run()
      while (host.statistics().committing > 0) await new Promise((resolve) => setImmediate(resolve))
      // What is only in memory is lost each time.
      clock.advance(1)
      host.passivate()
    },
    told: () =>
      declared(store.view().list(outboxTable, [])).map(({ event, data }) => `${event} ${data.webhook_endpoint_id}`),
    alerts: () => store.view().list(alertsTable, []),
  }
}

test('webhook alerts - raised when nothing but failures came back for long enough, resolved by a success', async (t) => {
  const { clock, tell, told, alerts } = await setUp()
  const passes = async (minutes: number, ok: boolean) => {
    clock.advance(minutes * minuteMs)
    await tell({ ok })
  }
  await passes(0, false)
  await passes(59, false)
  await passes(0, true)
  await passes(1, false)
  await passes(59, false)
  t.same(told(), [])
  await passes(1, false)
  await passes(100, false)
  t.same(told(), ['alert.triggered whe_1'])
  t.match(alerts(), [{ message: /hooks\.example\.com has failed since/, details: { failing_since: String } }])
  t.notMatch(JSON.stringify(alerts()), 'secret')
  await passes(1, true)
  t.same(told(), ['alert.triggered whe_1', 'alert.resolved whe_1'])
  t.match(alerts(), [{ resolution: 'the webhook endpoint accepts deliveries again' }])
})

test('webhook alerts - end with the endpoint, and when nobody wants them any more', async (t) => {
  for (const how of ['removed', 'off']) {
    const { clock, tell, told, alerts, threshold } = await setUp()
    await threshold(5)
    await tell({ ok: false })
    clock.advance(5 * minuteMs)
    await tell({ ok: false })
    t.same(told(), ['alert.triggered whe_1'])
    if (how === 'off') await threshold(null)
    await tell(how === 'off' ? { ok: false } : { removed: true })
    t.same(told(), ['alert.triggered whe_1', 'alert.resolved whe_1'])
    t.match(alerts(), [
      { status: 'resolved', resolution: how === 'off' ? /switched off/ : 'the endpoint has been removed' },
    ])
  }
})

test('webhook alerts - whatever comes back, they alternate, and are open only while it fails', async (t) => {
  const attempts = fc.array(fc.record({ minutes: fc.integer({ min: 0, max: 50 }), ok: fc.boolean() }), {
    maxLength: 40,
  })
  await fc.assert(
    fc.asyncProperty(attempts, async (made) => {
      const { clock, tell, told, threshold } = await setUp()
      await threshold(30)
      for (const { minutes, ok } of made) {
        clock.advance(minutes * minuteMs)
        await tell({ ok })
      }
      const events = told().map((line) => line.split(' ')[0])
      const alternate = events.every((event, at) => event === (at % 2 === 0 ? 'alert.triggered' : 'alert.resolved'))
      return alternate && !(made.at(-1)?.ok === true && events.length % 2 === 1)
    }),
    { numRuns: 50 },
  )
  t.pass('as it should')
})
