// Charge points that register themselves, at the listener alone: over real sockets, with a store whose commits wait for the test.

import { MessageChannel } from 'node:worker_threads'
import { pino } from 'pino'
import { type Test, test } from 'tap'
import { registeredChange } from '../../src/api/areas/charge-points/publish.js'
import { createAdmission } from '../../src/edge/admission.js'
import { createAttemptLog } from '../../src/edge/attempts.js'
import { createConnectionLog } from '../../src/edge/connection-log.js'
import { createFrameRecorder } from '../../src/edge/frame-recorder.js'
import { limits } from '../../src/edge/limits.js'
import { createOcppListener } from '../../src/edge/listener.js'
import { createRegistrar } from '../../src/edge/registrar.js'
import { createStrangers } from '../../src/edge/strangers.js'
import { hashAuthorizationKey } from '../../src/records/authorization-key.js'
import { type ChargePoint, chargePointsTable } from '../../src/records/charge-point.js'
import { connectionAttemptsTable } from '../../src/records/connection-attempt.js'
import { tables } from '../../src/records/index.js'
import { installationTable } from '../../src/records/organization.js'
import { systemClock as clock } from '../../src/runtime/clock.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { createFrontTransport } from '../../src/runtime/link/front-transport.js'
import { inbound, type ThreadBatch } from '../../src/runtime/link/wire.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { type CommitResult, unowned } from '../../src/runtime/store/store.js'
import type { Table } from '../../src/runtime/store/table.js'
import { loadUWebSockets } from '../../src/runtime/thread/uwebsockets.js'
import type { Settings } from '../../src/settings.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { until } from '../support/until.js'

const uws = loadUWebSockets()

const settings = {
  unknown_charge_points: 'accept',
  require_subprotocol: false,
  heartbeat_interval_seconds: 300,
  ping_interval_seconds: 0,
  dead_peer_seconds: 120,
  frames_per_second: 1_000,
  frame_burst: 1_000,
  bytes_per_second: 1_000_000,
  byte_burst: 10_000_000,
  self_registrations_per_hour: 1_000,
  self_registered_charge_points: 1_000,
  fronts: 1,
} as Settings

interface Stage {
  connect(id: string): Promise<OcppClient>
  /** What has reached the shard, oldest first: `attach NEW-1`, `frame TEXT`, `detach`. */
  readonly reached: readonly string[]
  /** Resolves when everything that was on its way to the shard before has reached it. */
  settled(): Promise<void>
  put<Row>(table: Table<Row>, row: Row): Promise<CommitResult>
  registered(id: string): ChargePoint | undefined
  /** Reasons of the refused attempts. */
  refusals(): readonly string[]
  /** Lets the commits that wait, and those to come, go to the store, or refuses them. */
  release(refused?: CommitResult): void
  readonly waiting: number
  readonly connections: number
  readonly framesIn: number
}

async function stage(t: Test): Promise<Stage> {
  const store = openMemoryStore(tables)
  const log = pino({ level: 'silent' })
  const { port1, port2 } = new MessageChannel()
  let waiting = 0
  let release: Stage['release'] = () => {}
  const released = new Promise<CommitResult | undefined>((resolve) => {
    release = resolve
  })
  const client = {
    view: store.view,
    async commit(batch: Parameters<typeof store.commit>[0]) {
      waiting++
      const refused = await released
      waiting--
      return refused ?? store.commit(batch)
    },
    flush() {},
    onAppended() {},
    get pending() {
      return waiting
    },
  }
  const put: Stage['put'] = (table, row) =>
    store.commit(unowned([{ type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }]))
  await put(installationTable, {
    id: 'installation',
    default_organization_id: 'org_1',
    created_at: '2026-11-01T00:00:00.000Z',
  })

  const transport = createFrontTransport({
    front: 0,
    shards: 1,
    partitions: { owner: () => 0, epoch: () => 1 } as never,
    clock,
    sockets: () => listener.sockets(),
    events: { frame() {}, close() {}, reply() {}, ping() {}, shardLost() {} },
  })
  const reached: string[] = []
  port2.on('message', ({ socketItems: items = [] }: ThreadBatch) => {
    for (let at = 0; at < items.length; ) {
      if (items[at] === inbound.attach) reached.push(`attach ${items[at + 4]}`)
      else reached.push(items[at] === inbound.frame ? `frame ${items[at + 3]}` : 'detach')
      at += items[at] === inbound.attach ? 8 : items[at] === inbound.frame ? 4 : 5
    }
    port2.postMessage({ read: 1 })
  })

  const listener = createOcppListener({
    front: 0,
    incarnation: 1,
    settings,
    tls: false,
    asksForCertificates: () => false,
    clock,
    view: store.view,
    transport,
    strangers: createStrangers({ clock, log, refusalsPerSecond: 1_000 }),
    admission: createAdmission({
      clock,
      random: Math.random,
      connectsPerSecond: 1_000,
      flapConnectsPerMinute: 1_000,
      flapWaitSeconds: 1,
      overloadLevel: () => 0,
      ownerOf: () => undefined,
    }),
    attempts: createAttemptLog(client, clock, Math.random),
    draining: () => false,
    registrar: createRegistrar(client, clock, log, settings, (newcomer) => registeredChange(newcomer, clock.now())),
    log: createConnectionLog(log),
    recorder: createFrameRecorder(clock, 0, log),
    clientAddress: () => '127.0.0.1',
  })
  transport.connectShard(0, port1)
  const app = uws.App()
  listener.mount(app)
  const port = await new Promise<number>((resolve) => {
    app.listen('127.0.0.1', 0, (listening) => resolve(uws.us_socket_local_port(listening || '')))
  })
  t.teardown(() => {
    app.close()
    port1.close()
  })

  const connect = (id: string): Promise<OcppClient> => connectOcpp(`ws://127.0.0.1:${port}/ocpp16/${id}`)
  let sentinels = 0
  return {
    connect,
    reached,
    async settled() {
      const id = `KNOWN-${++sentinels}`
      await put(chargePointsTable, registration(id))
      await connect(id)
      await until(() => reached.includes(`attach ${id}`))
      reached.splice(reached.indexOf(`attach ${id}`), 1)
    },
    put,
    registered: (id) => store.view().get(chargePointsTable, [id]),
    refusals: () =>
      store
        .view()
        .list(connectionAttemptsTable, [])
        .map(({ reason }) => reason),
    release: (refused) => release(refused),
    get waiting() {
      return waiting
    },
    get connections() {
      return listener.size
    },
    get framesIn() {
      return listener.framesIn
    },
  }
}

const registration = (id: string, more: Partial<ChargePoint> = {}): ChargePoint => ({
  charge_point_id: id,
  organization_id: 'org_2',
  version: 1,
  name: id,
  latitude: 0,
  longitude: 0,
  address: '',
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
  ...more,
})

test('newcomers - what a charge point sends is handled once its registration is on disk, in order', async (t) => {
  const made = await stage(t)
  const { connect, reached, settled, registered, release } = made
  const client = await connect('NEW-1')
  const texts = ['[2,"1","BootNotification",{}]', '[2,"2","Heartbeat",{}]']
  for (const text of texts) client.raw(text)
  await until(() => made.framesIn === 2)
  await settled()
  t.same(reached, [], 'nothing before')
  t.equal(registered('NEW-1'), undefined)
  release()
  await until(() => reached.length === 3)
  t.same(reached, ['attach NEW-1', ...texts.map((text) => `frame ${text}`)])
  t.match(registered('NEW-1'), { organization_id: 'org_1', version: Number })
  await client.close()
  await until(() => reached.at(-1) === 'detach')
})

test('newcomers - where the disk refuses the registration, the socket is closed and may come again', async (t) => {
  const { connect, reached, settled, registered, release } = await stage(t)
  const client = await connect('NEW-1')
  client.raw('[2,"1","Heartbeat",{}]')
  release({ ok: false, reason: 'storage_unavailable', message: 'no space' })
  t.match(await client.closed, { code: 1013, reason: /could not be stored/ })
  await settled()
  t.same(reached, [])
  t.equal(registered('NEW-1'), undefined)
})

test('newcomers - an id that was registered meanwhile is held to that registration', async (t) => {
  const { connect, reached, settled, put, release, refusals } = await stage(t)
  const [open, secret, serial] = [await connect('new-1'), await connect('NEW-2'), await connect('NEW-3')]
  await put(chargePointsTable, registration('NEW-1'))
  await put(chargePointsTable, registration('NEW-2', { authorization_key: hashAuthorizationKey(Buffer.alloc(20, 7)) }))
  await put(chargePointsTable, registration('OTHER', { serial_number: 'NEW-3' }))
  open.raw('[2,"1","Heartbeat",{}]')
  release()
  t.match(await secret.closed, { code: 1008, reason: 'no_password' })
  t.match(await serial.closed, { code: 1008, reason: 'unknown_charge_point' })
  await until(() => refusals().length === 2)
  t.same([...refusals()].sort(), ['no_password', 'unknown_charge_point'])
  await until(() => reached.length === 2)
  await settled()
  t.same(reached, ['attach NEW-1', 'frame [2,"1","Heartbeat",{}]'])
})

test('newcomers - two sockets of one new id are both attached', async (t) => {
  const { connect, reached, release } = await stage(t)
  await connect('NEW-1')
  await connect('NEW-1')
  release()
  await until(() => reached.length === 2)
  t.same(reached, ['attach NEW-1', 'attach NEW-1'])
})

test('newcomers - one that goes away before it is registered leaves nothing', async (t) => {
  const made = await stage(t)
  const client = await made.connect('NEW-1')
  client.raw('[2,"1","Heartbeat",{}]')
  await client.close()
  await until(() => made.connections === 0)
  made.release()
  await until(() => made.waiting === 0 && made.registered('NEW-1') !== undefined)
  await made.settled()
  t.same(made.reached, [])
  const again = await made.connect('NEW-1')
  await until(() => made.reached.length === 1)
  await again.close()
})

test('newcomers - one that says too much before it is registered is closed', async (t) => {
  const made = await stage(t)
  const client = await made.connect('NEW-1')
  for (let at = 0; at <= limits.heldFrames; at++) client.raw(`[2,"${at}","Heartbeat",{}]`)
  t.match(await client.closed, { code: 1013 })
  const long = await made.connect('NEW-2')
  for (let at = 0; at < 3; at++) long.raw(`[2,"${at}","${'x'.repeat(60_000)}",{}]`)
  t.match(await long.closed, { code: 1013 })
  made.release()
  await until(() => made.waiting === 0)
  await made.settled()
  t.same(made.reached, [])
})
