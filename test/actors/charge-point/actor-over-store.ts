// A charge-point actor in its host, over the store in memory and a clock that only moves when told: no threads, no sockets.

import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { createChargePointActor } from '../../../src/actors/charge-point/charge-point.js'
import { chargePointAddress, type Signing, type SocketDetails } from '../../../src/actors/charge-point/messages.js'
import { siteKind } from '../../../src/actors/messages/site.js'
import {
  type OcpiAuthorization,
  type OcpiAuthorizationResult,
  ocpiAuthorizeJob,
} from '../../../src/ocpi/authorization-call.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { tables } from '../../../src/records/index.js'
import { byCertificate, byPassword } from '../../../src/records/let-in-by.js'
import { alone } from '../../../src/records/presence.js'
import type { Connection } from '../../../src/runtime/actor/actor.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition, Delivery } from '../../../src/runtime/actor/actor-host-ports.js'
import { outboxTable } from '../../../src/runtime/actor/outbox.js'
import type { ReplyOutcome } from '../../../src/runtime/actor/transport.js'
import { createWakeUpSweep } from '../../../src/runtime/actor/wake-ups.js'
import { encodeRow } from '../../../src/runtime/codec.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { type ReadView, unowned } from '../../../src/runtime/store/store.js'
import type { Key, Table } from '../../../src/runtime/store/table.js'
import { declared } from '../../support/declared-events.js'
import { neverSet } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'
import { registeredRow } from '../../support/registration.js'

export interface ActorOptions {
  /** What becomes of its certificate requests; unless given, there is no authority. */
  readonly signs?: Signing
  /** What roaming partners say when they are asked; unless given, there are no jobs. */
  readonly partners?: (question: OcpiAuthorization) => Promise<OcpiAuthorizationResult>
  /** What others do while one is signed. */
  readonly whileSigning?: (actor: Pick<ActorOverStore, 'put'>) => Promise<void>
}

export interface ActorOverStore {
  readonly clock: { wall: number; monotonic: number }
  view(): ReadView
  /** What was sent and closed, oldest first: `1 [3,"a",{}]`, `1 closed 1000`. */
  readonly said: string[]
  attach(connection: number, epoch: number, details?: Partial<SocketDetails>): Promise<void>
  /** A socket that the shard knows, and of which the actor has not heard yet. */
  open(connection: number, epoch: number, details?: Partial<SocketDetails>): void
  /** The end of a socket. */
  detach(connection: number): Promise<void>
  /** As on a full disk: commits are refused while `refused` is true. */
  refuseWrites(refused: boolean): void
  /** A CALL over a socket; resolves with the payload of its answer. */
  call(connection: number, action: string, payload: object): Promise<Record<string, unknown>>
  /** A frame that a socket brings; what jobs bring about is done when it resolves. */
  frame(connection: number, frame: readonly unknown[]): Promise<void>
  /** Puts a row that others write, past the actor. */
  put<Row>(table: Table<Row>, row: Row): Promise<void>
  remove<Row>(table: Table<Row>, key: Key): Promise<void>
  /** What others do between the actor's next decision and its commit. */
  overtake(others: () => void): void
  /** What happens comes to the actor in one turn. */
  together(happen: () => void): Promise<void>
  /** Messages to its site, oldest first. */
  readonly toSite: unknown[]
  /** A message of another actor. */
  send(message: object): Promise<void>
  /** Asks the actor, and resolves with its reply. */
  ask(message: object): Promise<unknown>
  /** A CALL of the service's own, with what the charge point answers to it. */
  command(connection: number, action: string, payload: object, answer: object): Promise<void>
  /** The events of a kind, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
  events(kind: string): any[]
  /** As after the end of its shard, or of the whole service: only what is on disk is left, and no socket is announced yet. */
  restart(ended?: 'shard' | 'service'): void
  /** Tells the actor what has become due, as its shard does every second. */
  wake(): Promise<void>
  /** It leaves memory where nothing was said for long enough and nothing keeps it; returns how many actors are left. */
  passivate(): number
}

export async function actorOverStore(
  id: string,
  { signs, whileSigning, partners }: ActorOptions = {},
): Promise<ActorOverStore> {
  const settings = {
    live: alone(1).live,
    heartbeatIntervalSeconds: 300,
    bootRetrySeconds: 60,
    provisionalCloseSeconds: 600,
    signsCertificates: signs !== undefined,
    logsMessages: true,
    randomBytes,
  }
  const clock = { wall: Date.UTC(2026, 0, 2), monotonic: 1_000 }
  const store = openMemoryStore(tables)
  const row = encodeRow(registeredRow(id))
  await store.commit(unowned([{ type: 'put', table: chargePointsTable.name, key: [id], row }]))
  const address = chargePointAddress(id)
  const said: string[] = []
  const toSite: unknown[] = []
  const replies: ReplyOutcome[] = []
  const attached = new Map<number, Connection>()
  const partitions = ownPartitions()
  const time = neverSet({ now: () => clock.wall, monotonic: () => clock.monotonic })
  let run = 1
  let others: (() => void) | undefined
  const start = () =>
    createActorHost({
      definitions: [
        createChargePointActor({ ...settings, live: alone(run).live }),
      ] as unknown as readonly AnyActorDefinition[],
      store: {
        view: store.view,
        commit(batch) {
          const first = others
          others = undefined
          first?.()
          return store.commit(batch)
        },
      },
      partitions: ownPartitions(),
      clock: time,
      random: () => 0.5,
      log: pino({ level: 'silent' }),
      passivateAfterMs: 60_000,
      ports: {
        send(to, message) {
          if (to.kind === siteKind) toSite.push(message)
          if (to.kind === address.kind && to.id === id) host.deliver(address, { message, always: true })
        },
        reply: (_, outcome) => replies.push(outcome),
        frame: (connection, text) => said.push(`${connection} ${text}`),
        close: (connection, code) => said.push(`${connection} closed ${code}`),
        done() {},
        async runJob(job, input) {
          if (partners !== undefined && job === ocpiAuthorizeJob)
            return { ok: true, value: await partners(input as OcpiAuthorization) }
          await whileSigning?.({ put })
          return signs === undefined ? { ok: false, message: 'there are no jobs here' } : { ok: true, value: signs }
        },
        connectionOf: () => [...attached.values()].sort((one, other) => other.epoch - one.epoch)[0],
      },
    })
  let host = start()
  const sweepOf = () => createWakeUpSweep({ view: store.view, clock: time, partitions, owner: 0, host })
  let wakeUps = sweepOf()

  async function deliver(message: unknown, more: Partial<Delivery> = {}): Promise<void> {
    host.deliver(address, { message, ...more })
    await settle()
  }

  let isHeld = false
  async function settle(): Promise<void> {
    if (isHeld) return
    host.run()
    while (host.statistics().mailbox + host.statistics().committing > 0)
      await new Promise((resolve) => setImmediate(resolve))
  }

  async function put<Row>(table: Table<Row>, row: Row): Promise<void> {
    await store.commit(unowned([{ type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }]))
  }

  function open(connection: number, epoch: number, more: Partial<SocketDetails> = {}): Connection {
    const registered = store.view().get(chargePointsTable, [id]) ?? registeredRow(id)
    const plain = {
      incarnation: run,
      remoteAddress: '::1',
      subprotocol: 'ocpp1.6',
      securityProfile: 0,
      connectedAt: clock.wall,
      letInBy: more.securityProfile === 3 ? byCertificate(registered) : byPassword(registered),
    }
    const details = { ...plain, ...more }
    const socket = { connection, epoch, details }
    attached.set(connection, socket)
    return socket
  }

  let calls = 0
  return {
    clock,
    view: store.view,
    said,
    toSite,
    send: (message) => deliver(message),
    async attach(connection, epoch, more) {
      const socket = open(connection, epoch, more)
      await deliver({ type: 'attached', connection: socket }, { always: true })
    },
    open,
    async detach(connection) {
      attached.delete(connection)
      await deliver({ type: 'detached', connection, code: 1006, reason: '' }, { always: true })
    },
    refuseWrites: (refused) => store.failNext(refused ? Number.POSITIVE_INFINITY : 0),
    async call(connection, action, payload) {
      const messageId = `call-${++calls}`
      await deliver({ type: 'frame', connection, text: JSON.stringify([2, messageId, action, payload]) })
      const find = () => said.find((line) => line.startsWith(`${connection} [3,"${messageId}"`))
      // What jobs bring about takes some turns.
      for (let turns = 0; find() === undefined && turns < 10; turns++) {
        await new Promise((resolve) => setImmediate(resolve))
        await settle()
      }
      const answer = find()
      if (answer === undefined) throw new Error(`${action} got no result: ${said.at(-1)}`)
      return JSON.parse(answer.slice(answer.indexOf('[')))[2]
    },
    async frame(connection, frame) {
      await deliver({ type: 'frame', connection, text: JSON.stringify(frame) })
      await new Promise((resolve) => setImmediate(resolve))
      await settle()
    },
    put,
    async remove(table, key) {
      await store.commit(unowned([{ type: 'remove', table: table.name, key }]))
    },
    overtake(given) {
      others = given
    },
    async together(happen) {
      isHeld = true
      happen()
      isHeld = false
      await settle()
    },
    async ask(message) {
      await deliver(message, { replyTo: { front: 0, ask: 1 } })
      const reply = replies.at(-1)
      return reply?.ok === true ? reply.body : reply
    },
    async command(connection, action, payload, answer) {
      const commandId = `command-${++calls}`
      await deliver({ type: 'call', commandId, action, payload, remainingMs: 10_000, router: undefined })
      await deliver({ type: 'frame', connection, text: JSON.stringify([3, commandId, answer]) })
    },
    events: (kind) =>
      declared(store.view().list(outboxTable, []))
        .filter(({ event }) => event === kind)
        .map(({ data }) => data),
    restart(ended = 'shard') {
      attached.clear()
      if (ended === 'service') run++
      host = start()
      wakeUps = sweepOf()
    },
    async wake() {
      wakeUps.sweep()
      host.runTimers()
      await settle()
    },
    passivate: () => host.passivate(),
  }
}
