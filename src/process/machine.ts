// The machine that the service runs on, as its threads and the links between them: worker threads, message ports, the system's clock.

import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { systemClock } from '../runtime/clock.js'
import { limits } from '../runtime/limits.js'
import { type Remote, remoteControl } from '../runtime/link/control.js'
import { inSources } from '../runtime/source-positions.js'
import { threadMemory } from '../runtime/thread/thread-memory.js'
import type { Settings } from '../settings.js'
import { createLog, logWarnings } from './log.js'
import type { Outside } from './outside.js'

/** `thread` is the name that its log lines have. */
export function outsideOf(thread: string, settings: Settings): Outside & { randomBytes(length: number): Buffer } {
  const log = createLog({ level: settings.log_level, thread, terminal: process.stdout.isTTY })
  logWarnings(log)
  return {
    clock: systemClock,
    random: Math.random,
    randomBytes,
    log,
    memory: threadMemory,
    loopActive: () => performance.eventLoopUtilization().active,
  }
}

/** Starts a thread of the process's own; without it there is no service, so its end is the end of all. */
export function startThread<Control, Start extends { readonly control: MessagePort }>(
  name: 'store' | 'front',
  start: Omit<Start, 'control'>,
  giveUp: (reason: string) => void,
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
  worker.on('error', (error) => giveUp(`the ${name} thread has ended: ${inSources(error.stack ?? error.message)}`))
  return remoteControl<Control>(port1)
}
