// The actor of a rollout in its host, over the store in memory and a clock that only moves when told. There is no router: what it sends is noted,
// and answered when a test says so.

import { pino } from 'pino'
import { createFirmwareRolloutActor } from '../../../src/actors/firmware-rollout/firmware-rollout.js'
import { firmwareRolloutAddress, reasonOfNews } from '../../../src/actors/firmware-rollout/messages.js'
import type { Facts } from '../../../src/actors/firmware-rollout/progress.js'
import type { CallOutcome, ExecuteMessage } from '../../../src/actors/messages/command.js'
import { putRow } from '../../../src/api/pipeline/changes.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import type { CommandRecord } from '../../../src/records/command.js'
import {
  type FirmwareRollout,
  firmwareRolloutsTable,
  type RolloutChargePoint,
  rolloutChargePointsTable,
  stageOfPlace,
} from '../../../src/records/firmware-rollout.js'
import { tables } from '../../../src/records/index.js'
import { alone } from '../../../src/records/presence.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { createWakeUpSweep, type WakeUp, wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { type Change, unowned } from '../../../src/runtime/store/store.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'
import { registeredRow } from '../../support/registration.js'

export const rolloutId = 'rol_1'
const address = firmwareRolloutAddress(rolloutId)

type Said = Partial<Pick<Facts, 'isOnline' | 'version'>>

/** A rollout of so many charge points, which are connected and run version 1.0. */
export async function rolloutOverStore(count: number, fields: Partial<FirmwareRollout> = {}, wakeUps: WakeUp[] = []) {
  const clock = createFakeClock()
  const store = openMemoryStore(tables)
  const iso = (at = clock.now()): string => new Date(at).toISOString()
  const began = clock.now()
  const idOf = (place: number): string => `CP-${place}`
  /** Updates that were sent and are not answered, the oldest first. */
  const sent: ExecuteMessage[] = []
  let commits = 0

  const commit = (...changes: Change[]) => store.commit(unowned(changes))
  const state = (place: number, { isOnline = true, version = '1.0' }: Said = {}): Change =>
    putRow(chargePointStatesTable, {
      charge_point_id: idOf(place),
      organization_id: 'org_1',
      run: 1,
      connected: isOnline,
      connected_at: iso(began - 60_000),
      registration: 'Accepted',
      boot: {
        vendor: 'V',
        model: 'M',
        firmware_version: version,
        booted_at: iso(version === '1.0' ? began - 59_000 : undefined),
      },
      connectors: [],
      power_watts: 0,
    } satisfies ChargePointState)

  const rollout: FirmwareRollout = {
    rollout_id: rolloutId,
    organization_id: 'org_1',
    status: 'pending',
    strategy: 'all_at_once',
    firmware_url: 'https://firmware.example/2.0.bin',
    charge_point_count: count,
    first_stage_size: count,
    next_stage_size: count,
    started_stages: 0,
    max_failure_percent: 20,
    created_by: 'api_key:key_1',
    created_at: iso(),
    ...fields,
  }
  await commit(putRow(firmwareRolloutsTable, rollout), ...wakeUps.map((wakeUp) => putRow(wakeUpsTable, wakeUp)))
  for (let place = 0; place < count; place++) {
    const registered = registeredRow(idOf(place))
    const row: RolloutChargePoint = {
      rollout_id: rolloutId,
      place,
      stage: stageOfPlace(rollout, place),
      charge_point_id: idOf(place),
      organization_id: 'org_1',
      registered_at: registered.created_at,
      standing: 'waiting',
      updated_at: iso(),
    }
    await commit(putRow(chargePointsTable, registered), state(place), putRow(rolloutChargePointsTable, row))
  }

  const replies = new Map<number, unknown>()
  let asks = 0
  const start = () => {
    const partitions = ownPartitions()
    const host: ReturnType<typeof createActorHost> = createActorHost({
      definitions: [createFirmwareRolloutActor({ live: alone(1).live })] as unknown as readonly AnyActorDefinition[],
      store: {
        view: store.view,
        commit(batch) {
          commits++
          return store.commit(batch)
        },
      },
      partitions,
      clock,
      random: Math.random,
      log: pino({ level: 'silent' }),
      passivateAfterMs: 60_000,
      ports: {
        send(to, message) {
          if (to.kind === address.kind) void host.deliver(to, { message })
          else sent.push(message as ExecuteMessage)
        },
        reply: (to, outcome) => void replies.set(to.ask, outcome.ok ? outcome.body : outcome.code),
        frame() {},
        ping() {},
        close() {},
        done() {},
        runJob: async () => ({ ok: false, message: 'there are no jobs here' }),
        connectionOf: () => undefined,
      },
    })
    return { host, wakeUps: createWakeUpSweep({ view: store.view, clock, partitions, owner: 0, host }) }
  }
  let life = start()

  async function settle(): Promise<void> {
    do {
      life.host.run()
      await new Promise((resolve) => setImmediate(resolve))
    } while (life.host.statistics().mailbox + life.host.statistics().committing > 0)
  }

  async function deliver(message: unknown): Promise<void> {
    life.host.deliver(address, { message })
    await settle()
  }

  return {
    clock,
    sent,
    get commits() {
      return commits
    },
    get isLoaded() {
      return life.host.statistics().actors > 0
    },
    rollout: () => store.view().get(firmwareRolloutsTable, [rolloutId]),
    rows: () => store.view().list(rolloutChargePointsTable, [rolloutId]),
    wakeUps: () => store.view().list(wakeUpsTable, []),
    deliver,
    // biome-ignore lint/suspicious/noExplicitAny: the reply of the actor
    async ask(type: string): Promise<any> {
      const ask = ++asks
      life.host.deliver(address, { message: { type }, replyTo: { front: 0, ask } })
      await settle()
      return replies.get(ask)
    },
    /** Answers the oldest update that is not answered. */
    async answer(outcome: CallOutcome = { type: 'answered', payload: {}, responseTimeMs: 1 }): Promise<void> {
      const message = sent.shift()
      if (message === undefined) throw new Error('nothing was sent')
      const record = { organization_id: 'org_1', charge_point_id: message.chargePointId } as CommandRecord
      const reply = { type: 'recorded', record, outcome }
      await deliver({ type: 'command-ended', commandId: message.commandId, reply })
    },
    /** What is heard of a charge point, after what is stored of it. */
    async hear(place: number, status?: string, said: Said = {}): Promise<void> {
      await commit(state(place, said))
      await deliver({ type: 'wake-up', reason: reasonOfNews({ place, ...(status !== undefined && { status }) }) })
    },
    /** Timers and wake-ups as they become due, looked for so often. */
    async pass(seconds: number, everySeconds = 1): Promise<void> {
      for (let second = 0; second < seconds; second += everySeconds) {
        clock.advance(everySeconds * 1_000)
        do life.wakeUps.sweep()
        while (life.wakeUps.unfinished)
        life.host.runTimers()
        await settle()
        life.host.passivate()
      }
    },
    /** As after the end of its shard: only what is on disk is left. */
    restart(): void {
      life = start()
    },
  }
}
