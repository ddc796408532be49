// The service: the assembly of its threads on this machine, and what its start says.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import type { Logger } from 'pino'
import { mailFolder } from '../jobs/mail/settings.js'
import { tables } from '../records/index.js'
import { installationTable, type Organization, organizationsTable } from '../records/organization.js'
import { systemClock } from '../runtime/clock.js'
import { exposeControl, remoteControl } from '../runtime/link/control.js'
import { createSealer, type Sealer } from '../runtime/sealing.js'
import { openView } from '../runtime/store/lmdb-store.js'
import { createShardPool } from '../runtime/thread/shard-pool.js'
import { publicUrlOf, type Settings } from '../settings.js'
import { type Assembled, assemble, dataCannotBeUsed, type Running } from './assembly.js'
import { showBanner } from './banner.js'
import { prepareData } from './data-directory.js'
import { requireFreePort } from './free-port.js'
import { createInstallationWatch } from './installation-watch.js'
import { createJobPools } from './job-pools.js'
import { startThread } from './machine.js'
import { prepareSealingKeys, readSealingKeys } from './sealing-keys.js'
import type { ProcessUsage } from './threads.js'
import { checkOwnAuthorities } from './tls-files.js'
import { version } from './version.js'

export async function startService(
  settings: Settings,
  log: Logger,
  giveUp: (reason: string) => void,
  storeOpened: () => void,
): Promise<Running> {
  await requireFreePort(settings.host, settings.port)
  await prepareData(settings.data, (line) => log.warn(line)).catch(dataCannotBeUsed)
  checkOwnAuthorities(settings)
  const sealer = sealerOf(settings)
  const installation = createInstallationWatch(systemClock)
  const service = await assemble(settings, {
    clock: systemClock,
    random: Math.random,
    randomBytes,
    sealer,
    log,
    startStore: (start) => startThread('store', start, giveUp),
    startFront: (start) => startThread('front', start, giveUp),
    createShardPool: () =>
      createShardPool({
        filename: new URL('./shard-thread.js', import.meta.url),
        task: 'runShard',
        warmUp: 'warmUp',
        shards: settings.shards,
        memoryMegabytes: settings.shard_memory_megabytes,
        log,
      }),
    createJobPools: () => createJobPools(settings, log),
    createChannel: () => new MessageChannel(),
    exposeControl,
    remoteControl,
    usage: processUsage,
    installation,
    openView() {
      storeOpened()
      return openView(settings.data, tables)
    },
    giveUp,
  })
  try {
    await showStart(service, settings, log)
  } catch (error) {
    // The process ends, and must not with sockets.
    await service.abandon()
    throw error
  }
  installation.follow(service.statistics)
  return service
}

function processUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage()
  return { processorSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss() }
}

function sealerOf({ data }: Settings): Sealer {
  try {
    prepareSealingKeys(data)
    return createSealer(readSealingKeys(data))
  } catch (error) {
    return dataCannotBeUsed(error)
  }
}

async function showStart({ run, port, bootstrapKey }: Assembled, settings: Settings, log: Logger): Promise<void> {
  const scheme = settings.tls_certificate_file === undefined ? '' : 's'
  showBanner({
    ocppUrl: publicUrlOf(settings) ?? `ws${scheme}://${settings.host}:${port}`,
    apiUrl: `http${scheme}://${settings.host}:${port}`,
    consoleUrl: settings.console ? `http${scheme}://${settings.host}:${port}/console` : undefined,
    dataDirectory: settings.data,
    mailFolder: settings.smtp_url === undefined ? join(settings.data, mailFolder) : undefined,
    bootstrapKey,
    organization: await operatorOf(settings),
    version,
  })
  if (settings.allow_insecure_webhooks)
    log.warn('insecure webhooks are allowed: whoever may set one reaches the network that this machine is in')
  log.info({ port, run, shards: settings.shards, fronts: settings.fronts }, 'ready')
}

/** Whose papers the service makes: the organization of the installation. */
async function operatorOf({ data }: Settings): Promise<Organization | undefined> {
  const view = openView(data, tables)
  const id = view.get(installationTable, ['installation'])?.default_organization_id
  const found = id === undefined ? undefined : view.get(organizationsTable, [id])
  await view.close()
  return found
}
