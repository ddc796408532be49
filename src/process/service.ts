// Starts the threads of one process and links them: store, fronts, shards, jobs. Every pair that talks has a port of its own.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { bootstrapChanges } from '../api/areas/organizations/bootstrap.js'
import { mailFolder } from '../jobs/mail/settings.js'
import { tables } from '../records/index.js'
import { installationTable, type Organization, organizationsTable } from '../records/organization.js'
import { createBlame } from '../runtime/actor/blame.js'
import { newTurnCells } from '../runtime/actor/current-turn.js'
import { partitionOf, sharedPartitionTable } from '../runtime/actor/partition-table.js'
import { systemClock } from '../runtime/clock.js'
import { makeId } from '../runtime/ids.js'
import { limits } from '../runtime/limits.js'
import { exposeControl, handOver, type Remote, remoteControl } from '../runtime/link/control.js'
import { connectStore } from '../runtime/link/store-client.js'
import { takeOver } from '../runtime/link/take-over.js'
import { openView } from '../runtime/store/lmdb-store.js'
import { unowned } from '../runtime/store/store.js'
import { createSupervisor } from '../runtime/thread/supervisor.js'
import type { Settings } from '../settings.js'
import { showBanner } from './banner.js'
import { lockData } from './data-lock.js'
import { requireFreePort } from './free-port.js'
import { createJobPools } from './job-pools.js'
import type {
  Fault,
  FrontControl,
  FrontStart,
  MainControl,
  ProcessStatistics,
  ShardControl,
  ShardStart,
  StoreControl,
  StoreStart,
} from './threads.js'
import { version } from './version.js'

export interface Running {
  /** Ends in order within about `withinMs`; resolves true when nothing was cut short. */
  stop(withinMs: number): Promise<boolean>
  /** Drops every socket, so that the process may end at once; waits no longer than for a thread that answers. */
  abandon(): Promise<void>
  reloadCertificates(): void
  fail(shard: number, fault: Fault): void
}

type GiveUp = (reason: string) => void

const statisticsTimeoutMs = 500
const abandonWithinMs = 500

export async function startService(settings: Settings, log: Logger, giveUp: GiveUp): Promise<Running> {
  await requireFreePort(settings.host, settings.port)
  await lockData(settings.data).catch(dataCannotBeUsed)
  const store = startThread<StoreControl, StoreStart>('store', { settings }, giveUp)
  const { run, epochs } = await store.open().catch(dataCannotBeUsed)
  const bootstrapKey = await bootstrap(settings, store)
  const partitions = sharedPartitionTable()
  partitions.begin(epochs)
  const alive = new SharedArrayBuffer(4 * settings.shards)
  const turns = newTurnCells(settings.shards)
  const blame = createBlame(turns, systemClock, log)
  const jobs = createJobPools(settings, log)
  const shardControls = new Array<Remote<ShardControl> | undefined>(settings.shards).fill(undefined)

  const mainControl: MainControl = {
    runJob: jobs.runJob,
    async statistics(): Promise<ProcessStatistics> {
      const [frontStatistics, shardStatistics, storeStatistics] = await Promise.all([
        Promise.all(fronts.map((front) => front.statistics())),
        Promise.all(shardControls.map((shard) => orUndefined(shard?.statistics()))),
        store.statistics(),
      ])
      return {
        fronts: frontStatistics,
        shards: shardStatistics,
        store: storeStatistics,
        shardRestarts: supervisor.restarts,
      }
    },
  }
  const mainPort = (): MessagePort => channel((near) => exposeControl(mainControl, near))

  async function storePort(): Promise<MessagePort> {
    const { port1, port2 } = new MessageChannel()
    await store.connect(handOver(port1))
    return port2
  }

  const fronts: Remote<FrontControl>[] = []
  const supervisor = createSupervisor(
    {
      filename: new URL('./shard-thread.js', import.meta.url),
      task: 'runShard',
      warmUp: 'warmUp',
      shards: settings.shards,
      stuckAfterMs: settings.stuck_shard_seconds * 1000,
      memoryMegabytes: settings.shard_memory_megabytes,
      clock: systemClock,
      log,
      prepare,
      giveUp,
    },
    new Int32Array(alive),
  )

  for (let index = 0; index < settings.fronts; index++) {
    const start = {
      index,
      settings,
      shards: settings.shards,
      run,
      partitions: partitions.shared,
      store: await storePort(),
      main: mainPort(),
    }
    fronts.push(startThread<FrontControl, FrontStart>('front', start, giveUp))
  }

  /**
   * Links to the other shards. They are not waited for: one of them may be dead, stuck, or not started yet. A link that
   * goes to a dead one is made again by its successor.
   */
  function linksToOthers(shard: number): { shard: number; port: MessagePort }[] {
    return shardControls.flatMap((other, index) => {
      if (other === undefined || index === shard) return []
      const { port1, port2 } = new MessageChannel()
      void other.connectShard(shard, handOver(port1))
      return [{ shard: index, port: port2 }]
    })
  }

  /** Links for a shard that is about to start. Its predecessor can no longer write once the store has been fenced. */
  async function prepare(shard: number): Promise<{ task: ShardStart; transfer: MessagePort[] }> {
    blame.ended(shard)
    await takeOver({ shard, shards: settings.shards, partitions, fence: (owned, epochs) => store.fence(owned, epochs) })
    const control = new MessageChannel()
    shardControls[shard] = remoteControl<ShardControl>(control.port1)
    const frontPorts = await Promise.all(fronts.map((front) => linkTo((port) => front.connectShard(shard, port))))
    const shardPorts = linksToOthers(shard)
    const task: ShardStart = {
      index: shard,
      settings,
      run,
      partitions: partitions.shared,
      alive,
      turns,
      quarantined: blame.quarantined((actor) => partitions.owner(partitionOf(actor)) === shard),
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

  async function abandon(): Promise<void> {
    const answered = Promise.all(fronts.map((front) => front.abandon()))
    await Promise.race([answered, delay(abandonWithinMs)])
  }

  // Several fronts share one port, which the kernel spreads; with port 0 the first one finds it.
  let port = settings.port
  try {
    for (const front of fronts) port = await front.listen(port)
  } catch (error) {
    await abandon()
    throw error
  }
  const scheme = settings.tls_certificate_file === undefined ? '' : 's'
  showBanner({
    ocppUrl: settings.public_url ?? `ws${scheme}://${settings.host}:${port}`,
    apiUrl: `http${scheme}://${settings.host}:${port}`,
    dataDirectory: settings.data,
    mailFolder: settings.smtp_url === undefined ? join(settings.data, mailFolder) : undefined,
    bootstrapKey,
    organization: await operatorOf(settings),
    version,
  })
  if (settings.allow_insecure_webhooks)
    log.warn('insecure webhooks are allowed: whoever may set one reaches the network that this machine is in')
  log.info({ port, run, shards: settings.shards, fronts: settings.fronts }, 'ready')

  return {
    async stop(withinMs) {
      const drained = await Promise.all(fronts.map((front) => front.drain(withinMs * 0.8)))
      await supervisor.stop()
      await jobs.stop()
      await store.close()
      return drained.every(Boolean)
    },
    abandon,
    reloadCertificates() {
      for (const front of fronts) {
        front
          .reloadCertificates()
          .catch((error: unknown) =>
            log.error({ err: error }, 'the certificates could not be read again; the old ones stay'),
          )
      }
    },
    fail(shard, fault) {
      void shardControls[shard]?.fail(fault)
    },
  }
}

function dataCannotBeUsed(error: unknown): never {
  throw new Error(`--data cannot be used: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
}

/** Starts a thread of the process's own; without it there is no service, so its end is the end of all. */
function startThread<Control, Start extends { readonly control: MessagePort }>(
  name: string,
  start: Omit<Start, 'control'>,
  giveUp: GiveUp,
): Remote<Control> {
  const { port1, port2 } = new MessageChannel()
  const workerData = { ...start, control: port2 }
  const transferList = Object.values(workerData).filter((value) => value instanceof port2.constructor) as MessagePort[]
  const worker = new Worker(new URL(`./${name}-thread.js`, import.meta.url), {
    workerData,
    transferList,
    name,
    // The store makes most garbage, and holds nothing for a connection.
    ...(name === 'front' && { resourceLimits: { maxYoungGenerationSizeMb: limits.youngGenerationMegabytes } }),
  })
  worker.on('error', (error) => giveUp(`the ${name} thread has ended: ${error.stack ?? error.message}`))
  return remoteControl<Control>(port1)
}

function channel(bind: (near: MessagePort) => void): MessagePort {
  const { port1, port2 } = new MessageChannel()
  bind(port1)
  return port2
}

async function linkTo(connect: (port: MessagePort) => Promise<void>): Promise<MessagePort> {
  const { port1, port2 } = new MessageChannel()
  await connect(handOver(port1))
  return port2
}

/** A shard that hangs does not answer: it is left out rather than waited for. */
function orUndefined<Value>(asked: Promise<Value> | undefined): Promise<Value | undefined> {
  if (asked === undefined) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), statisticsTimeoutMs)
    asked.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      () => resolve(undefined),
    )
  })
}

/** Whose papers the service makes: the organization of the installation. */
async function operatorOf({ data }: Settings): Promise<Organization | undefined> {
  const view = openView(data, tables)
  const id = view.get(installationTable, ['installation'])?.default_organization_id
  const found = id === undefined ? undefined : view.get(organizationsTable, [id])
  await view.close()
  return found
}

/** Gives an empty store its first organization and key. Returns the key to show, if it was made now. */
async function bootstrap(settings: Settings, store: Remote<StoreControl>): Promise<string | undefined> {
  const { port1, port2 } = new MessageChannel()
  await store.connect(handOver(port1))
  const view = openView(settings.data, tables)
  const client = connectStore(port2, view)
  const now = systemClock.now()
  const made = bootstrapChanges(
    view,
    now,
    (prefix) => makeId(prefix, now, Math.random),
    randomBytes,
    settings.bootstrap_api_key,
    { name: settings.organization_name, country: settings.organization_country },
  )
  if (made === undefined) {
    port2.close()
    return undefined
  }
  const committed = client.commit(unowned(made.changes, made.conditions))
  client.flush()
  const result = await committed
  port2.close()
  if (!result.ok) throw new Error(`the store at ${settings.data} cannot be written: ${result.reason}`)
  return made.keyToShow
}
