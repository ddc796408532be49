// A disk whose syncs take long: no answer that promises something leaves before the sync that makes it durable has ended.
// The disk logs when each sync began and ended, the clients when they asked and were answered, all on the same clock.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../support/service.js'
import { defineScenario, percentile } from './scenario.js'
import { preload } from './shims.js'
import { startUnderLoad, withoutFlapping } from './under-load.js'

const syncMs = 60
/** These promise nothing, or repeat what was promised before. */
const promisesNothing = new Set(['Heartbeat', 'BootNotification'])

interface Acknowledged {
  readonly what: string
  /** CLOCK_MONOTONIC, ms. */
  readonly askedAt: number
  readonly answeredAt: number
}

/** A commit: its pages are synchronized, and then its meta page, each by a sync of its own. */
interface Commit {
  readonly beganAt: number
  readonly endedAt: number
}

export const lateFsync = defineScenario({
  name: 'late-fsync',
  promise: 'no answer leaves before the sync that makes it durable has completed',
  sizes: {
    small: { rounds: 1, chargePoints: 30, operators: 4, pauseMs: 100, seconds: 6 },
    full: { rounds: 1, chargePoints: 300, operators: 16, pauseMs: 10, seconds: 120 },
  },
  async run(context, size) {
    const { violation } = context
    const log = join(context.directory, 'syncs')
    const environment = {
      ...preload('disk', context.directory),
      CHAOS_DISK: join(context.directory, 'data'),
      CHAOS_SYNCS: log,
      CHAOS_SYNC_MS: String(syncMs),
    }
    const acknowledged: Acknowledged[] = []
    const load = await startUnderLoad(context, {
      ...size,
      flags: () => ['--shards', '2', ...withoutFlapping],
      place: { environment },
      observer: {
        answered(id, action, milliseconds) {
          const answeredAt = now()
          if (!promisesNothing.has(action))
            acknowledged.push({ what: `${action} of ${id}`, askedAt: answeredAt - milliseconds, answeredAt })
        },
      },
      operatorsUse: (service) => timedService(service, acknowledged),
    })
    load.begin()
    for (let second = 1; second <= size.seconds * size.rounds; second++) {
      await delay(1_000)
      context.progress(`${second} s, ${acknowledged.length} acknowledged`)
    }
    await load.end()
    const commits = readCommits(log)
    const early = acknowledged.filter((one) => !isCovered(one, commits))
    for (const { what, askedAt, answeredAt } of early)
      violation(`${what} was answered after ${(answeredAt - askedAt).toFixed(1)} ms, before a sync had completed`)
    if (acknowledged.length === 0 || commits.length === 0)
      violation('nothing was acknowledged, or nothing synchronized')
    await load.verify()
    return {
      acknowledged: acknowledged.length,
      'syncs logged': 2 * commits.length,
      'early acknowledgements': early.length,
      'answer p50/p99 ms': [0.5, 0.99]
        .map((share) =>
          percentile(
            acknowledged.map(({ askedAt, answeredAt }) => answeredAt - askedAt),
            share,
          ).toFixed(0),
        )
        .join(' / '),
    }
  },
})

function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Notes when a write over the API was asked for and answered. */
function timedService(service: Service, acknowledged: Acknowledged[]): Service {
  return {
    ...service,
    async request(method, path, body, headers) {
      const askedAt = now()
      const answer = await service.request(method, path, body, headers)
      if (method !== 'GET' && answer.status < 300)
        acknowledged.push({ what: `${method} ${path}`, askedAt, answeredAt: now() })
      return answer
    },
  }
}

function readCommits(log: string): Commit[] {
  const syncs = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [kind, began, ended] = line.split(' ')
      return { kind, beganAt: Number(began) / 1e6, endedAt: Number(ended) / 1e6 }
    })
  return syncs.flatMap((sync, at) => {
    const before = syncs[at - 1]
    return sync.kind === 'meta' && before?.kind === 'data' ? [{ beganAt: before.beganAt, endedAt: sync.endedAt }] : []
  })
}

/** A whole commit lies between question and answer. Commits follow each other, so the last that ended is the one to look at. */
function isCovered({ askedAt, answeredAt }: Acknowledged, commits: readonly Commit[]): boolean {
  let low = 0
  for (let high = commits.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((commits[middle] as Commit).endedAt <= answeredAt) low = middle + 1
    else high = middle
  }
  const last = commits[low - 1]
  return last !== undefined && last.beganAt >= askedAt
}
