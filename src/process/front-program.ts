// What a front thread does: the one listener for charge points and API, its links to the shards, and what routes may use.
// It lives as long as the process: a thread that dies while it owns sockets takes the process with it.

import { watchedCertificates } from '../actors/alert-clock/certificates.js'
import { registeredChange } from '../api/areas/charge-points/publish.js'
import { createEventStreams } from '../api/areas/events/event-streams.js'
import { createStreamRoom } from '../api/areas/events/stream-room.js'
import { createFleets } from '../api/areas/fleet/fleets.js'
import { limits as fleetLimits } from '../api/areas/fleet/limits.js'
import { apiRoutes } from '../api/areas/index.js'
import { shownSeries } from '../api/areas/installation/series-answer.js'
import { createInstallationStreams } from '../api/areas/installation/streams.js'
import { limits as installersLimits } from '../api/areas/installers/limits.js'
import { createUnclaimedSweep } from '../api/areas/installers/unclaimed-sweep.js'
import { createMessageStreams } from '../api/areas/messages/message-streams.js'
import { createRequestRates } from '../api/http/request-rates.js'
import { createHttpServer } from '../api/http/server.js'
import { createLongReads } from '../api/pipeline/long-reads.js'
import { type Api, createApi } from '../api/pipeline/pipeline.js'
import type { InstallerSignup, Readiness, Services } from '../api/pipeline/services.js'
import { createThrottles } from '../api/pipeline/throttles.js'
import { createConsole } from '../console/server/console.js'
import { createAdmission } from '../edge/admission.js'
import { createAttemptLog } from '../edge/attempts.js'
import { createClientAddress } from '../edge/client-address.js'
import { createConnectionLog } from '../edge/connection-log.js'
import { stopping } from '../edge/endings.js'
import { createFrameRecorder, createTeller } from '../edge/frame-recorder.js'
import { createOcppListener } from '../edge/listener.js'
import { connectionRoom, createConnectionCount, type OpenFiles } from '../edge/open-files.js'
import { createPublicListener, type PublicListenerOptions } from '../edge/public-listener.js'
import { createRegistrar } from '../edge/registrar.js'
import { createStrangers } from '../edge/strangers.js'
import { canIssue, trustedAuthorities } from '../jobs/pki/authority.js'
import { nameOfProvider } from '../jobs/single-sign-on/settings.js'
import { chargePointsTable } from '../records/charge-point.js'
import { newestCommandId } from '../records/command.js'
import type { CommissioningTemplate } from '../records/commissioning-template.js'
import type { SharedTemplate } from '../records/configuration-template.js'
import { alone } from '../records/presence.js'
import { sharedPartitionTable } from '../runtime/actor/partition-table.js'
import { createIdMaker } from '../runtime/ids.js'
import { limits } from '../runtime/limits.js'
import { type Asks, createAsks } from '../runtime/link/asks.js'
import { createFrontTransport, type FrontTransport } from '../runtime/link/front-transport.js'
import { connectStore } from '../runtime/link/store-client.js'
import type { Sealer } from '../runtime/sealing.js'
import { serviceClock } from '../runtime/steady-time.js'
import { type ReadView, unowned } from '../runtime/store/store.js'
import { type OverloadLevel, overloadLevel, shedsStrangers } from '../runtime/thread/overload.js'
import { createRequestTimes } from '../runtime/thread/request-times.js'
import { invitationLinksOf, publicApiUrlOf, publicUrlOf } from '../settings.js'
import { createFrameTaps } from './frame-taps.js'
import { whichAnswer } from './front-watch.js'
import { prometheusText } from './metrics.js'
import { names, spokenTo } from './named-at-the-end.js'
import type { Outside } from './outside.js'
import type { Fault, FrontControl, FrontStart, MainControl } from './threads.js'
import { checkTlsFiles, keyKind } from './tls-files.js'

export interface FrontOutside extends Outside {
  readonly view: ReadView
  readonly main: MainControl
  readonly uws: PublicListenerOptions['uws']
  readonly openFiles: OpenFiles
  /** Those of the installation's files, and those that are built in. */
  readonly configurationTemplates?: readonly SharedTemplate[]
  readonly commissioningTemplates?: readonly CommissioningTemplate[]
  randomBytes(length: number): Buffer
  /** With the installation's keys. */
  readonly sealer: Sealer
  /** PEM of the authority of the service's own certificate. */
  listenerAuthority(): string | undefined
  /** Longest delay of the event loop in the last second, ms. */
  loopDelay(): number
  /** Makes the thread fail. */
  fail(fault: Fault): void
}

export interface FrontProgram {
  readonly control: FrontControl
  readonly api: Api
  readonly services: Services
  readonly transport: FrontTransport
  readonly asks: Asks
}

export function createFrontProgram(start: Omit<FrontStart, 'control'>, outside: FrontOutside): FrontProgram {
  const { index, settings } = start
  const { random, log, main, loopDelay } = outside
  const clock = serviceClock(outside.clock, start.time)
  const store = connectStore(start.store, outside.view)
  const tls = settings.tls_certificate_file !== undefined
  const presence = alone(start.run)
  let draining = false
  let port = settings.port
  let level: OverloadLevel = 0
  let strangersStandBack = false

  const transport = createFrontTransport({
    front: index,
    shards: start.shards,
    partitions: sharedPartitionTable(start.partitions),
    clock,
    sockets: () => listener.sockets(),
    events: {
      frame: (connection, text) => listener.frame(connection, text),
      ping: (connection) => listener.ping(connection),
      close: (connection, code, reason) => listener.close(connection, code, reason),
      reply: (reply) => asks.settle(reply),
      shardLost: (shard) => asks.abandon(shard),
    },
  })
  const asks = createAsks({ front: index, clock, transport, shardOf: transport.shardOf })
  const attempts = createAttemptLog(store, clock, random)
  const admission = createAdmission({
    clock,
    random,
    connectsPerSecond: settings.connects_per_second,
    flapConnectsPerMinute: settings.flap_connects_per_minute,
    flapWaitSeconds: settings.flap_wait_seconds,
    overloadLevel: () => level,
    ownerOf: (chargePointId) => store.view().get(chargePointsTable, [chargePointId])?.organization_id,
  })
  const strangers = createStrangers({ clock, log, refusalsPerSecond: settings.refusals_per_second })
  const registrar = createRegistrar(store, clock, log, settings, (newcomer) => registeredChange(newcomer, clock.now()))
  // With two certificates, the splice has two files for each connection beside the one of uWebSockets.js.
  const filesEach = settings.tls_second_certificate_file === undefined ? 1 : 3
  const connectionCount = createConnectionCount({
    most: connectionRoom(outside.openFiles, settings.fronts * filesEach),
    clock,
    log,
    refused: attempts.count,
  })
  const recorder = createFrameRecorder(clock, settings.frame_ring_megabytes, log)
  const frameTaps = createFrameTaps(index, settings.fronts, recorder, main, createTeller(clock, log))
  const listener = createOcppListener({
    front: index,
    incarnation: presence.incarnation,
    settings,
    tls,
    asksForCertificates: () => authorities !== undefined,
    clock,
    view: store.view,
    transport,
    admission,
    strangers,
    attempts,
    draining: () => draining,
    registrar,
    log: createConnectionLog(log),
    recorder,
    socketClosed: connectionCount.socketClosed,
    clientAddress: (response, request) => clientAddress(response, request),
  })
  const requestTimes = createRequestTimes()
  const longReads = createLongReads(clock)
  const streamRoom = createStreamRoom()
  const eventStreams = createEventStreams({ view: store.view, longReads, clock, log, room: streamRoom })
  const fleets = createFleets({ view: store.view, live: presence.live, clock, longReads, room: streamRoom, log })
  store.onAppended((organizationIds) => {
    eventStreams.appended(organizationIds)
    fleets.appended(organizationIds)
  })
  const installationStreams = createInstallationStreams(
    async () => shownSeries(await main.installationSeries({ seconds: 1, points: 1 }), clock.now()),
    log,
  )
  const messageStreams = createMessageStreams({ view: store.view, frames: frameTaps, clock, room: streamRoom })

  /** Looked at every second, so that asking for them costs nothing. */
  let readiness: Readiness = { ok: false, checks: { service: 'starting' } }
  let recordsCommands = true

  async function lookAtReadiness(): Promise<void> {
    const { store: written, shardsAnswer, frontsAnswer } = await main.health()
    recordsCommands = written.writable && written.spaceLevel < 2
    const checks = {
      store: written.writable ? 'ok' : 'the disk refuses writes',
      shards: whichAnswer(shardsAnswer),
      fronts: whichAnswer(frontsAnswer),
      listener: draining ? 'the service is stopping' : 'ok',
    }
    // Low space needs somebody to act, not to send the traffic elsewhere.
    const space =
      written.spaceLevel === 0 ? 'ok' : `low: ${Math.floor((written.freeBytes ?? 0) / 1_048_576)} MiB are free`
    readiness = { ok: Object.values(checks).every((check) => check === 'ok'), checks: { ...checks, space } }
  }

  const provider = nameOfProvider(settings)
  const services: Services = {
    view: store.view,
    commit(changes, conditions) {
      const result = store.commit(unowned(changes, conditions))
      store.flush()
      return result
    },
    ask: (to, message, timeoutMs) => asks.ask(to, message, timeoutMs),
    tell: (to, message) => transport.send(to, message),
    runJob: (job, input) => main.runJob(job, input),
    eventStreams,
    fleets,
    installation: {
      series: (query) => main.installationSeries(query),
      stream: installationStreams.stream,
      confirmClock: () => main.confirmClock(),
    },
    loadRuns: {
      note: (run) => main.noteLoadRun(run),
      running: () => main.runningLoadRuns(),
      askToEnd: (runId) => main.endLoadRun(runId, 'ask'),
      ended: async (runId) => void (await main.endLoadRun(runId, 'ended')),
    },
    frames: frameTaps,
    messageStreams,
    longReads,
    throttles: createThrottles(clock),
    clock,
    newId: createIdMaker(clock, random, newestCommandId(store.view())),
    randomBytes: outside.randomBytes,
    sealer: outside.sealer,
    presence,
    overloadLevel: () => level,
    draining: () => draining,
    recordsCommands: () => recordsCommands,
    ready: () => readiness,
    metrics: async () => prometheusText(await main.statistics(), requestTimes.snapshot()),
    observe: requestTimes.observe,
    log,
    config: {
      // Known when the listener is: port 0 is any.
      get ocppUrl() {
        return publicUrlOf(settings) ?? `${tls ? 'wss' : 'ws'}://${settings.host}:${port}`
      },
      get apiUrl() {
        return publicApiUrlOf(settings) ?? `http${tls ? 's' : ''}://${settings.host}:${port}`
      },
      guestPreauthorisationAmount: settings.guest_preauthorisation_amount,
      installerSignup: settings.installer_signup as InstallerSignup,
      requireIdentity: settings.require_identity,
      sendsMail: settings.smtp_url !== undefined,
      invitationLinks: invitationLinksOf(settings),
      consoleInsecure: settings.console_insecure,
      ...(provider !== undefined && { singleSignOn: { name: provider } }),
      security: { tls, issuesCertificates: canIssue(settings), authority: outside.listenerAuthority },
      ...(settings.enterprise_quota !== undefined && { enterpriseQuotaPerHour: settings.enterprise_quota }),
      ...(outside.commissioningTemplates !== undefined && { commissioningTemplates: outside.commissioningTemplates }),
      ...(outside.configurationTemplates !== undefined && { configurationTemplates: outside.configurationTemplates }),
    },
  }
  const api = createApi(apiRoutes(), services)

  const clientAddress = createClientAddress({
    settings,
    clock,
    log,
    behindSplice: (seen) => publicListener.remoteAddress(seen),
  })
  const pages = settings.console ? createConsole({ tls, insecure: settings.console_insecure }) : undefined
  const server = createHttpServer({
    api:
      pages === undefined ? api : { ...api, handle: async (request) => pages.answer(request) ?? api.handle(request) },
    clock,
    rates: createRequestRates({
      ofAddress: { perSecond: settings.requests_per_second, burst: settings.request_burst },
      ofKey: { perSecond: settings.key_requests_per_second, burst: settings.key_request_burst },
      clock,
      isBusy: () => strangersStandBack,
    }),
    newId: services.newId,
    clientAddress,
    tls: settings.tls_key_file !== undefined,
  })

  const publicListener = createPublicListener({
    uws: outside.uws,
    settings,
    clientAuthorities: () => authorities?.file,
    keyKind,
    mount(app) {
      app.filter((response, change) => connectionCount.filter(response, Number(change)))
      listener.mount(app)
      server.mount(app)
    },
  })
  let certificates = tls ? watchedCertificates(settings) : []
  const authoritiesNow = () => (tls ? trustedAuthorities(settings, clock.now()) : undefined)
  let authorities = authoritiesNow()

  /** Resolves when the loop has let go of every socket: the process aborts if this thread ends while it has one. */
  function abandon(): Promise<void> {
    draining = true
    publicListener.destroy()
    return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  }

  const idle = (): boolean => asks.size === 0 && transport.unacknowledged === 0 && store.pending === 0

  /** Resolves true when `condition` holds, false when the time is over. */
  function until(condition: () => boolean, withinMs: number): Promise<boolean> {
    const deadline = clock.monotonic() + withinMs
    return new Promise((resolve) => {
      const look = setInterval(() => {
        const holds = condition()
        if (!holds && clock.monotonic() < deadline) return
        clearInterval(look)
        resolve(holds)
      }, 10)
    })
  }

  const unendedWork = () => ({
    requests: asks.size,
    messages: transport.unacknowledged,
    commits: store.pending,
    among: names(asks.asked()),
  })

  const control: FrontControl = {
    ...frameTaps.control,
    connectShard: transport.connectShard,
    reroute: transport.reroute,
    async listen(wanted) {
      port = await publicListener.open(wanted)
      await lookAtReadiness()
      return { port, certificates }
    },
    async drain(withinMs) {
      draining = true
      publicListener.close()
      eventStreams.end()
      fleets.end()
      installationStreams.end()
      messageStreams.end()
      const unfinished = (await until(idle, withinMs / 2)) ? undefined : unendedWork()
      listener.closeAll(stopping.code, stopping.reason)
      const closed = await until(() => listener.size === 0 && idle(), withinMs / 2)
      const left = unfinished ?? (closed ? undefined : unendedWork())
      const open = { connections: listener.size, among: names(spokenTo(listener.sockets())) }
      await abandon()
      return left && { ...left, ...open, among: [...left.among, ...open.among] }
    },
    abandon,
    async reloadCertificates() {
      checkTlsFiles(settings)
      certificates = watchedCertificates(settings)
      authorities = authoritiesNow()
      await publicListener.reopen()
      log.info('the certificates have been read again')
    },
    statistics: () => ({
      connections: listener.size,
      framesIn: listener.framesIn,
      framesOut: listener.framesOut,
      asks: asks.size,
      unacknowledged: transport.unacknowledged,
      refused: Object.fromEntries(attempts.counts),
      ended: listener.ended,
      requestsRefused: Object.fromEntries(server.refused),
      unclaimedRemoved: unclaimed.removed,
      eventStreams: eventStreams.statistics(),
      recorded: recorder.statistics(),
      fleets: fleets.statistics(),
      longReads: longReads.statistics(),
      loopDelayMs: loopDelay(),
      loopActiveMs: outside.loopActive(),
      memory: outside.memory(),
      overloadLevel: level,
      handling: transport.handling(),
    }),
    certificates: () => certificates,
    fail: outside.fail,
  }

  const alive = new Int32Array(start.alive)
  Atomics.add(alive, index, 1)
  setInterval(() => {
    Atomics.add(alive, index, 1)
    const load = { loopDelayMs: loopDelay(), windowShare: transport.unacknowledged / limits.resendWindowFrames }
    const next = overloadLevel(load, level)
    if (next !== level) log.warn({ level: next, ...load }, 'the overload level has changed')
    level = next
    strangersStandBack = shedsStrangers(load)
    listener.watch()
    attempts.tick()
    eventStreams.tick()
    void installationStreams.tick()
    messageStreams.tick()
    void lookAtReadiness()
  }, 1_000)
  setInterval(() => fleets.tick(), fleetLimits.tickMs)
  setInterval(() => admission.sweep(), 60_000)
  // Each front looks: what another one has removed is gone, and not removed again.
  const unclaimed = createUnclaimedSweep(services)
  setInterval(() => void unclaimed.look(), installersLimits.unclaimedSweepMs)

  return { control, api, services, transport, asks }
}
