// Charge points' actors over the store in memory, and the clock that looks for alerts: time passes when told, processes end when told.

import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { createAlertClock } from '../../../src/actors/alert-clock/clock.js'
import type { WatchedCertificate } from '../../../src/actors/alert-clock/options.js'
import { alertMail } from '../../../src/actors/alert-mail/alert-mail.js'
import { createChargePointActor } from '../../../src/actors/charge-point/charge-point.js'
import { chargePointAddress } from '../../../src/actors/charge-point/messages.js'
import { mail } from '../../../src/actors/mail/mail.js'
import type { SendMailRequest } from '../../../src/actors/mail/messages.js'
import type { AlertThresholds } from '../../../src/alert-kinds/index.js'
import { type Alert, alertsTable } from '../../../src/records/alert.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { tables } from '../../../src/records/index.js'
import { installationTable, type Organization, organizationsTable } from '../../../src/records/organization.js'
import { alone } from '../../../src/records/presence.js'
import type { Address, Connection } from '../../../src/runtime/actor/actor.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { outboxTable } from '../../../src/runtime/actor/outbox.js'
import { createWakeUpSweep } from '../../../src/runtime/actor/wake-ups.js'
import { encodeRow } from '../../../src/runtime/codec.js'
import { createIdMaker } from '../../../src/runtime/ids.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { type Change, unowned } from '../../../src/runtime/store/store.js'
import type { Key, Table } from '../../../src/runtime/store/table.js'
import { declared } from '../../support/declared-events.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'
import { registeredRow } from '../../support/registration.js'

export const minuteMs = 60_000
export const settleMs = minuteMs
export const organizationId = 'org_1'
/** Every so often the clock looks. */
const lookEveryMs = 5_000
const partitions = ownPartitions()

export type Stage = ReturnType<typeof createStage>

export function createStage() {
  const clock = createFakeClock()
  const store = openMemoryStore(tables)
  const sockets = new Map<string, Connection>()
  const lost: { readonly to: Address; readonly message: unknown }[] = []
  const mails: SendMailRequest[] = []
  let certificates: readonly WatchedCertificate[] = []
  let connections = 0
  let messages = 0
  /** What is sent to an actor goes astray while this is true. */
  let astray = false

  async function commit(...changes: Change[]): Promise<void> {
    const result = await store.commit(unowned(changes))
    if (!result.ok) throw new Error(`the stage could not commit: ${result.reason}`)
  }
  const put = <Row>(table: Table<Row>, row: Row) =>
    commit({ type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) })
  const remove = <Row>(table: Table<Row>, key: Key) => commit({ type: 'remove', table: table.name, key })

  /** One process: what it has in memory ends with it. */
  function newProcess(run: number, startedAt = clock.monotonic()) {
    const settings = {
      live: alone(run).live,
      heartbeatIntervalSeconds: 300,
      bootRetrySeconds: 60,
      provisionalCloseSeconds: 600,
      signsCertificates: false,
      logsMessages: true,
      randomBytes,
    }
    const log = pino({ level: 'silent' })
    const host = createActorHost({
      definitions: [createChargePointActor(settings), alertMail, mail] as unknown as readonly AnyActorDefinition[],
      store,
      partitions: ownPartitions(),
      clock,
      random: () => 0.5,
      log,
      passivateAfterMs: 30_000,
      ports: {
        send: () => undefined,
        reply: () => undefined,
        frame: () => undefined,
        close: () => undefined,
        done: () => undefined,
        runJob(_, input) {
          mails.push(input as SendMailRequest)
          return Promise.resolve({ ok: true, value: { type: 'sent' } })
        },
        connectionOf: (key) => sockets.get(key),
      },
    })
    const alerts = createAlertClock({
      view: store.view,
      tell(to, message) {
        if (astray) lost.push({ to, message })
        else host.deliver(to, { message })
      },
      commit: (changes) => store.commit(unowned(changes)),
      newId: createIdMaker(clock, () => 0.5),
      now: clock.now,
      unconfirmed: clock.unconfirmed,
      uptime: () => clock.monotonic() - startedAt,
      live: alone(run).live,
      settleMs,
      certificates: () => certificates,
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    })
    const wakeUps = createWakeUpSweep({ view: store.view, clock, partitions, owner: 0, host })
    return { run, startedAt, host, alerts, wakeUps }
  }
  let service = newProcess(1)

  async function rest(): Promise<void> {
    service.host.run()
    while (service.host.statistics().mailbox + service.host.statistics().committing > 0)
      await new Promise((resolve) => setImmediate(resolve))
  }

  async function deliver(to: Address, message: unknown): Promise<void> {
    service.host.deliver(to, { message, always: true })
    await rest()
  }

  async function look(): Promise<void> {
    service.host.runTimers()
    service.wakeUps.sweep()
    await service.alerts.look()
    await rest()
    service.host.passivate()
  }

  const now = () => new Date(clock.now()).toISOString()

  return {
    clock,
    view: store.view,
    put,
    remove,
    commit,
    lost,
    /** As on a full disk. */
    refuseWrites: (refused: boolean) => store.failNext(refused ? Number.POSITIVE_INFINITY : 0),
    setAstray(value: boolean) {
      astray = value
    },
    setCertificates(value: readonly WatchedCertificate[]) {
      certificates = value
    },
    /** Makes or changes the organization, which is the installation's own too. */
    async organization(
      alert_thresholds: Partial<AlertThresholds> = {},
      id = organizationId,
      more: Partial<Organization> = {},
    ): Promise<void> {
      const before = store.view().get(organizationsTable, [id])
      await put(organizationsTable, {
        organization_id: id,
        name: 'Example',
        country: 'NL',
        contact_email: 'operations@example.com',
        plan: 'enterprise',
        unknown_id_tags: 'accept',
        created_at: now(),
        updated_at: now(),
        ...before,
        ...more,
        version: (before?.version ?? 0) + 1,
        alert_thresholds: { ...before?.alert_thresholds, ...alert_thresholds },
      })
      await put(installationTable, {
        id: 'installation',
        default_organization_id: organizationId,
        created_at: now(),
      })
    },
    async register(id: string, owner = organizationId): Promise<void> {
      await put(chargePointsTable, registeredRow(id, { organization_id: owner }))
      await deliver(chargePointAddress(id), { type: 'registration-changed' })
    },
    tell: (id: string, message: unknown) => deliver(chargePointAddress(id), message),
    async connect(id: string, details: Readonly<Record<string, unknown>> = {}): Promise<number> {
      const address = chargePointAddress(id)
      const connection = {
        connection: ++connections,
        epoch: clock.monotonic() + connections / 1_000,
        details: {
          incarnation: service.run,
          remoteAddress: '::1',
          subprotocol: 'ocpp1.6',
          securityProfile: 0,
          connectedAt: clock.now(),
          letInBy: { mark: '' },
          ...details,
        },
      }
      sockets.set(address.key as string, connection)
      await deliver(address, { type: 'attached', connection })
      return connection.connection
    },
    async disconnect(id: string): Promise<void> {
      const address = chargePointAddress(id)
      const socket = sockets.get(address.key as string)
      sockets.delete(address.key as string)
      if (socket === undefined) return
      await deliver(address, { type: 'detached', connection: socket.connection, code: 1006, reason: '' })
    },
    /** A CALL of the charge point. */
    async call(id: string, action: string, payload: object): Promise<void> {
      const address = chargePointAddress(id)
      const connection = sockets.get(address.key as string)?.connection
      const text = JSON.stringify([2, `m-${++messages}`, action, payload])
      await deliver(address, { type: 'frame', connection, text })
    },
    async status(id: string, connectorId: number, status: string, more: object = {}): Promise<void> {
      const errorCode = status === 'Faulted' ? 'GroundFailure' : 'NoError'
      await this.call(id, 'StatusNotification', { connectorId, status, errorCode, ...more })
    },
    look,
    /** Time passes, and the clock looks meanwhile. */
    async pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= lookEveryMs) {
        clock.advance(Math.min(left, lookEveryMs))
        await look()
      }
    },
    /** What went astray arrives after all. */
    async arriveLate(): Promise<void> {
      for (const { to, message } of lost.splice(0)) await deliver(to, message)
    },
    /** The process is killed; another begins `downMs` later. No socket lives through it. */
    async restart(downMs = 1_000): Promise<void> {
      sockets.clear()
      clock.advance(downMs)
      service = newProcess(service.run + 1)
      await look()
    },
    /** As the end of a shard: only what is on disk is left of its actors. */
    forget() {
      service = newProcess(service.run, service.startedAt)
    },
    alerts: (id = organizationId): readonly Alert[] => store.view().listBy(alertsTable, 'byOrganization', [id]),
    open: (id = organizationId): readonly string[] =>
      store
        .view()
        .listBy(alertsTable, 'byStatus', [id, 'open'])
        .map(({ kind, subject }) => `${kind} ${subject}`)
        .sort(),
    /** `triggered kind subject`, `resolved ...`: as the outbox tells it, oldest first. */
    told: (): readonly string[] =>
      declared(store.view().list(outboxTable, []))
        .filter(({ event }) => event.startsWith('alert.'))
        .map(({ event, data }) => {
          const which = data.connector_id === undefined ? '' : `/${data.connector_id}`
          return `${event.slice(6)} ${data.kind} ${data.charge_point_id ?? data.details ?? ''}${which}`
        }),
    /** Those that were sent, oldest first. */
    mails,
    state: (id: string) => store.view().get(chargePointStatesTable, [id]),
  }
}

/** Of the charge point that `stageWith` has connected. */
export const connectedId = 'CP-1'

/** A charge point has connected and booted. */
export async function stageWith(thresholds = {}): Promise<Stage> {
  const stage = createStage()
  await stage.organization(thresholds)
  await stage.register(connectedId)
  await stage.connect(connectedId)
  await stage.call(connectedId, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  return stage
}
