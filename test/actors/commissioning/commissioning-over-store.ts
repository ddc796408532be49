// A commissioning actor in its host, over the store in memory and a clock that only moves when told: no charge point, no router.

import { pino } from 'pino'
import { createCommissioningActor } from '../../../src/actors/commissioning/commissioning.js'
import { commissioningAddress } from '../../../src/actors/commissioning/messages.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import {
  type CommissioningSession,
  commissioningSessionsTable,
  type StepName,
  stepNames,
} from '../../../src/records/commissioning.js'
import { tables } from '../../../src/records/index.js'
import { alone } from '../../../src/records/presence.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { createWakeUpSweep, wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { encodeRow } from '../../../src/runtime/codec.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { type ReadView, unowned } from '../../../src/runtime/store/store.js'
import type { Table } from '../../../src/runtime/store/table.js'
import { createFakeClock, type FakeClock } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'
import { installedRow, installerId } from '../../support/registration.js'

const id = 'CP-1'
const sessionId = 'com_1'

export interface CommissioningOverStore {
  readonly clock: FakeClock
  /** Whether the actor is in memory. */
  readonly isLoaded: boolean
  /** How often the actor has committed so far. */
  readonly commits: number
  /** What it has sent, the oldest first: OCPP actions, and the types of other messages. */
  readonly sent: readonly string[]
  view(): ReadView
  session(): CommissioningSession
  put<Row>(table: Table<Row>, row: Row): Promise<void>
  remove<Row>(table: Table<Row>, row: Row): Promise<void>
  /** The charge point, as it is known to be connected. */
  online(isOnline: boolean): Promise<void>
  deliver(message: unknown): Promise<void>
  /** Timers and wake-ups as they become due, looked for every second unless it is said otherwise. */
  pass(seconds: number, everySeconds?: number): Promise<void>
  /** As after the end of its shard: only what is on disk is left. */
  restart(): void
}

/** A commissioning that is at `step`, with what else is given of its row, and its wake-up. */
export async function commissioningOverStore(
  step: StepName,
  fields: (now: number) => Partial<CommissioningSession> = () => ({}),
): Promise<CommissioningOverStore> {
  const clock = createFakeClock()
  const iso = (at: number): string => new Date(at).toISOString()
  const store = openMemoryStore(tables)
  const sent: string[] = []
  let commits = 0
  async function put<Row>(table: Table<Row>, row: Row): Promise<void> {
    await store.commit(unowned([{ type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }]))
  }
  async function remove<Row>(table: Table<Row>, row: Row): Promise<void> {
    await store.commit(unowned([{ type: 'remove', table: table.name, key: table.key(row) }]))
  }
  const online = (isOnline: boolean): Promise<void> =>
    put(chargePointStatesTable, {
      charge_point_id: id,
      organization_id: installerId,
      run: 1,
      connected: isOnline,
      ...(!isOnline && { disconnected_at: iso(clock.now()) }),
      registration: 'Accepted',
      connectors: [],
      power_watts: 0,
    } as unknown as ChargePointState)
  const registered = installedRow(id)
  await put(chargePointsTable, registered)
  await online(true)
  const now = clock.now()
  const before = stepNames.slice(0, stepNames.indexOf(step))
  await put(commissioningSessionsTable, {
    session_id: sessionId,
    charge_point_id: id,
    sequence: 1,
    installer_id: installerId,
    registered_at: registered.installed.registered_at,
    status: 'running',
    template_id: 'standard',
    started_at: iso(now),
    configuration: [],
    steps: [
      ...before.map((name) => ({ name, status: 'passed' as const, evidence: [] })),
      { name: step, status: 'running', started_at: iso(now), evidence: [] },
    ],
    log: [{ timestamp: iso(now), level: 'info', step, message: 'The step has begun.' }],
    ...fields(now),
  })
  await put(wakeUpsTable, { kind: 'commissioning', id, reason: 'look', at: now })

  const partitions = ownPartitions()
  const start = () =>
    createActorHost({
      definitions: [createCommissioningActor({ live: alone(1).live })] as unknown as readonly AnyActorDefinition[],
      store: {
        view: store.view,
        commit(batch) {
          commits++
          return store.commit(batch)
        },
      },
      partitions: ownPartitions(),
      clock,
      random: () => 0.5,
      log: pino({ level: 'silent' }),
      passivateAfterMs: 60_000,
      ports: {
        send: (_to, message) => {
          const { type, command } = message as { readonly type: string; readonly command?: string }
          sent.push(command ?? type)
        },
        reply() {},
        frame() {},
        close() {},
        done() {},
        runJob: async () => ({ ok: false, message: 'there are no jobs here' }),
        connectionOf: () => undefined,
      },
    })
  let host = start()
  const sweepOf = () => createWakeUpSweep({ view: store.view, clock, partitions, owner: 0, host })
  let wakeUps = sweepOf()

  async function settle(): Promise<void> {
    host.run()
    while (host.statistics().mailbox + host.statistics().committing > 0)
      await new Promise((resolve) => setImmediate(resolve))
  }

  return {
    clock,
    get isLoaded() {
      return host.statistics().actors > 0
    },
    get commits() {
      return commits
    },
    sent,
    view: store.view,
    session() {
      const found = store.view().get(commissioningSessionsTable, [sessionId])
      if (found === undefined) throw new Error('the session is gone')
      return found
    },
    put,
    remove,
    online,
    async deliver(message) {
      host.deliver(commissioningAddress(id), { message })
      await settle()
    },
    async pass(seconds, everySeconds = 1) {
      for (let second = 0; second < seconds; second += everySeconds) {
        clock.advance(everySeconds * 1_000)
        do wakeUps.sweep()
        while (wakeUps.unfinished)
        host.runTimers()
        await settle()
        host.passivate()
      }
    },
    restart() {
      host = start()
      wakeUps = sweepOf()
    },
  }
}
