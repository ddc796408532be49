// Which commissioning of a charge point is the newest: the one that was begun last, also on a clock that was set back in between.

import { pino } from 'pino'
import { test } from 'tap'
import { createCommissioningActor } from '../../../src/actors/commissioning/commissioning.js'
import { commissioningAddress, type StartCommissioningMessage } from '../../../src/actors/commissioning/messages.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { commissioningSessionsTable, newestSession } from '../../../src/records/commissioning.js'
import { tables } from '../../../src/records/index.js'
import { alone } from '../../../src/records/presence.js'
import type { ReplyAddress } from '../../../src/runtime/actor/actor.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'

import { encodeRow } from '../../../src/runtime/codec.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { unowned } from '../../../src/runtime/store/store.js'
import type { Table } from '../../../src/runtime/store/table.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'
import { installedRow, installerId } from '../../support/registration.js'

const id = 'CP-1'

test('commissioning - the one that was begun last is the newest, also where the clock was set back', async (t) => {
  const clock = createFakeClock()
  const store = openMemoryStore(tables)
  const put = <Row>(table: Table<Row>, row: Row) =>
    store.commit(unowned([{ type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }]))
  await put(chargePointsTable, installedRow(id))
  const online = { connected: true, run: 1, registration: 'Accepted' }
  const state = { charge_point_id: id, organization_id: installerId, ...online, connectors: [], power_watts: 0 }
  await put(chargePointStatesTable, state as unknown as ChargePointState)
  const host = createActorHost({
    definitions: [createCommissioningActor({ live: alone(1).live })] as unknown as readonly AnyActorDefinition[],
    store,
    partitions: ownPartitions(),
    clock,
    random: () => 0.5,
    log: pino({ level: 'silent' }),
    passivateAfterMs: 60_000,
    ports: {
      send() {},
      reply: (_, outcome) => {
        replies++
        t.match(outcome, { ok: true, body: { type: 'session' } })
      },
      frame() {},
      close() {},
      done() {},
      runJob: async () => ({ ok: false, message: 'there are no jobs here' }),
      connectionOf: () => undefined,
    },
  })
  let replies = 0
  const replyTo = { thread: 0, ask: 1 } as unknown as ReplyAddress
  async function start(sessionId: string): Promise<void> {
    const message: StartCommissioningMessage = {
      type: 'start',
      sessionId,
      installerId,
      templateId: 'standard',
      steps: ['connectivity'],
      configuration: [],
      restarts: true,
    }
    host.deliver(commissioningAddress(id), { message, replyTo })
    host.run()
    while (replies < Number(sessionId.at(-1))) await new Promise((resolve) => setImmediate(resolve))
  }
  await start('com_1')
  clock.set(clock.now() - 3_600_000)
  await start('com_2')
  t.match(newestSession(store.view(), id), { session_id: 'com_2', status: 'running' })
  clock.set(clock.now() - 3_600_000)
  await start('com_3')
  t.match(newestSession(store.view(), id), { session_id: 'com_3', status: 'running' })
  t.match(store.view().get(commissioningSessionsTable, ['com_2']), { status: 'stopped' }, 'and ends the one before')
})
