// One process of the service in simulated threads: the assembly that src/process/service.ts gives a machine (src/process/assembly.ts), with
// the programs of its threads, over links, a disk, sockets and jobs that are simulated. `kill` ends everything at once.

import type { Services } from '../../src/api/pipeline/services.js'
import { type Assembled, assemble, type MainOutside } from '../../src/process/assembly.js'
import { createFrontProgram, type FrontProgram } from '../../src/process/front-program.js'
import { createInstallationWatch } from '../../src/process/installation-watch.js'
import type { Outside } from '../../src/process/outside.js'
import { createShardProgram } from '../../src/process/shard-program.js'
import { createStoreProgram } from '../../src/process/store-program.js'
import type {
  FrontControl,
  FrontStart,
  MainControl,
  ShardMain,
  ShardStart,
  StoreControl,
} from '../../src/process/threads.js'
import type { JobOutcome } from '../../src/runtime/actor/actor.js'
import { turnNotes } from '../../src/runtime/actor/current-turn.js'
import { wholeActor } from '../../src/runtime/actor/quarantine.js'
import type { Remote } from '../../src/runtime/link/control.js'
import type { Shard } from '../../src/runtime/link/shard.js'
import { type CommitRequest, type CommitResponse, outbound, type ThreadBatch } from '../../src/runtime/link/wire.js'
import { createSealer, sealingKeyBytes } from '../../src/runtime/sealing.js'
import type { StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import type { ReadView } from '../../src/runtime/store/store.js'
import type { ShardPool } from '../../src/runtime/thread/supervisor.js'
import { createSimulatedApi, type SimulatedApi } from './api.js'
import { exposeControl, isControl, remoteControl } from './control.js'
import { unreliable } from './envelopes.js'
import type { Faults } from './faults.js'
import { createChannel, handTo, isPort, type OpenEnds } from './port.js'
import { settings } from './settings.js'
import { silentLog } from './silent-log.js'
import { type DiskRecorder, openStore, type SimulatedDisk } from './store.js'
import { newThread, SimulatedDeath, type SimulatedThread, type SimulatedTime } from './time.js'
import { createWebServer, type WebServer } from './web-server.js'

/** What an observer is told of the inside: which life of a shard the store still listens to, and how full queues are. */
export interface Observer {
  /** After every group of commits that the store has written or refused. */
  written(): void
  commitRequested(shard: number, life: number, request: CommitRequest): void
  commitAnswered(shard: number, life: number, response: CommitResponse): void
  /** A shard has been replaced: from now on only this life of it may write. */
  shardStarted(shard: number, life: number): void
  /** Partitions move to another shard, and what their actors have in memory is lost. */
  partitionsMove(): void
  /** A record has become part of the store. */
  applied: DiskRecorder['applied']
}

export interface SimulatedFront extends Pick<FrontProgram, 'services' | 'transport' | 'asks'> {
  readonly thread: SimulatedThread
  readonly server: WebServer
  readonly services: Services
  readonly api: SimulatedApi
}

export interface SimulatedService {
  /** Those that listen. */
  readonly fronts: readonly SimulatedFront[]
  readonly shards: readonly (Shard | undefined)[]
  readonly shardDeaths: number
  /** How often partitions have moved and their new owner has begun. */
  readonly partitionMoves: number
  /** Gives partitions to another shard, while all go on. */
  movePartitions(partitions: readonly number[], to: number): void
  /** Time passes that no timer notices: steady time goes on, as the wall clock of the world does. */
  passSteady(ms: number): void
  /** An operator says that the clock is right, where it has jumped ahead. */
  confirmClock(): void
  /** Every thread ends where it is. */
  kill(): void
}

export interface ServiceOptions {
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly disk: SimulatedDisk
  readonly observer: Observer
  /** What the service asks of others; the job resolves in `thread`, which waits for it. */
  readonly runJob: (job: string, input: unknown, thread: SimulatedThread) => Promise<JobOutcome>
  /** The store is open, for the run of this number. */
  readonly began: (run: number) => void
  /** The process ends itself. */
  readonly gaveUp: (reason: string) => void
}

const replaceAfterMs = 20
const storeBusyMs = 200
/** How long a thread takes to load its program. */
const loadMs = 5
const ampleBytes = 2 ** 40

/** A thread that runs a shard. */
interface Life {
  readonly thread: SimulatedThread
  readonly shard: number
  readonly life: number
  ended(reason: Error): void
}

export function startService(options: ServiceOptions): SimulatedService {
  const { time, faults, disk, observer, runJob } = options
  const { random } = faults
  const threads: SimulatedThread[] = []
  const open: OpenEnds = new Set()
  const fronts: SimulatedFront[] = []
  const shards = new Array<Shard | undefined>(settings.shards).fill(undefined)
  const lives = new Map<SimulatedThread, Life>()
  const counts = new Array<number>(settings.shards).fill(0)
  const between = unreliable(faults)
  let shardDeaths = 0
  let partitionMoves = 0
  let assembled: Assembled | undefined
  let store: StoreWriter | undefined
  let shared: SharedArrayBuffer | undefined

  function thread(name: string): SimulatedThread {
    const made = newThread(name)
    threads.push(made)
    return made
  }
  const main = thread('main')
  const storeThread = thread('store')

  const view = (): ReadView => (store as StoreWriter).view()
  const outside: Outside = {
    clock: time,
    random,
    log: silentLog,
    memory: () => ({ heapUsedBytes: 0, heapTotalBytes: 0, externalBytes: 0 }),
    loopActive: () => 0,
  }
  const randomBytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
  const sealer = createSealer([Buffer.alloc(sealingKeyBytes, 1)])
  const loopDelay = (): number => 0

  /** Ends a shard: the pool hears of it soon. */
  function end(life: Life): void {
    const { thread: ending, shard } = life
    ending.alive = false
    lives.delete(ending)
    shards[shard] = undefined
    shardDeaths++
    for (const port of [...open]) if (port.owner === ending) port.close()
  }

  /** Ends the shard that this thread is, before or after what it is about to do. */
  function dies(owner: SimulatedThread): void {
    const life = lives.get(owner)
    if (life === undefined || !faults.happens('shardCrash')) return
    end(life)
    time.settleAfter(replaceAfterMs, main, () => life.ended(new Error('it crashed')))
    throw new SimulatedDeath()
  }

  const delay = (): number => 0.02 + random() * random() * 2
  const traffic = {
    time,
    delay: (from: SimulatedThread, to: SimulatedThread) =>
      delay() + (from === storeThread || to === storeThread ? storeDelay() : 0),
    sending(message: unknown, from: SimulatedThread, to: SimulatedThread, later: (late: unknown, ms: number) => void) {
      if (isControl(message)) return message
      dies(from)
      if (from !== storeThread && to !== storeThread) return between(message as ThreadBatch, later)
      const requesting = lives.get(from)
      if (requesting !== undefined)
        observer.commitRequested(requesting.shard, requesting.life, message as CommitRequest)
      const answered = shardOf.get(to)
      if (answered !== undefined) observer.commitAnswered(answered.shard, answered.life, message as CommitResponse)
      return message
    },
    settles(message: unknown) {
      if (isControl(message) || 'results' in (message as object)) return true
      const { replies, socketItems } = message as ThreadBatch
      return replies !== undefined || socketItems?.includes(outbound.echo) === true
    },
    sent(message: unknown, from: SimulatedThread) {
      if (!isControl(message)) dies(from)
    },
  }
  const storeDelay = (): number => (faults.happens('storeBusy') ? random() * storeBusyMs : 0)
  /** Also of those that have ended: what the store answers them is looked at. */
  const shardOf = new WeakMap<SimulatedThread, Life>()
  const channel = () => createChannel(traffic, open, main)

  /** Starts a thread with the ports that it is given; returns what controls it. */
  function start<Control>(owner: SimulatedThread, ports: readonly unknown[], run: () => object): Remote<Control> {
    const { port1, port2 } = channel()
    for (const port of [port2, ...ports]) if (isPort(port)) handTo(port, owner)
    time.settleAfter(loadMs, owner, () => exposeControl(run(), port2))
    return remoteControl<Control>(port1)
  }

  function startFront(given: Omit<FrontStart, 'control'>): Remote<FrontControl> {
    const owner = thread(`front/${given.index}`)
    return start(owner, [given.store, given.main], () => {
      const server = createWebServer(() =>
        fronts.push({ ...program, thread: owner, server, api: createSimulatedApi(program.api) }),
      )
      const program = createFrontProgram(given, {
        ...outside,
        randomBytes,
        sealer,
        listenerAuthority: () => undefined,
        view: view(),
        main: remoteControl<MainControl>(given.main) as unknown as MainControl,
        uws: server.uws,
        openFiles: { limit: Number.POSITIVE_INFINITY, inUse: 0 },
        loopDelay,
        fail: () => {},
      })
      return program.control
    })
  }

  function runShard(task: ShardStart, owner: SimulatedThread): void {
    const notes = turnNotes(task.turns, task.index)
    const { shard, control } = createShardProgram(task, {
      ...outside,
      randomBytes,
      view: view(),
      main: remoteControl<MainControl>(task.main) as unknown as ShardMain,
      noteTurn(...turn) {
        // It ends between two turns, so that nobody is to blame.
        notes.note(undefined, undefined, wholeActor)
        dies(owner)
        notes.note(...turn)
      },
      loopDelay,
      // Nobody looks at charts there, and each seed would have to find its bugs anew.
      samplesFleets: false,
      fail: () => {},
    })
    shards[task.index] = shard
    exposeControl(control, task.control)
  }

  const shardPool: ShardPool = {
    run(given, transfer, signal) {
      const task = given as ShardStart
      const { index: shard } = task
      const owner = thread(`shard/${shard}`)
      for (const port of transfer) if (isPort(port)) handTo(port, owner)
      const life = (counts[shard] ?? 0) + 1
      counts[shard] = life
      observer.shardStarted(shard, life)
      return new Promise((_, reject) => {
        const started: Life = { thread: owner, shard, life, ended: reject }
        lives.set(owner, started)
        shardOf.set(owner, started)
        signal.addEventListener('abort', () => {
          end(started)
          reject(signal.reason)
        })
        time.settleAfter(loadMs, owner, () => runShard(task, owner))
      })
    },
    loadSpare: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  }

  const machine: MainOutside = {
    ...outside,
    randomBytes,
    sealer,
    startStore: ({ settings: given }) =>
      start<StoreControl>(storeThread, [], () => {
        const program = createStoreProgram(given, {
          ...outside,
          open(tables, storeOptions) {
            const surroundings = { disk, thread: storeThread, time, faults, ...observer }
            store = openStore(tables, storeOptions, surroundings)
            options.began(store.bootNumber)
            return store
          },
          measureDisk: () => ({ freeBytes: ampleBytes, totalBytes: ampleBytes }),
          loopDelay,
        })
        const open = async () => {
          const opened = await program.open()
          shared = opened.time
          return opened
        }
        return { ...program, open }
      }),
    startFront,
    createShardPool: () => shardPool,
    createJobPools: () => ({
      runJob: (job, input) => runJob(job, input, main),
      statistics: () => [],
      stop: () => Promise.resolve(),
    }),
    createChannel: channel,
    exposeControl,
    remoteControl,
    openView: view,
    usage: () => ({ processorSeconds: 0, residentBytes: 0 }),
    // Nobody looks at it, and what fills it would send messages between the threads.
    installation: createInstallationWatch(time),
    giveUp: options.gaveUp,
  }
  time.settleAfter(0, main, () => {
    assemble(settings, machine).then(
      (running) => {
        assembled = running
      },
      (error: unknown) => options.gaveUp(String(error)),
    )
  })

  return {
    fronts,
    shards,
    get shardDeaths() {
      return shardDeaths
    },
    get partitionMoves() {
      return partitionMoves
    },
    movePartitions(partitions, to) {
      time.settleAfter(0, main, () => {
        observer.partitionsMove()
        void assembled?.movePartitions(partitions, to).then(() => {
          partitionMoves++
          observer.partitionsMove()
        })
      })
    },
    passSteady(ms) {
      // The first of the shared offsets is that of steady time.
      if (shared !== undefined) (new Float64Array(shared)[0] as number) += ms
    },
    confirmClock() {
      const [front] = fronts
      if (front === undefined || front.services.clock.unconfirmed() === 0) return
      time.settleAfter(0, front.thread, () => void front.services.installation.confirmClock())
    },
    kill() {
      for (const one of threads) one.alive = false
    },
  }
}
