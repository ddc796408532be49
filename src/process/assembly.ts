// How the threads of one process are put together: which there are, who talks to whom, what happens when a shard is replaced, and how all
// end. Every pair that talks has a port of its own. It knows threads and ports only by what starts and makes them, so that the
// simulation runs this too.

import type { MessagePort } from 'node:worker_threads'
import type { WatchedCertificate } from '../actors/alert-clock/options.js'
import { trustedAuthorities } from '../jobs/pki/authority.js'
import { createBlame } from '../runtime/actor/blame.js'
import { newTurnCells } from '../runtime/actor/current-turn.js'
import { type OwnedPartitions, partitionOf, sharedPartitionTable } from '../runtime/actor/partition-table.js'
import { within } from '../runtime/delay.js'
import { handOver, type Remote } from '../runtime/link/control.js'
import { takeOver } from '../runtime/link/take-over.js'
import type { Sealer } from '../runtime/sealing.js'
import type { ReadView } from '../runtime/store/store.js'
import { createSupervisor, type ShardPool } from '../runtime/thread/supervisor.js'
import type { Settings } from '../settings.js'
import type { Surroundings } from './clocks.js'
import { makeFirstChanges } from './first-changes.js'
import { createFrameLinks } from './frame-links.js'
import { watchFronts } from './front-watch.js'
import type { InstallationSeries } from './installation-watch.js'
import type { JobPools } from './job-pools.js'
import { createLoadRuns } from './load-runs.js'
import { createMoves } from './moves.js'
import type { Outside } from './outside.js'
import type {
  Fault,
  FrontControl,
  FrontStart,
  MainControl,
  ProcessStatistics,
  ProcessUsage,
  ShardControl,
  ShardStart,
  StoreControl,
  StoreStart,
  Unended,
} from './threads.js'
import { createTrust } from './trusted-in-time.js'

/** Two ends of a link between threads. */
export interface Channel {
  readonly port1: MessagePort
  readonly port2: MessagePort
}

/** What the main thread has of the machine. */
export interface MainOutside extends Pick<Outside, 'clock' | 'random' | 'log'> {
  randomBytes(length: number): Buffer
  /** With the installation's keys. */
  readonly sealer: Pick<Sealer, 'seal'>
  /** Threads without which there is no service. */
  startStore(start: Omit<StoreStart, 'control'>): Remote<StoreControl>
  startFront(start: Omit<FrontStart, 'control'>): Remote<FrontControl>
  createShardPool(): ShardPool
  createJobPools(): JobPools
  createChannel(): Channel
  /** As in link/control.ts. */
  exposeControl(api: object, port: MessagePort): void
  remoteControl<Api>(port: MessagePort): Remote<Api>
  /** What is in the store now; called once it is open. */
  openView(): ReadView
  usage(): ProcessUsage
  /** What fills it calls `statistics` of what was assembled. */
  readonly installation: InstallationSeries
  giveUp(reason: string): void
}

export interface Running {
  /** Ends in order within about `withinMs`; resolves with what was cut short, by front. */
  stop(withinMs: number): Promise<readonly CutShort[]>
  /** Drops every socket, so that the process may end at once. Resolves false, and soon, when a front does not answer. */
  abandon(): Promise<boolean>
  reloadCertificates(): void
  fail(fault: Fault, of: { readonly shard: number } | { readonly front: number }): void
}

/** `answers` is false where it is not known what was left. */
export type CutShort = { readonly front: number } & (Unended | { readonly answers: false })

export interface Assembled extends Running {
  readonly run: number
  readonly port: number
  /** The first key of a store that was empty. */
  readonly bootstrapKey: string | undefined
  statistics(): Promise<ProcessStatistics>
  /** Moves partitions to another shard, while both go on. */
  movePartitions(partitions: readonly number[], to: number): Promise<void>
}

/** A thread that hangs is not waited for any longer. */
const answersWithinMs = 500
/** A front sends on all that waits for an answer before it says that partitions have moved. */
const reroutesWithinMs = 5_000

/** Resolves when the service listens. */
export async function assemble(settings: Settings, outside: MainOutside): Promise<Assembled> {
  const { clock, log, createChannel } = outside
  const startedAt = { wall: clock.now(), monotonic: clock.monotonic() }
  const store = outside.startStore({ settings })
  const { run, epochs, time } = await store.open().catch(dataCannotBeUsed)
  const bootstrapKey = await makeFirstChanges(settings, store, outside)
  const partitions = sharedPartitionTable()
  partitions.begin(settings.shards, epochs)
  const alive = new SharedArrayBuffer(4 * settings.shards)
  const frontsAlive = new SharedArrayBuffer(4 * settings.fronts)
  const turns = newTurnCells(settings.shards)
  const blame = createBlame(turns, clock, log)
  const jobs = outside.createJobPools()
  const shardControls = new Array<Remote<ShardControl> | undefined>(settings.shards).fill(undefined)

  const loadRuns = createLoadRuns(clock)

  const fronts: Remote<FrontControl>[] = []
  const mainControl: MainControl = {
    ...createFrameLinks(fronts, orUndefined),
    runJob: async (job, input) => trusted(await jobs.runJob(job, input)),
    async health() {
      const [quiet, known, storeStatistics] = await Promise.all([
        Promise.all(shardControls.map((shard) => orUndefined(shard?.quiet()))),
        Promise.all(fronts.map((front) => orUndefined(front.certificates()))),
        store.statistics(),
      ])
      return {
        store: storeStatistics,
        shardsAnswer: quiet.map((answer) => answer !== undefined),
        // One that does not listen yet is still loading: the start waits for it.
        frontsAnswer: known.map((answer, front) => answer !== undefined || certificates[front] === undefined),
      }
    },
    async surroundings(): Promise<Surroundings> {
      const [{ writable, spaceLevel }, certificates] = await Promise.all([
        store.statistics(),
        Promise.all(fronts.map(certificatesOf)),
      ])
      return { takesAlerts: writable && spaceLevel < 2, certificates: certificates.flat() }
    },
    async statistics(): Promise<ProcessStatistics> {
      const [frontStatistics, shardStatistics, storeStatistics] = await Promise.all([
        Promise.all(fronts.map((front) => orUndefined(front.statistics()))),
        Promise.all(shardControls.map((shard) => orUndefined(shard?.statistics()))),
        store.statistics(),
      ])
      return {
        fronts: frontStatistics,
        shards: shardStatistics,
        store: storeStatistics,
        jobs: jobs.statistics(),
        shardRestarts: supervisor.restarts,
        usage: outside.usage(),
      }
    },
    installationSeries: async (query) => outside.installation.read(query),
    noteLoadRun: async (run) => loadRuns.note(run),
    runningLoadRuns: async () => loadRuns.running(),
    endLoadRun: async (runId, how) => (how === 'ask' ? loadRuns.askToEnd(runId) : loadRuns.ended(runId)),
    confirmClock: () => store.confirmClock(),
  }

  const hasTls = settings.tls_certificate_file !== undefined
  const trusted = createTrust({
    mark: hasTls ? trustedAuthorities(settings, clock.now())?.mark : undefined,
    reload: async () => !hasTls || (await reload()),
  })

  /** Whether every front has. */
  async function reload(): Promise<boolean> {
    const reloaded = await Promise.allSettled(fronts.map((front) => front.reloadCertificates()))
    const failed = reloaded.filter((end) => end.status === 'rejected')
    for (const { reason } of failed)
      log.error({ err: reason }, 'the certificates could not be read again; the old ones stay')
    return failed.length === 0
  }

  /** By front, as it has said last. */
  const certificates: (readonly WatchedCertificate[])[] = []

  /** A front that does not listen yet is waited for: without its certificates, the cause of an alert would seem to be gone. */
  async function certificatesOf(front: Remote<FrontControl>, index: number): Promise<readonly WatchedCertificate[]> {
    const asked = front.certificates()
    const known = certificates[index]
    const present = known === undefined ? await asked : ((await orUndefined(asked)) ?? known)
    certificates[index] = present
    return present
  }

  function mainPort(): MessagePort {
    const { port1, port2 } = createChannel()
    outside.exposeControl(mainControl, port1)
    return port2
  }

  /** The end of a link whose other end `connect` has taken over. */
  async function linkTo(connect: (port: MessagePort) => Promise<void>): Promise<MessagePort> {
    const { port1, port2 } = createChannel()
    await connect(handOver(port1))
    return port2
  }
  const storePort = (): Promise<MessagePort> => linkTo((port) => store.connect(port))

  const supervisor = createSupervisor(
    {
      pool: outside.createShardPool(),
      shards: settings.shards,
      stuckAfterMs: settings.stuck_shard_seconds * 1000,
      clock,
      log,
      prepare,
      giveUp: outside.giveUp,
    },
    new Int32Array(alive),
  )

  for (let index = 0; index < settings.fronts; index++) {
    const start = {
      index,
      settings,
      shards: settings.shards,
      run,
      time,
      partitions: partitions.shared,
      alive: frontsAlive,
      store: await storePort(),
      main: mainPort(),
    }
    fronts.push(outside.startFront(start))
  }

  /**
   * Links to the other shards. They are not waited for: one of them may be dead, stuck, or not started yet. A link that
   * goes to a dead one is made again by its successor.
   */
  function linksToOthers(shard: number): { shard: number; port: MessagePort }[] {
    return shardControls.flatMap((other, index) => {
      if (other === undefined || index === shard) return []
      const { port1, port2 } = createChannel()
      void other.connectShard(shard, handOver(port1))
      return [{ shard: index, port: port2 }]
    })
  }

  const fence = (owned: readonly number[], epochs: readonly number[]): Promise<void> => store.fence(owned, epochs)
  const quarantinedIn = (owned: OwnedPartitions) => blame.quarantined((actor) => owned.has(partitionOf(actor)))
  const moves = createMoves({
    partitions,
    fence,
    release: async (shard, left) => shardControls[shard]?.release(left),
    acquire: async (shard, owned, quarantined) => shardControls[shard]?.acquire(owned, quarantined),
    // One that hangs is told, and does so before anything else when it goes on.
    reroute: (moved) => fronts.map((front) => within(front.reroute(moved), reroutesWithinMs)),
    quarantined: quarantinedIn,
  })

  /** Links for a shard that is about to start. Its predecessor can no longer write once the store has been fenced. */
  async function prepare(shard: number): Promise<{ task: ShardStart; transfer: MessagePort[] }> {
    blame.ended(shard)
    const control = createChannel()
    const owns = await moves.begins(shard, async () => {
      const owned = await takeOver({ shard, partitions, fence })
      shardControls[shard] = outside.remoteControl<ShardControl>(control.port1)
      return owned
    })
    // A front that hangs finds its end of the link when it goes on.
    const frontPorts = await Promise.all(
      fronts.map((front) => linkTo((port) => within(front.connectShard(shard, port), answersWithinMs))),
    )
    const shardPorts = linksToOthers(shard)
    const task: ShardStart = {
      index: shard,
      settings,
      run,
      time,
      partitions: partitions.shared,
      alive,
      turns,
      startedAt,
      owns,
      quarantined: quarantinedIn(owns),
      store: await storePort(),
      control: control.port2,
      main: mainPort(),
      fronts: frontPorts,
      shards: shardPorts,
    }
    return {
      task,
      transfer: [task.store, task.control, task.main, ...frontPorts, ...shardPorts.map(({ port }) => port)],
    }
  }

  supervisor.start()
  const frontWatch = watchFronts({
    alive: new Int32Array(frontsAlive),
    patienceMs: settings.stuck_front_seconds * 1000,
    giveUp: outside.giveUp,
  })

  async function abandon(): Promise<boolean> {
    const answered = Promise.all(fronts.map((front) => front.abandon())).then(() => true)
    return (await within(answered, answersWithinMs)) ?? false
  }

  // Several fronts share one port, which the kernel spreads; with port 0 the first one finds it.
  let port = settings.port
  try {
    for (const [index, front] of fronts.entries()) {
      const listening = await front.listen(port)
      port = listening.port
      certificates[index] = listening.certificates
    }
  } catch (error) {
    await abandon()
    throw error
  }

  return {
    run,
    port,
    bootstrapKey,
    statistics: mainControl.statistics,
    movePartitions: moves.move,
    async stop(withinMs) {
      frontWatch.stop()
      // A front that hangs must not keep the shards and the store from ending in order.
      const drained = await Promise.all(
        fronts.map(async (remote, front): Promise<CutShort | undefined> => {
          const answered = remote.drain(withinMs * 0.8).then((left) => ({ left }))
          const drain = await within(answered, withinMs * 0.9).catch(() => undefined)
          if (drain === undefined) return { front, answers: false }
          return drain.left && { front, ...drain.left }
        }),
      )
      await supervisor.stop()
      await jobs.stop()
      await store.close()
      return drained.filter((left) => left !== undefined)
    },
    abandon,
    reloadCertificates() {
      void reload()
    },
    fail(fault, of) {
      void ('front' in of ? fronts[of.front] : shardControls[of.shard])?.fail(fault)
    },
  }
}

export function dataCannotBeUsed(error: unknown): never {
  throw new Error(`--data cannot be used: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
}

/** A thread that hangs, or has ended, is left out rather than waited for. */
function orUndefined<Value>(asked: Promise<Value> | undefined): Promise<Value | undefined> {
  return asked === undefined ? Promise.resolve(undefined) : within(asked, answersWithinMs).catch(() => undefined)
}
