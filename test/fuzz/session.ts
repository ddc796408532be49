// One run of the fuzzer on one service: the targets in turn, then everything that must hold afterwards.

import { setTimeout as delay } from 'node:timers/promises'
import { bootChargePoint } from '../support/charge-point.js'
import { installerOf } from '../support/installer.js'
import { type Service, startService, type Teardowns } from '../support/service.js'
import {
  collectsGarbage,
  inspect,
  isBack,
  type Memory,
  oldSocket,
  probeAll,
  quietMemory,
  registerAnew,
} from './afterwards.js'
import { createFindings, type Findings, type FuzzTarget } from './findings.js'
import { fuzzFloods } from './floods-target.js'
import { chargePointOf, fuzzFrames } from './frames-target.js'
import { watchNeighbours } from './neighbourhood.js'
import { fuzzRequests } from './requests-target.js'
import { fuzzUpgrades } from './upgrades-target.js'

export type FuzzSizes = Readonly<Record<FuzzTarget, number>>

export interface FuzzOptions {
  readonly seed: number
  readonly sizes: FuzzSizes
  readonly targets: readonly FuzzTarget[]
  /** Minutes after which a target stops, whatever is left of it. */
  readonly minutes: number
  /** Where inputs that found something are kept. */
  readonly corpus: string
  readonly sockets: number
  /** How long memory may take to come back. */
  readonly quietSeconds: number
  readonly tell: (text: string) => void
}

export interface FuzzResult {
  readonly findings: Findings
  readonly figures: Readonly<Record<string, number | string>>
}

/** Bounds that would only slow the fuzzer down; what they do is tested elsewhere. */
export const fuzzFlags = [
  ...['--shards', '1', '--passivate-seconds', '2', '--flap-connects-per-minute', '1000000'],
  ...['--connects-per-second', '1000000', '--frames-per-second', '10000000', '--frame-burst', '10000000'],
  ...['--refusals-per-second', '1000000'],
  ...['--bytes-per-second', '1000000000', '--byte-burst', '1000000000'],
]
const warmUpShare = 0.05
const warmUpMaximum = 20_000

export async function fuzz(teardowns: Teardowns, options: FuzzOptions): Promise<FuzzResult> {
  const findings = createFindings(options.corpus, options.seed)
  const figures: Record<string, number | string> = {}
  const service = await startService(teardowns, { flags: fuzzFlags, preload: collectsGarbage })
  const old = await bootChargePoint(service, oldSocket)
  let oldEnd = ''
  void old.closed.then(({ code, reason }) => {
    oldEnd = `${code} ${reason}`
  })
  const run = (target: FuzzTarget, count: number, seed: number) =>
    runTarget(target, count, seed, service, findings, options)

  for (const target of options.targets) {
    const count = options.sizes[target]
    await run(target, Math.min(warmUpMaximum, Math.ceil(count * warmUpShare)), options.seed + 1)
  }
  await useJobThreads(service)
  const baseline = await quietMemory(service, Math.ceil(options.quietSeconds / 4))
  for (const target of options.targets) {
    const neighbours = await watchNeighbours(service, teardowns, `${target}-${options.seed}`)
    const startedAt = performance.now()
    const counted = await run(target, options.sizes[target], options.seed)
    figures[`${target}: neighbours p50/p90/most ms`] = await neighbours.leave((what) =>
      findings.add(`neighbours of ${target}: ${what}`, undefined),
    )
    const seconds = (performance.now() - startedAt) / 1_000
    for (const [name, value] of Object.entries(counted)) figures[`${target}: ${name}`] = value
    figures[`${target}: a second`] = Math.round(Number(counted[target] ?? 0) / seconds)
  }
  const fault = (text: string): void => findings.add(text, undefined)
  await inspect(service, fault)
  if (service.process.exitCode === null && service.process.signalCode === null) {
    if (oldEnd !== '') fault(`the socket that was open all the time was closed: ${oldEnd}`)
    const ids = ['PROBE-NEW', chargePointOf(options.seed, 0), chargePointOf(options.seed, 1)]
    const there: string[] = []
    for (const id of ids) if (await registerAnew(service, id)) there.push(id)
    await probeAll(service, old, there, fault)
    const memory = await quietMemory(service, options.quietSeconds, (now) => isBack(now, baseline))
    figures['memory before'] = shown(baseline)
    figures['memory after'] = shown(memory)
    if (!isBack(memory, baseline)) fault(`memory is not back: ${shown(memory)}, was ${shown(baseline)}`)
    await inspect(service, fault)
  }
  return { findings, figures }
}

/** Threads of jobs start with the first job, and what they load is no growth: they are there before memory is looked at. */
async function useJobThreads(service: Service): Promise<void> {
  await installerOf(service)
  const path = `/api/v1/chargepoints/${oldSocket}/certificates/generate`
  const { status } = await service.request('POST', path, {})
  if (status !== 201) throw new Error(`no certificate was generated: ${status}`)
}

async function runTarget(
  target: FuzzTarget,
  count: number,
  seed: number,
  service: Service,
  findings: Findings,
  { minutes, tell, sockets }: FuzzOptions,
): Promise<Readonly<Record<string, number | string>>> {
  const until = performance.now() + minutes * 60_000
  const progress = (done: number): void => tell(`${target} ${done} of ${count}, ${findings.list.length} findings`)
  const shared = { service, seed, until, findings, progress }
  const result = await (target === 'frames'
    ? fuzzFrames({ ...shared, frames: count, sockets })
    : target === 'upgrades'
      ? fuzzUpgrades({ ...shared, upgrades: count })
      : target === 'requests'
        ? fuzzRequests({ ...shared, requests: count })
        : fuzzFloods({ ...shared, floods: count }))
  // Sockets that the service has not buried yet count for its memory.
  await delay(200)
  return { ...result }
}

function shown({ heapMegabytes, anonymousMegabytes }: Memory): string {
  return `heaps ${heapMegabytes.toFixed(1)} MiB, process ${anonymousMegabytes?.toFixed(0) ?? '?'} MiB`
}
