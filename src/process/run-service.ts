// The main thread: reads the settings, starts and links the other threads, watches over them, and ends them in order.
// It holds no sockets and parses no input.

import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { checkTrustedProxies } from '../edge/client-address.js'
import { checkMailSettings } from '../jobs/mail/settings.js'
import { checkSingleSignOn } from '../jobs/single-sign-on/settings.js'
import { systemClock } from '../runtime/clock.js'
import { readSettings, unknownVariables } from '../runtime/config.js'
import { oneLine } from '../runtime/one-line.js'
import { checkUWebSockets } from '../runtime/thread/uwebsockets.js'
import { type Settings, settingsSchema } from '../settings.js'
import type { Running } from './assembly.js'
import { commands, variablesOfTools } from './commands.js'
import { createLog, logWarnings } from './log.js'
import { startService } from './service.js'
import type { Fault } from './threads.js'
import { checkTlsFiles } from './tls-files.js'
import { version } from './version.js'

const environment = { environmentPrefix: 'AMPSHARD', environment: process.env }

/** Told when the log is there, which the settings make. */
const formerNames: { readonly given: string; readonly instead: string }[] = []
const visibleSecrets: { readonly flag: string; readonly variable: string }[] = []

function settingsOrExit(argv: readonly string[]): Settings {
  try {
    const settings = readSettings<Settings>(settingsSchema, {
      ...environment,
      program: 'ampshard',
      description: 'Charge point management system (OCPP 1.6-J, REST API). Without a command, runs the service.',
      version,
      arguments: argv,
      commands,
      onFormerName: (given, instead) => formerNames.push({ given, instead }),
      onVisibleSecret: (flag, variable) => visibleSecrets.push({ flag, variable }),
    })
    checkUWebSockets()
    checkTlsFiles(settings)
    checkMailSettings(settings)
    checkSingleSignOn(settings)
    checkTrustedProxies(settings)
    // The main thread, the store and the fronts leave the rest to shards.
    const shards = settings.shards === 0 ? Math.max(1, availableParallelism() - 2) : settings.shards
    return { ...settings, shards, data: resolve(settings.data) }
  } catch (error) {
    return endWith(error)
  }
}

/** One line, not a stack: what is wrong is outside this program. */
function endWith(error: unknown): never {
  process.stderr.write(`ampshard: ${oneLine(error instanceof Error ? error.message : String(error))}\n`)
  process.exit(1)
}

/** A terminal tells all of its processes, and npm or timeout passes the signal on: that is one signal, not two. */
const sameSignalMs = 1_000

/** What is left of the time when connections have been given up, for the other threads to end in order: so long, or this share of a short time. */
const endingMs = 2_000
const endingShare = 0.25
/** The end must not be later than it was promised. */
const killAtShare = 0.98

/** Not in order, but without sockets: a process that still has some aborts instead of ending with a code. */
async function endAtOnce(service: Running | undefined, code = 1): Promise<never> {
  const hangs = (await service?.abandon()) === false
  // An exit joins all threads, and so might wait for the one that hangs.
  if (hangs) process.kill(process.pid, 'SIGKILL')
  process.exit(code)
}

/** Returns what a signal to end does. */
function listenToSignals(service: Running, log: Logger, drainSeconds: number) {
  let toldAt: number | undefined
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (toldAt !== undefined) {
      if (systemClock.monotonic() - toldAt < sameSignalMs) return
      log.warn({ signal }, 'told to end again: ending at once')
      return endAtOnce(service)
    }
    toldAt = systemClock.monotonic()
    log.info({ signal }, 'draining')
    const withinMs = drainSeconds * 1000
    // The service may be stuck, and an exit joins threads that may be stuck: this timer waits for none of them.
    setTimeout(() => {
      log.error('the drain is stuck: ending anyway')
      process.kill(process.pid, 'SIGKILL')
    }, withinMs * killAtShare)
    const left = await service.stop(withinMs - Math.min(endingMs, withinMs * endingShare))
    if (left.length === 0) log.info('ended')
    else log.warn({ left }, 'ended when the time for it was over: this was cut short')
    await endAtOnce(service, 0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('SIGHUP', () => service.reloadCertificates())
  return end
}

/**
 * Until the service is there. The first process of a container has no handlers but its own, and a start may take long; what is on disk is whole
 * at every moment, and the next start goes on. Once the store is open, listeners follow soon, and a process that has sockets aborts instead of
 * ending with a code: then the end comes when the service is there. The certificates are about to be read anyway.
 */
function listenToSignalsOfStart(log: Logger) {
  let storeIsOpen = false
  let told: NodeJS.Signals | undefined
  function end(signal: NodeJS.Signals): void {
    told ??= signal
    if (storeIsOpen) return
    log.info({ signal }, 'ended during the start')
    process.exit(0)
  }
  const later = (): void => {}
  process.on('SIGTERM', end).on('SIGINT', end).on('SIGHUP', later)
  return {
    storeOpened(): void {
      storeIsOpen = true
    },
    /** Returns the signal that is still to be obeyed. */
    ended(): NodeJS.Signals | undefined {
      process.off('SIGTERM', end).off('SIGINT', end).off('SIGHUP', later)
      return told
    },
  }
}

/** A parent that started the process to be broken may ask for faults over its channel. When it ends, whatever way, nobody needs the process. */
function listenToFaults(service: Running): void {
  if (process.env.AMPSHARD_FAULTS !== 'true') return
  type Asked = Parameters<Running['fail']>[1] & { readonly fault: Fault }
  process.on('message', (asked: Asked) => service.fail(asked.fault, asked))
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}

export async function runService(argv: readonly string[]): Promise<void> {
  // Whatever it writes is for its owner alone, what lmdb writes included.
  process.umask(0o077)
  const settings = settingsOrExit(argv)
  // Takes the flags out of the list of processes, too.
  if (visibleSecrets.length > 0) process.title = 'ampshard'
  const log = createLog({ level: settings.log_level, thread: 'main', terminal: process.stdout.isTTY })
  logWarnings(log)
  for (const { given, instead } of formerNames)
    log.warn({ given, instead }, 'this name of a setting is deprecated and will go: use the other one')
  for (const { flag, variable } of visibleSecrets)
    log.warn({ flag, variable }, 'a secret in a flag is seen by other users of this machine: give it in the variable')
  for (const variable of unknownVariables(settingsSchema, environment))
    if (!variablesOfTools.includes(variable))
      log.warn({ variable }, 'no setting reads this variable: --help lists those that exist')

  let service: Running | undefined
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the main thread has failed')
    void endAtOnce(service)
  })
  const start = listenToSignalsOfStart(log)
  function giveUp(reason: string): void {
    log.fatal(reason)
    void endAtOnce(service)
  }
  try {
    service = await startService(settings, log, giveUp, start.storeOpened)
    const end = listenToSignals(service, log, settings.drain_seconds)
    const told = start.ended()
    if (told !== undefined) void end(told)
    listenToFaults(service)
  } catch (error) {
    endWith(error)
  }
}
