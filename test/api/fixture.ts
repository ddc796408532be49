// The API over a store in memory, with the real actors behind it and scripted charge points at the end of their sockets.
// Every answer is checked against what its route declares: its status and its schema, or its code and the form of errors.

import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { chargePointAddress } from '../../src/actors/charge-point/messages.js'
import { actorDefinitions } from '../../src/actors/kinds.js'
import { createEventStreams } from '../../src/api/areas/events/event-streams.js'
import { createStreamRoom } from '../../src/api/areas/events/stream-room.js'
import { createFleets } from '../../src/api/areas/fleet/fleets.js'
import { createInstallationStreams } from '../../src/api/areas/installation/streams.js'
import { createMessageStreams } from '../../src/api/areas/messages/message-streams.js'
import { bootstrapChanges } from '../../src/api/areas/organizations/bootstrap.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { createLongReads } from '../../src/api/pipeline/long-reads.js'
import { makeKey } from '../../src/api/pipeline/make-key.js'
import { type Api, createApi } from '../../src/api/pipeline/pipeline.js'
import type { InstallerSignup, Services } from '../../src/api/pipeline/services.js'
import { createThrottles } from '../../src/api/pipeline/throttles.js'
import { createFrameRecorder, type RecordedChain, recordedName } from '../../src/edge/frame-recorder.js'
import { checkUrl } from '../../src/jobs/outbound/url-rule.js'
import { createInstallationWatch } from '../../src/process/installation-watch.js'
import { runJob } from '../../src/process/job-thread.js'
import { createLoadRuns } from '../../src/process/load-runs.js'
import { scopes as allScopes, apiKeysTable, type Scope } from '../../src/records/api-key.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import type { SharedTemplate } from '../../src/records/configuration-template.js'
import { tables } from '../../src/records/index.js'
import { byPassword } from '../../src/records/let-in-by.js'
import { type Organization, organizationsTable, type Plan } from '../../src/records/organization.js'
import { alone } from '../../src/records/presence.js'
import type { Address, Connection } from '../../src/runtime/actor/actor.js'
import { createActorHost } from '../../src/runtime/actor/actor-host.js'
import { addressKey, sharedPartitionTable } from '../../src/runtime/actor/partition-table.js'
import type { ReplyOutcome } from '../../src/runtime/actor/transport.js'
import { systemClock } from '../../src/runtime/clock.js'
import { errorKind, timeout } from '../../src/runtime/errors.js'
import { createIdMaker } from '../../src/runtime/ids.js'
import type { CheckUrlInput } from '../../src/runtime/outbound-jobs.js'
import { createSealer } from '../../src/runtime/sealing.js'
import { keepTime, serviceClock } from '../../src/runtime/steady-time.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import type { Change } from '../../src/runtime/store/store.js'
import type { Table } from '../../src/runtime/store/table.js'
import type { Settings } from '../../src/settings.js'
import { type Answered, checkAgainstSchema, routes } from './declared.js'

export { type Answered, routes } from './declared.js'

export const run = 1
const hourMs = 3_600_000

/** What a scripted charge point does with a CALL: answers it, answers CALLERROR, or says nothing. */
export type Script = (action: string, payload: Record<string, unknown>) => unknown
export class CallError extends Error {}

export interface CallOptions {
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
}

export interface TestApi extends Awaited<ReturnType<typeof createTestApi>> {}

export interface TestApiOptions {
  readonly enterpriseQuotaPerHour?: number
  readonly requireIdentity?: boolean
  readonly sendsMail?: boolean
  readonly consoleInsecure?: boolean
  readonly configurationTemplates?: readonly SharedTemplate[]
  readonly installerSignup?: InstallerSignup
  /** Beside those of the service. */
  readonly moreTables?: readonly Table<never>[]
}

export async function createTestApi({ moreTables = [], ...options }: TestApiOptions = {}) {
  let ahead = 0
  let setAhead = 0
  const machine = {
    now: () => systemClock.now() + ahead + setAhead,
    monotonic: () => systemClock.monotonic() + ahead,
  }
  const time = keepTime(machine, undefined, undefined)
  const clock = serviceClock(machine, time.shared)
  const store = openMemoryStore([...tables, ...moreTables], {
    clock,
    onAppended: (topics) => {
      eventStreams.appended(topics)
      fleets.appended(topics)
    },
  })
  const sockets = new Map<string, Connection>()
  const scripts = new Map<number, { readonly id: string; readonly script: Script }>()
  const closed: number[] = []
  let nextConnection = 1
  let nextAsk = 1
  let overload: 0 | 1 | 2 | 3 = 0
  let draining = false
  let isReady = true
  let actorsAreLate = false

  const log = pino({ level: 'silent' })
  const host = createActorHost({
    definitions: actorDefinitions({
      chargePoint: {
        live: alone(run).live,
        heartbeatIntervalSeconds: 300,
        bootRetrySeconds: 60,
        provisionalCloseSeconds: 600,
        signsCertificates: false,
        logsMessages: true,
        randomBytes,
      },
    }),
    store,
    partitions: sharedPartitionTable(),
    clock,
    random: Math.random,
    log,
    passivateAfterMs: 60_000,
    ports: {
      send: (to, message) => void host.deliver(to, { message }),
      reply: (to, outcome) => asks.get(to.ask)?.(outcome),
      frame: (connection, text) => takeFrame(connection, text),
      ping: (connection) => answerPing(connection),
      close: (connection) => closed.push(connection),
      done: () => undefined,
      runJob: () => Promise.resolve({ ok: false, message: 'there are no jobs here' }),
      connectionOf: (address) => sockets.get(address),
    },
  })

  // The front's table of asks, without its deadlines: here the actors answer or time out themselves.
  const asks = new Map<number, (outcome: ReplyOutcome) => void>()
  function ask(to: Address, message: unknown): Promise<unknown> {
    if (actorsAreLate) return Promise.reject(timeout('no answer came in time'))
    const number = nextAsk++
    const answered = new Promise((resolve, reject) => {
      asks.set(number, (outcome) => {
        asks.delete(number)
        if (outcome.ok) resolve(outcome.body)
        else reject(errorKind(outcome.code)(outcome.message))
      })
    })
    host.deliver(to, { message, replyTo: { front: 0, ask: number } })
    host.run()
    return answered
  }

  function takeFrame(connection: number, text: string): void {
    const to = scripts.get(connection)?.id
    if (to !== undefined) record(to, 'out', text)
    const [type, id, action, payload] = JSON.parse(text) as [number, string, string, Record<string, unknown>]
    const charger = scripts.get(connection)
    if (type !== 2 || charger === undefined) return
    const answer = charger.script(action, payload)
    if (answer === undefined) return
    const error = answer instanceof CallError
    sendFrame(connection, charger.id, error ? [4, id, answer.message, '', {}] : [3, id, answer])
  }

  /** At once: the front is not there that would wait for it. */
  function answerPing(connection: number): void {
    const id = scripts.get(connection)?.id
    if (id === undefined) return
    const pong = { type: 'ping-ended', connection, latencyMs: 1, answersPings: true, wasHeard: true }
    host.deliver(chargePointAddress(id), { message: pong })
    setImmediate(() => host.run())
  }

  function sendFrame(connection: number, id: string, frame: unknown): void {
    const text = JSON.stringify(frame)
    record(id, 'in', text)
    host.deliver(chargePointAddress(id), { message: { type: 'frame', connection, text } })
    setImmediate(() => host.run())
  }

  async function commit(...changes: Change[]): Promise<void> {
    const result = await store.commit({ partition: -1, epoch: 0, sequence: 0, changes })
    if (!result.ok) throw new Error(`the fixture could not commit: ${result.reason}`)
  }

  const newId = createIdMaker(clock, Math.random)
  // Each look at the clock takes a millisecond, so that a slice is a few steps.
  let looks = 0
  const longReads = createLongReads({ monotonic: () => looks++ })
  const room = createStreamRoom()
  const eventStreams = createEventStreams({ view: store.view, longReads, clock, room })
  const fleets = createFleets({ view: store.view, live: alone(run).live, clock, longReads, room })
  // Nobody measures anything.
  const installation = createInstallationWatch(clock)
  const loadRuns = createLoadRuns(clock)
  const recorder = createFrameRecorder(clock, 1, log)
  const recordedOf = new Map<string, RecordedChain>()
  function record(id: string, direction: 'in' | 'out', text: string): void {
    const row = store.view().get(chargePointsTable, [id])
    if (row === undefined) return
    const chain = recordedOf.get(recordedName(row)) ?? recorder.opened(recordedName(row))
    recordedOf.set(recordedName(row), chain)
    recorder.frame(chain, direction, text)
  }

  const messageStreams = createMessageStreams({ view: store.view, frames: recorder, clock, room })
  const services: Services = {
    view: store.view,
    async commit(changes, conditions) {
      // Commits take a while, as those of a disk do: requests at the same time see the same rows.
      await new Promise(setImmediate)
      return store.commit({
        partition: -1,
        epoch: 0,
        sequence: 0,
        changes,
        ...(conditions === undefined ? {} : { conditions }),
      })
    },
    ask,
    tell(to, message) {
      host.deliver(to, { message })
      host.run()
    },
    async runJob(job, input) {
      // Without asking any name server.
      if (job === 'check-url')
        return { ok: true, value: checkUrl((input as CheckUrlInput).url, { allowInsecure: false }) }
      return { ok: true, value: await runJob({ job, input, settings: {} as Settings }) }
    },
    eventStreams,
    fleets,
    installation: {
      series: async (query) => installation.read(query),
      stream: createInstallationStreams(async () => ({}), log).stream,
      async confirmClock() {
        time.confirm()
        return true
      },
    },
    loadRuns: {
      note: async (run) => loadRuns.note(run),
      running: async () => loadRuns.running(),
      askToEnd: async (runId) => loadRuns.askToEnd(runId),
      ended: async (runId) => void loadRuns.ended(runId),
    },
    frames: { recent: async (name, bounds) => recorder.recent(name, bounds), follow: recorder.follow },
    messageStreams,
    longReads,
    throttles: createThrottles(clock),
    clock,
    newId,
    randomBytes,
    sealer: createSealer([randomBytes(32)]),
    presence: alone(run),
    overloadLevel: () => overload,
    draining: () => draining,
    recordsCommands: () => true,
    ready: () => ({ ok: isReady, checks: { store: isReady ? 'ok' : 'the disk refuses writes' } }),
    metrics: async () => 'ampshard_up 1\n',
    observe: () => undefined,
    log,
    config: {
      ocppUrl: 'ws://127.0.0.1:8080',
      apiUrl: 'http://127.0.0.1:8080',
      guestPreauthorisationAmount: 50,
      installerSignup: 'open',
      requireIdentity: false,
      security: { tls: false, issuesCertificates: true, authority: () => undefined },
      ...options,
    },
  }
  const api: Api = createApi(routes, services)

  const first = bootstrapChanges(store.view(), clock.now(), newId, randomBytes)
  if (first?.keyToShow === undefined) throw new Error('the fixture has no first key')
  await commit(...first.changes)
  const operator = { organizationId: first.organizationId, key: first.keyToShow }

  async function addOrganization(plan: Plan = 'enterprise'): Promise<{ organizationId: string; key: string }> {
    const now = new Date(clock.now()).toISOString()
    const organization: Organization = {
      organization_id: newId('org'),
      version: 1,
      name: 'Another',
      country: 'NL',
      contact_email: 'operations@example.com',
      plan,
      unknown_id_tags: 'accept',
      created_at: now,
      updated_at: now,
    }
    await commit(putRow(organizationsTable, organization))
    const { organization_id } = organization
    return { organizationId: organization_id, key: await addKey(organization_id, allScopes) }
  }

  async function addKey(organizationId: string, scopes: readonly Scope[]): Promise<string> {
    const made = makeKey({ organizationId, name: 'Test', scopes, now: clock.now(), newId, randomBytes })
    await commit(putRow(apiKeysTable, made.row))
    return made.key
  }

  async function call(
    method: string,
    target: string,
    body?: unknown,
    { key, headers }: CallOptions = { key: operator.key },
  ) {
    const [path = '', query = ''] = target.split('?', 2)
    const encoded =
      body === undefined || Buffer.isBuffer(body)
        ? body
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const response = await api.handle({
      method,
      path,
      query,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(encoded === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: encoded,
      remoteAddress: '127.0.0.1',
    })
    const text = Buffer.from(response.body).toString()
    const isJson = response.headers['Content-Type']?.startsWith('application/json') === true
    const answered: Answered = { ...response, body: isJson && text !== '' ? JSON.parse(text) : text }
    checkAgainstSchema(method, path, answered)
    return answered
  }

  async function register(id: string, changes: Record<string, unknown> = {}, key = operator.key): Promise<void> {
    const body = {
      charge_point_id: id,
      name: `Charger ${id}`,
      latitude: 52.37,
      longitude: 4.9,
      address: 'Example street 1',
      connector_count: 2,
      max_power_kw: 22,
      ...changes,
    }
    const { status } = await call('POST', '/api/v1/chargepoints', body, { key })
    if (status !== 201) throw new Error(`the fixture could not register ${id}: ${status}`)
  }

  /** Opens a charge point's socket, boots it, and lets the script answer its calls. Returns the connection. */
  function connect(id: string, script: Script = () => undefined): number {
    const connection = nextConnection++
    const registered = store.view().get(chargePointsTable, [id])
    const attached: Connection = {
      connection,
      epoch: connection,
      details: {
        incarnation: run,
        remoteAddress: '127.0.0.1',
        subprotocol: 'ocpp1.6',
        securityProfile: 0,
        overTls: false,
        connectedAt: clock.now(),
        letInBy: registered === undefined ? { mark: '' } : byPassword(registered),
      },
    }
    sockets.set(addressKey(chargePointAddress(id)), attached)
    scripts.set(connection, { id, script })
    host.deliver(chargePointAddress(id), { message: { type: 'attached', connection: attached } })
    host.run()
    tellFrom(connection, 'BootNotification', { chargePointVendor: 'Example', chargePointModel: 'One' })
    return connection
  }

  /** A CALL of the charge point itself. */
  function tellFrom(connection: number, action: string, payload: unknown): void {
    const charger = scripts.get(connection)
    if (charger === undefined) throw new Error('there is no such connection')
    sendFrame(connection, charger.id, [2, newId('message'), action, payload])
  }

  /** Any frame, also one that is none. */
  function send(connection: number, frame: unknown): void {
    const charger = scripts.get(connection)
    if (charger === undefined) throw new Error('there is no such connection')
    sendFrame(connection, charger.id, frame)
  }

  /** An answer to a call that the script left without one. */
  function answerLate(connection: number, messageId: string, payload: unknown): void {
    const charger = scripts.get(connection)
    if (charger === undefined) throw new Error('there is no such connection')
    sendFrame(connection, charger.id, [3, messageId, payload])
  }

  function disconnect(connection: number, code = 1006): void {
    const charger = scripts.get(connection)
    if (charger === undefined) throw new Error('there is no such connection')
    sockets.delete(addressKey(chargePointAddress(charger.id)))
    const message = { type: 'detached', connection, code, reason: '' }
    host.deliver(chargePointAddress(charger.id), { message })
    host.run()
  }

  /** Everything that was set in motion has come to rest. */
  async function settled(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  }

  /** Time passes at once; what was due in it happens. */
  async function pass(milliseconds: number): Promise<void> {
    ahead += milliseconds
    host.runTimers()
    await settled()
  }

  /** Somebody sets the clock of the machine: no time passes. */
  function setClock(milliseconds: number): void {
    setAhead += milliseconds
  }

  /** What is counted by the hour of the clock must not see one end between two requests. */
  const beginHour = (): Promise<void> => pass(hourMs - (clock.now() % hourMs))

  return {
    api,
    services,
    store,
    eventStreams,
    fleets,
    operator,
    closed,
    call,
    commit,
    put: <Row>(table: Table<Row>, row: Row) => commit(putRow(table, row)),
    newId,
    addOrganization,
    addKey,
    register,
    longReads,
    connect,
    tellFrom,
    send,
    answerLate,
    disconnect,
    settled,
    pass,
    setClock,
    beginHour,
    now: clock.now,
    setOverload(level: 0 | 1 | 2 | 3) {
      overload = level
    },
    setDraining(value: boolean) {
      draining = value
    },
    /** Whatever is asked of an actor from now on is not answered in time. */
    setActorsLate() {
      actorsAreLate = true
    },
    setReady(value: boolean) {
      isReady = value
    },
  }
}
