// A run from beginning to end, as the parent of the processes sees it: connecting, warm-up, the measured time, the
// results. It shows nothing; whoever wants to look is told every second.

import { type ChildProcess, fork } from 'node:child_process'
import { addPairs, createHistogram } from '../generator/histogram.js'
import { machine } from '../machine.js'
import type { Options } from './options.js'
import type { LoadMessage, LoadRequest, Phase, Plan, ProcessResults, StormRound } from './protocol.js'
import { type Percentiles, percentilesOf, type Run } from './results.js'
import { createSeconds, type SecondRow } from './seconds.js'

export interface Progress {
  readonly phase: Phase
  readonly elapsedSeconds: number
  /** Of the measured time; undefined while it is not known. */
  readonly remainingSeconds: number | undefined
  readonly latest: SecondRow | undefined
  readonly sent: number
  readonly answered: number
  readonly errors: number
  readonly rounds: number
  readonly rows: () => readonly SecondRow[]
  /** Of the measured time so far. */
  readonly latency: () => Percentiles
}

export interface RunOptions {
  readonly options: Options
  readonly version: string
  readonly startedAt: Date
  /** Ends the run early, with everything up to then. */
  readonly signal: AbortSignal
  readonly watch: (progress: Progress) => void
}

interface LoadProcess {
  readonly child: ChildProcess
  send(request: LoadRequest): void
  /** The next message of the kind; undefined when the process dies first. */
  wait<Type extends LoadMessage['type']>(type: Type): Promise<Extract<LoadMessage, { type: Type }> | undefined>
}

const watchMs = 500

function startProcess(onTick: (message: Extract<LoadMessage, { type: 'tick' }>) => void): LoadProcess {
  const child = fork(new URL('./load-process.js', import.meta.url), { serialization: 'advanced' })
  const waiting = new Map<string, (message: LoadMessage | undefined) => void>()
  let dead = false
  child.on('message', (message: LoadMessage) => {
    if (message.type === 'tick') onTick(message)
    else {
      waiting.get(message.type)?.(message)
      waiting.delete(message.type)
    }
  })
  child.on('error', () => undefined)
  child.on('exit', () => {
    dead = true
    for (const settle of waiting.values()) settle(undefined)
    waiting.clear()
  })
  return {
    child,
    send(request) {
      if (!dead && child.connected) child.send(request, () => undefined)
    },
    wait: (type) =>
      new Promise((resolve) => {
        if (dead) resolve(undefined)
        else waiting.set(type, resolve as (message: LoadMessage | undefined) => void)
      }),
  }
}

function planOf(options: Options, index: number, startedAt: number): Plan {
  const share = <Value>(value: Value): Value | number =>
    typeof value === 'number' ? (value * identities.length) / options.identities.length : value
  const identities = options.identities.filter((_, number) => number % options.processes === index)
  return {
    url: options.url,
    profile: options.profile,
    identities,
    connectors: options.connectors,
    ratePerSecond: share(options.rate),
    intervalSeconds: options.intervalSeconds,
    meterValuesPerSession: options.meterValues,
    rampPerSecond: share(options.ramp),
    timeoutMs: options.timeoutMs,
    seed: options.seed + index,
    sourceAddresses: options.sourceAddresses,
    tls: options.tls,
    api: options.profile === 'commands' ? options.api : undefined,
    startedAt,
  }
}

/** Resolves early, with true, when the signal comes. */
function pause(seconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(true)
      return
    }
    const aborted = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', aborted)
      resolve(false)
    }, seconds * 1000)
    signal.addEventListener('abort', aborted, { once: true })
  })
}

export async function run({ options, version, startedAt, signal, watch }: RunOptions): Promise<Run> {
  const seconds = createSeconds(options.processes)
  const phases: { name: Phase; from: number; to: number }[] = []
  const rounds: (readonly StormRound[])[] = []
  const since = (): number => (Date.now() - startedAt.getTime()) / 1000
  const rateEnd: { at: number | undefined } = { at: undefined }
  let phase: Phase = 'connecting'
  let phaseFrom = 0
  let errors = 0
  /** Of the measured time. */
  const measured = { sent: 0, answered: 0, latency: createHistogram(2) }
  let endedBy: Run['endedBy'] = 'duration'

  const stopping = new AbortController()
  const stop = (why: Run['endedBy']): void => {
    if (stopping.signal.aborted) return
    endedBy = why
    stopping.abort()
  }
  if (signal.aborted) stop('signal')
  else signal.addEventListener('abort', () => stop('signal'), { once: true })

  function enter(next: Phase): void {
    const at = since()
    phases.push({ name: phase, from: phaseFrom, to: at })
    phase = next
    phaseFrom = at
  }

  const processes = Array.from({ length: options.processes }, () =>
    startProcess(({ tick }) => {
      seconds.add(tick, phase)
      errors += tick.errors
      if (phase !== 'measured') return
      measured.sent += tick.sent
      measured.answered += tick.answered
      addPairs(measured.latency, tick.latency)
    }),
  )
  let finishing = false
  for (const { child } of processes)
    child.on('exit', () => {
      if (!finishing) stop('a process died')
    })
  const everybody = (request: LoadRequest): void => {
    for (const one of processes) one.send(request)
  }
  const watching = setInterval(
    () =>
      watch({
        phase,
        elapsedSeconds: since(),
        remainingSeconds: rateEnd.at === undefined ? undefined : Math.max(0, rateEnd.at - since()),
        latest: seconds.latest(),
        sent: measured.sent,
        answered: measured.answered,
        errors,
        rounds: rounds.length,
        rows: seconds.told,
        latency: () => percentilesOf(measured.latency),
      }),
    watchMs,
  )

  async function storms(): Promise<void> {
    do {
      const replies = processes.map((one) => one.wait('storm'))
      everybody({ type: 'storm' })
      const round = await Promise.race([
        Promise.all(replies),
        new Promise<undefined>((resolve) =>
          stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
        ),
      ])
      if (round === undefined) return
      rounds.push(round.flatMap((message) => (message ? [message.round] : [])))
      const left = options.durationSeconds - (since() - phaseFrom)
      if (left <= options.stormPauseSeconds) return
    } while (!(await pause(options.stormPauseSeconds, stopping.signal)))
  }

  async function phasesOfTheRun(): Promise<void> {
    const connected = Promise.all(processes.map((one) => one.wait('connected')))
    processes.forEach((one, index) => {
      one.send({ type: 'plan', plan: planOf(options, index, startedAt.getTime()) })
    })
    const aborted = new Promise<undefined>((resolve) =>
      stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    )
    const replies = await Promise.race([connected, aborted])
    if (replies === undefined) return
    if (replies.every((reply) => (reply?.booted ?? 0) === 0)) {
      stop('nobody connected')
      return
    }
    if (options.warmUpSeconds > 0) {
      enter('warm-up')
      everybody({ type: 'talk', phase: 'warm-up' })
      if (await pause(options.warmUpSeconds, stopping.signal)) return
    }
    enter('measured')
    everybody(options.warmUpSeconds > 0 ? { type: 'measure' } : { type: 'talk', phase: 'measured' })
    rateEnd.at = phaseFrom + options.durationSeconds
    if (options.profile === 'storm') await storms()
    else await pause(options.durationSeconds, stopping.signal)
  }

  await phasesOfTheRun()
  finishing = true
  const answers = processes.map((one) => one.wait('results'))
  everybody({ type: 'finish' })
  const results = (await Promise.all(answers)).flatMap((message): ProcessResults[] =>
    message ? [message.results] : [],
  )
  clearInterval(watching)
  phases.push({ name: phase, from: phaseFrom, to: since() })
  return {
    options,
    version,
    machine: machine(),
    date: startedAt.toISOString(),
    endedBy,
    phases,
    processes: results,
    rounds,
    seconds: seconds.rows(),
  }
}
