// One charge point that connects fifteen times a second: it is told to wait, others do not feel it, and it is taken again
// when it is calm. Where nothing makes it wait, its newest connection is the one that counts.

import { setTimeout as delay } from 'node:timers/promises'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import type { Service } from '../support/service.js'
import { until } from '../support/until.js'
import { registerAll } from './fleet.js'
import { startHealthy } from './healthy.js'
import { metric } from './metric.js'
import { type ChaosContext, defineScenario, percentile } from './scenario.js'

const connectsPerSecond = 15
const healthyCount = 8
const allowedPerMinute = 15
const waitSeconds = 1
const withoutLimit = 1_000_000

export const flapping = defineScenario({
  name: 'flapping',
  promise: 'a charge point that connects 15 times a second is made to wait, and its newest connection counts',
  // Continuous integration shares its cores with other tests.
  sizes: {
    small: { rounds: 1, seconds: 3, othersWithinMs: 20_000 },
    full: { rounds: 1, seconds: 60, othersWithinMs: 1_000 },
  },
  async run(context, size) {
    const limited = await flap(context, size, allowedPerMinute)
    const free = await flap(context, size, withoutLimit)
    return {
      'connects a second': connectsPerSecond,
      'taken of attempted': `${limited.taken} of ${limited.attempted}`,
      'taken without a limit': `${free.taken} of ${free.attempted}`,
      'others p50/p99 ms': `${percentile(limited.others, 0.5).toFixed(1)} / ${percentile(limited.others, 0.99).toFixed(1)}`,
      'others without a limit p50/p99 ms': `${percentile(free.others, 0.5).toFixed(1)} / ${percentile(free.others, 0.99).toFixed(1)}`,
    }
  },
})

interface Flapped {
  readonly attempted: number
  readonly taken: number
  readonly others: readonly number[]
}

interface FlapSize {
  readonly seconds: number
  readonly othersWithinMs: number
}

async function flap(context: ChaosContext, size: FlapSize, perMinute: number): Promise<Flapped> {
  const { violation } = context
  const service = await context.service([
    ...['--shards', '2', '--flap-connects-per-minute', String(perMinute), '--flap-wait-seconds', String(waitSeconds)],
  ])
  await registerAll(service, [`FLAP-${perMinute}`])
  const healthy = await startHealthy(service, healthyCount)
  const id = `FLAP-${perMinute}`
  const url = `${service.ocppUrl}/${id}`
  const clients: OcppClient[] = []
  const refusals = new Map<string, number>()
  const attempts: Promise<void>[] = []
  let attempted = 0
  const startedAt = performance.now()
  while (attempted < size.seconds * connectsPerSecond) {
    attempted++
    attempts.push(
      connectOcpp(url).then(
        (client) => {
          clients.push(client)
          // Some leave at once, some just come again: both are seen when a link is bad.
          if (context.random() < 0.5) client.socket.terminate()
        },
        (error: Error) => {
          refusals.set(error.message, (refusals.get(error.message) ?? 0) + 1)
        },
      ),
    )
    await delay(1_000 / connectsPerSecond)
  }
  await Promise.all(attempts)
  const seconds = (performance.now() - startedAt) / 1_000
  const others = healthy.take()
  const slowest = percentile(others, 1)
  if (slowest > size.othersWithinMs) violation(`another charge point waited ${Math.round(slowest)} ms`)
  for (const how of refusals.keys()) if (how !== 'HTTP 503') violation(`a connection was refused with ${how}`)
  const refused = attempted - clients.length
  // Every wait that ends lets one more series of connections in.
  const series = 1 + Math.ceil(seconds / waitSeconds)
  if (perMinute !== withoutLimit && clients.length > perMinute * series)
    violation(`${clients.length} connections of one charge point were taken in ${seconds.toFixed(1)} s`)
  if (perMinute !== withoutLimit && refused === 0) violation('no connection was refused')
  if (perMinute === withoutLimit && refused > 0) violation(`${refused} connections were refused`)
  await newestCounts(service, id, clients, violation)
  const lost = await healthy.stop()
  if (lost > 0) violation(`${lost} healthy charge points lost their sockets`)
  await service.stop('SIGKILL')
  return { attempted, taken: clients.length, others }
}

/** Waits as it was told to before it connects; this attempt may be the one too many of its series, so it has two. */
async function connectCalmly(url: string): Promise<OcppClient> {
  const calmMs = waitSeconds * 1_000 + 500
  await delay(calmMs)
  try {
    return await connectOcpp(url)
  } catch {
    await delay(calmMs)
    return connectOcpp(url)
  }
}

/** After it has calmed down: one socket, the newest, gets the commands, and all others are closed. */
async function newestCounts(
  service: Service,
  id: string,
  clients: readonly OcppClient[],
  violation: (text: string) => void,
): Promise<void> {
  const newest = await connectCalmly(`${service.ocppUrl}/${id}`)
  const booted = await newest.boot()
  if (booted.payload?.status !== 'Accepted') violation(`the calm charge point was not accepted: ${booted.error}`)
  const command = service.request('POST', `/api/v1/cpo/commands/${id}`, { command: 'soft_reset', timeout_seconds: 60 })
  await Promise.race([newest.answerNext({ status: 'Accepted' }), command])
  const { status } = await command
  if (status !== 200) violation(`a command to the newest connection was answered ${status}`)
  const openSockets = async () => (await metric(service, 'ampshard_connections')) - healthyCount
  await until(async () => (await openSockets()) === 1).catch(async () =>
    violation(`${await openSockets()} sockets of one charge point are open`),
  )
  // What the service has closed is closed here when its farewell has been read.
  const open = () => clients.filter(({ socket }) => socket.readyState === socket.OPEN).length
  await until(() => open() === 0).catch(() => violation(`${open()} replaced connections were left open`))
  const answer = await service.request('GET', `/api/v1/chargepoints/${id}`)
  if (answer.body.online === false) violation('the charge point is shown as offline')
  newest.socket.terminate()
}
