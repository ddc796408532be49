// Connections that are dead without having ended: a charge point that comes back over another one is served there at
// once, and one that does not come back is found, and shown as offline.

import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import type { Service } from '../support/service.js'
import { until } from '../support/until.js'
import { registerAll } from './fleet.js'
import { startHealthy } from './healthy.js'
import { metric } from './metric.js'
import { startRelay } from './relay.js'
import { defineScenario, percentile } from './scenario.js'

const healthyCount = 4
const pingSeconds = 1

export const halfOpen = defineScenario({
  name: 'half-open',
  promise: 'a dead connection never stands in the way of a new one, and is found when there is none',
  // `foundWithinMs`: three pings, and the pass over all sockets that takes a few seconds. Continuous integration shares
  // its cores with other tests.
  sizes: {
    small: { rounds: 1, chargePoints: 10, foundWithinMs: 60_000 },
    full: { rounds: 5, chargePoints: 200, foundWithinMs: 15_000 },
  },
  async run(context, size) {
    const { violation } = context
    const service = await context.service([
      ...['--shards', '2', '--ping-interval-seconds', String(pingSeconds), '--dead-peer-seconds', '2'],
      ...['--heartbeat-interval-seconds', '1', '--flap-connects-per-minute', '1000000'],
    ])
    const healthy = await startHealthy(service, healthyCount)
    const foundMs: number[] = []
    let cameBack = 0
    for (let round = 1; round <= size.rounds; round++) {
      const ids = Array.from({ length: size.chargePoints }, (_, index) => `HALF-${round}-${index}`)
      await registerAll(service, ids)
      const relay = await startRelay(service.port)
      context.teardown(() => relay.close())
      const url = (id: string): string => `ws://127.0.0.1:${relay.port}/ocpp16/${id}`
      const clients = await Promise.all(ids.map((id) => connectOcpp(url(id))))
      const transactions = await Promise.all(clients.map(startTransaction))
      // One ping must have been answered: a charge point that never answers one is given more time. What is said after
      // the answer arrives after it.
      await Promise.all(clients.map(({ socket }) => once(socket, 'ping')))
      await Promise.all(clients.map((client) => client.call('Heartbeat', {})))
      relay.freeze()
      const frozenAt = performance.now()
      const returning = ids.filter((_, index) => index % 2 === 0)
      for (const [index, id] of ids.entries()) {
        if (index % 2 !== 0) continue
        await comeBack(service, id, url(id), transactions[index] as number, violation)
        cameBack++
      }
      const gone = ids.filter((_, index) => index % 2 === 1)
      while ((await onlineOf(service, gone)).length > 0 && performance.now() - frozenAt < size.foundWithinMs)
        await delay(50)
      const left = await onlineOf(service, gone)
      foundMs.push(performance.now() - frozenAt)
      if (left.length > 0) violation(`${left.length} dead charge points are shown as online: ${left.slice(0, 3)}`)
      const answer = await service.request('POST', `/api/v1/cpo/commands/${gone[0]}`, { command: 'soft_reset' })
      if (answer.body.error?.code !== 'charge_point_offline')
        violation(`a command to a dead charge point was answered ${answer.status}`)
      const closed = async () => (await metric(service, 'ampshard_connections')) <= healthyCount
      await until(closed).catch(() => violation('sockets are open that nobody holds'))
      // What the dead connections had held back arrives now, on sockets that are closed: it changes nothing.
      for (const [index, client] of clients.entries())
        client.socket.send(JSON.stringify([2, 'ghost', 'StopTransaction', stopOf(transactions[index] as number, 99)]))
      relay.thaw()
      await delay(300)
      await verifyGhosts(service, returning, gone, violation)
      for (const client of clients) client.socket.terminate()
      relay.close()
      context.progress(`${round} of ${size.rounds}`)
    }
    const others = healthy.take()
    const lost = await healthy.stop()
    if (lost > 0) violation(`${lost} healthy charge points lost their sockets`)
    return {
      'dead connections': size.rounds * size.chargePoints,
      'charge points that came back': cameBack,
      'all others found after, at most ms': Math.round(percentile(foundMs, 1)),
      'others p50/p99 ms': `${percentile(others, 0.5).toFixed(1)} / ${percentile(others, 0.99).toFixed(1)}`,
    }
  },
})

const startedAt = new Date().toISOString()

function stopOf(transactionId: number, meterStop: number): object {
  return { transactionId, meterStop, timestamp: new Date().toISOString() }
}

async function startTransaction(client: OcppClient): Promise<number> {
  await client.boot()
  const start = { connectorId: 1, idTag: 'TAG-1', meterStart: 10, timestamp: startedAt }
  const { payload } = await client.call('StartTransaction', start)
  return payload.transactionId
}

/** Over a new connection, while the dead one is still open on the service's side. */
async function comeBack(
  service: Service,
  id: string,
  url: string,
  transactionId: number,
  violation: (text: string) => void,
): Promise<void> {
  const client = await connectOcpp(url)
  // A command of the very moment may still go to the old connection, and is answered as lost with it.
  await client.call('Heartbeat', {})
  const command = service.request('POST', `/api/v1/cpo/commands/${id}`, { command: 'soft_reset', timeout_seconds: 60 })
  await Promise.race([client.answerNext({ status: 'Accepted' }), command])
  const { status, body } = await command
  if (status !== 200) violation(`${id}: a command after its return was answered ${status} ${JSON.stringify(body)}`)
  const stopped = await client.call('StopTransaction', stopOf(transactionId, 5_010))
  if (stopped.error !== undefined) violation(`${id}: its StopTransaction after its return: ${stopped.error}`)
  await client.close()
}

async function onlineOf(service: Service, ids: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(ids.map((id) => service.request('GET', `/api/v1/chargepoints/${id}`)))
  return ids.filter((_, at) => answers[at]?.body.online === true)
}

async function verifyGhosts(
  service: Service,
  returned: readonly string[],
  gone: readonly string[],
  violation: (text: string) => void,
): Promise<void> {
  for (const id of [...returned, ...gone]) {
    const { body } = await service.request('GET', `/api/v1/sessions?charge_point_id=${id}`)
    const [session] = body.sessions
    const stopped = returned.includes(id)
    const wanted = stopped ? { status: 'completed', meter_stop: 5_010 } : { status: 'active', meter_stop: null }
    if (body.total !== 1 || session.status !== wanted.status || session.meter_stop !== wanted.meter_stop)
      violation(`${id}: after its dead connection woke up: ${JSON.stringify(session)}`)
  }
}
