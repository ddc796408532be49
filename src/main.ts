// The main thread: reads the settings, starts and links the other threads, watches over them, and ends them in order.
// It holds no sockets and parses no input.

import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { systemClock } from './runtime/clock.js'
import { readSettings, SettingsError } from './runtime/config.js'
import { createLog } from './runtime/log.js'
import { type Running, startService } from './service.js'
import { type Settings, settingsSchema } from './settings.js'
import type { Fault } from './threads.js'

function settingsOrExit(): Settings {
  try {
    const settings = readSettings<Settings>(settingsSchema, {
      program: 'ampshard',
      description: 'Charge point management system: OCPP 1.6-J, REST API.',
      environmentPrefix: 'AMPSHARD',
      arguments: process.argv.slice(2),
      environment: process.env,
    })
    if ((settings.tls_key_file === undefined) !== (settings.tls_certificate_file === undefined)) {
      throw new SettingsError('--tls-key-file and --tls-certificate-file go together')
    }
    if (settings.tls_client_ca_file !== undefined && settings.tls_key_file === undefined) {
      throw new SettingsError('--tls-client-ca-file needs --tls-key-file and --tls-certificate-file')
    }
    for (const file of [
      settings.tls_key_file,
      settings.tls_certificate_file,
      settings.tls_client_ca_file,
      settings.client_ca_key_file,
    ]) {
      if (file !== undefined) readFileSync(file)
    }
    // The main thread, the store and the fronts leave the rest to shards.
    const shards = settings.shards === 0 ? Math.max(1, availableParallelism() - 2) : settings.shards
    return { ...settings, shards, data: resolve(settings.data) }
  } catch (error) {
    return endWith(error)
  }
}

/** One line, not a stack: what is wrong is outside this program. */
function endWith(error: unknown): never {
  process.stderr.write(`ampshard: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

const settings = settingsOrExit()
const log = createLog({ level: settings.log_level, thread: 'main', terminal: process.stdout.isTTY })

/** Signals this close to the first say the same thing again. */
const oneWishMs = 1_000

function listenToSignals(service: Running): void {
  let endingSince: number | undefined
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (endingSince !== undefined) {
      // npm passes on a signal that the terminal has sent to every process of its group: one key, two signals.
      if (systemClock.monotonic() - endingSince < oneWishMs) return
      log.warn({ signal }, 'told to end again: ending at once')
      process.exit(1)
    }
    endingSince = systemClock.monotonic()
    log.info({ signal }, 'draining')
    // The service may be stuck; this timer is not part of it.
    setTimeout(
      () => {
        log.error('the drain is stuck: ending anyway')
        process.exit(1)
      },
      settings.drain_seconds * 1000 + 500,
    )
    const complete = await service.stop(settings.drain_seconds * 1000)
    log.info({ complete }, 'ended')
    process.exit(0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('SIGHUP', () => service.reloadCertificates())
}

/** A parent that started the process to be broken may ask for faults over its channel. */
function listenToFaults(service: Running): void {
  if (process.env.AMPSHARD_FAULTS !== 'true') return
  process.on('message', ({ shard, fault }: { shard: number; fault: Fault }) => service.fail(shard, fault))
}

try {
  const service = await startService(settings, log, (reason) => {
    log.fatal(reason)
    process.exit(1)
  })
  listenToSignals(service)
  listenToFaults(service)
} catch (error) {
  endWith(error)
}
