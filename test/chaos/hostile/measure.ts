// One attack, measured: what the neighbours feel before it, while it goes on, and after it, what the process and the disk grow by, and
// how long the process takes to end while it is attacked.

import { setTimeout as delay } from 'node:timers/promises'
import { processorSeconds, residentMegabytes } from '../metric.js'
import type { Attack } from './attack.js'
import { type Bounds, beyond } from './bounds.js'
import type { Felt } from './neighbours.js'
import type { Stage } from './stage.js'

export interface Durations {
  readonly settleMs: number
  readonly calmMs: number
  readonly attackMs: number
  readonly afterMs: number
  /** How long threads that have ended their work may take to give their memory back. */
  readonly memoryWithinMs: number
}

export interface Calm {
  readonly felt: Felt
  readonly residentMegabytes: number
  /** Of one processor, that the service takes. */
  readonly processorShare: number
}

export interface Measured {
  readonly attack: Attack
  readonly during: Felt
  readonly after: Felt
  /** What the attackers counted. */
  readonly counts: Readonly<Record<string, number>>
  readonly residentMegabytes: number
  readonly processorShare: number
  readonly grownMegabytes: number
  /** What was written to the log. */
  readonly loggedKilobytes: number
  readonly violations: readonly string[]
}

const take = (stage: Stage): Promise<Felt> => stage.neighbours.ask({ type: 'take' })

/**
 * Beside attackers that are as busy, but attack nobody: what the processors alone cost is in it. A process takes more memory as it grows
 * older, attacked or not: `agedMegabytes` is what one took at the age at which attacks are judged.
 */
export async function measureCalm(stage: Stage, { settleMs, calmMs }: Durations, agedMegabytes = 0): Promise<Calm> {
  await stage.attackers.idle()
  await delay(settleMs)
  await take(stage)
  const share = processorShareOf(stage)
  await delay(calmMs)
  const felt = await take(stage)
  const processorShare = share()
  await stage.attackers.stop()
  return { felt, processorShare, residentMegabytes: Math.max(agedMegabytes, residentMegabytes(stage.service) ?? 0) }
}

export async function measureAttack(
  stage: Stage,
  attack: Attack,
  calm: Calm,
  { attackMs, afterMs, memoryWithinMs }: Durations,
  bounds: Bounds,
): Promise<Measured> {
  await attack.prepare?.({ tenant: stage.hostile, chargePointIds: stage.chargePointIds(attack) })
  const keptBefore = stage.keptBytes()
  const loggedBefore = stage.service.output().length
  await take(stage)
  const share = processorShareOf(stage)
  await begin(stage, attack)
  await delay(attackMs)
  const during = await take(stage)
  const processorShare = share()
  const counts = await stage.attackers.stop()
  await delay(afterMs)
  const after = await take(stage)
  const { times, megabytes } = bounds.memory
  const most = calm.residentMegabytes * times + megabytes
  const resident = await residentAtTheEnd(stage, most, memoryWithinMs)
  const grownBytes = stage.keptBytes() - keptBefore
  const loggedBytes = stage.service.output().length - loggedBefore
  const violations: string[] = []
  for (const [when, felt] of [
    ['while it goes on', during],
    ['after it', after],
  ] as const) {
    const wrong = beyond(bounds, calm.felt, felt)
    if (wrong.length > 0) violations.push(`${when}: ${wrong.join('; ')}`)
  }
  if (resident > most) violations.push(`the process takes ${resident.toFixed(0)} MiB, over ${most.toFixed(0)}`)
  if (grownBytes > (attack.keptBytes ?? keptBytesUsually))
    violations.push(`the data directory grew by ${megabytesOf(grownBytes)} MiB`)
  if (loggedBytes > logBytes) violations.push(`${Math.round(loggedBytes / 1_024)} KiB were logged`)
  return {
    attack,
    during,
    after,
    counts,
    residentMegabytes: resident,
    processorShare,
    loggedKilobytes: loggedBytes / 1_024,
    grownMegabytes: Number(megabytesOf(grownBytes)),
    violations: violations.map((what) => `${attack.name}: ${what}`),
  }
}

/** What the neighbours themselves write in the meantime is in it. */
const keptBytesUsually = 16 * 2 ** 20
/** The service logs warnings and errors here. One cause has some lines, not one for each message. */
const logBytes = 65_536

function processorShareOf({ service }: Stage): () => number {
  const [startedAt, before] = [performance.now(), processorSeconds(service)]
  return () => (1_000 * (processorSeconds(service) - before)) / (performance.now() - startedAt)
}

/** MiB, as soon as it is within the bound. */
async function residentAtTheEnd({ service }: Stage, most: number, withinMs: number): Promise<number> {
  const until = performance.now() + withinMs
  for (;;) {
    const resident = residentMegabytes(service) ?? 0
    if (resident <= most || performance.now() >= until) return resident
    await delay(askMemoryEveryMs)
  }
}

const askMemoryEveryMs = 1_000

const megabytesOf = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)

export function begin(stage: Stage, attack: Attack): Promise<void> {
  return stage.attackers.begin(attack.name, {
    port: stage.service.port,
    key: stage.hostile.key,
    organizationId: stage.hostile.id,
    chargePointIds: stage.chargePointIds(attack),
  })
}

/** Milliseconds until the process is gone, asked to end while it is attacked. */
export async function measureEnd(stage: Stage, attack: Attack): Promise<number> {
  await begin(stage, attack)
  await delay(1_000)
  const askedAt = performance.now()
  await stage.service.stop('SIGTERM')
  const tookMs = performance.now() - askedAt
  await stage.attackers.stop()
  return tookMs
}
