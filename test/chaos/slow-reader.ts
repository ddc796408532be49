// Clients that never read: they are closed before what waits for them grows, and others do not feel it.

import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '../../src/edge/limits.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { registerAll } from './fleet.js'
import { startHealthy } from './healthy.js'
import { metric, residentMegabytes } from './metric.js'
import { defineScenario, percentile } from './scenario.js'

const healthyCount = 8
const closedWithinMs = 60_000
/** What a flood of messages costs a process anyway; what may wait for each client comes on top. */
const growthMegabytes = 100
/** The spare worker of the shards, which may be loaded while the flood goes on. */
const spareWorkerMegabytes = 64
/** As long as a message id may be: the answer carries it back, so that answers add up quickly. */
const padding = '-'.repeat(240)

export const slowReader = defineScenario({
  name: 'slow-reader',
  promise: 'a client that never reads is closed, and costs others neither memory nor time',
  // Continuous integration shares its cores with other tests.
  sizes: {
    small: { rounds: 1, clients: 10, othersWithinMs: 20_000 },
    full: { rounds: 1, clients: 50, othersWithinMs: 2_000 },
  },
  async run(context, size) {
    const { violation } = context
    const service = await context.service([
      ...['--shards', '2', '--frames-per-second', '1000000', '--frame-burst', '1000000'],
      ...['--bytes-per-second', '1000000000', '--byte-burst', '1000000000'],
      // It fills to its size, whoever reads or does not.
      ...['--frame-ring-megabytes', '0'],
    ])
    const ids = Array.from({ length: size.clients }, (_, index) => `SLOW-${index}`)
    await registerAll(service, ids)
    const healthy = await startHealthy(service, healthyCount)
    await delay(1_000)
    const before = healthy.take()
    const memoryBefore = residentMegabytes(service)
    let memoryMost = memoryBefore ?? 0
    const clients = await Promise.all(
      ids.map(async (id) => {
        const client = await connectOcpp(`${service.ocppUrl}/${id}`)
        await client.boot()
        client.socket.pause()
        return client
      }),
    )
    const startedAt = performance.now()
    let open = size.clients
    let sent = 0
    // Sockets that the service has closed; a client that does not read learns it late.
    while (open > 0 && performance.now() - startedAt < closedWithinMs) {
      for (const [at, client] of clients.entries()) sent += flood(client, `${at}-${sent}`)
      await delay(20)
      open = (await metric(service, 'ampshard_connections')) - healthyCount
      memoryMost = Math.max(memoryMost, residentMegabytes(service) ?? 0)
      context.progress(`${open} of ${size.clients} are connected`)
    }
    const closedMs = performance.now() - startedAt
    await delay(500)
    const during = healthy.take()
    if (open > 0) violation(`${open} clients that never read are connected after ${closedWithinMs} ms`)
    const growth = memoryBefore === undefined ? 0 : memoryMost - memoryBefore
    const allowed = growthMegabytes + spareWorkerMegabytes + (size.clients * limits.socketBackpressureBytes) / 2 ** 20
    if (growth > allowed) violation(`the process grew by ${Math.round(growth)} MiB`)
    const slowest = percentile(during, 1)
    if (slowest > size.othersWithinMs) violation(`another charge point waited ${Math.round(slowest)} ms`)
    const command = await service.request('POST', `/api/v1/cpo/commands/${ids[0]}`, { command: 'soft_reset' })
    if (command.body.error?.code !== 'charge_point_offline')
      violation(`a command to a closed client was answered ${command.status} ${JSON.stringify(command.body)}`)
    const lost = await healthy.stop()
    if (lost > 0) violation(`${lost} healthy charge points lost their sockets`)
    for (const client of clients) client.socket.terminate()
    return {
      'clients that never read': size.clients,
      'messages they sent': sent,
      'all closed after ms': Math.round(closedMs),
      'memory grew by MiB': Math.round(growth),
      'others before p50/p99 ms': `${percentile(before, 0.5).toFixed(1)} / ${percentile(before, 0.99).toFixed(1)}`,
      'others during p50/p99 ms': `${percentile(during, 0.5).toFixed(1)} / ${percentile(during, 0.99).toFixed(1)}`,
    }
  },
})

const messagesAtOnce = 40
const unsentBytesMaximum = 1_048_576

/** Says much and never reads an answer. Returns how many messages were sent. */
function flood({ socket }: OcppClient, name: string): number {
  if (socket.readyState !== socket.OPEN || socket.bufferedAmount > unsentBytesMaximum) return 0
  for (let at = 0; at < messagesAtOnce; at++) socket.send(`[2,"${at}-${name}${padding}","Unknown",{}]`)
  return messagesAtOnce
}
