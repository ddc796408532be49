// Two fronts and two shards: the kernel spreads connections over the fronts, so that a charge point may come back through
// the other one.

import { type Test, test } from 'tap'
import { bootChargePoint, chargePointOf, command } from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const two = ['--fronts', '2', '--shards', '2', '--flap-connects-per-minute', '100']
const ids = Array.from({ length: 8 }, (_, index) => `CP-${index}`)

async function connectionsOfFronts(service: Service): Promise<number[]> {
  const { body } = await service.request('GET', '/metrics')
  return [...String(body).matchAll(/^ampshard_connections\{[^}]*\} (\d+)$/gm)].map(([, count]) => Number(count))
}

/** Every charge point connects again, while its older socket is open, and is the one that is reached from then on. */
async function takeOver(t: Test, service: Service, older: readonly OcppClient[]): Promise<OcppClient[]> {
  const newer = await Promise.all(ids.map((id) => connectOcpp(`${service.ocppUrl}/${id}`)))
  const closed = await Promise.all(older.map((client) => client.closed))
  t.ok(
    closed.every(({ code }) => code === 1000),
    'every older socket is told that it has been replaced',
  )
  await allReached(t, service, newer)
  return newer
}

async function allReached(t: Test, service: Service, clients: readonly OcppClient[]): Promise<void> {
  const heartbeats = await Promise.all(clients.map((client) => client.call('Heartbeat', {})))
  t.ok(heartbeats.every(({ error }) => error === undefined))
  const statuses = await Promise.all(
    clients.map(async (client, at) => {
      const answer = command(service, ids[at] as string, 'soft_reset')
      await client.answerNext({ status: 'Accepted' })
      return (await answer).status
    }),
  )
  t.same(new Set(statuses), new Set([200]), 'a command reaches each charge point over its newest socket')
  const online = await Promise.all(ids.map(async (id) => (await chargePointOf(service, id)).online))
  t.same(new Set(online), new Set([true]))
}

test('fronts - a charge point that comes back through either front is taken over', async (t) => {
  const service = await startService(t, { flags: two })
  let clients = await Promise.all(ids.map((id) => bootChargePoint(service, id)))
  for (let round = 0; round < 3; round++) clients = await takeOver(t, service, clients)
  t.ok(
    (await connectionsOfFronts(service)).every((count) => count > 0),
    'both fronts have taken part',
  )
})

test('fronts - a shard that ends costs neither front a socket, and takeovers go on', async (t) => {
  const service = await startService(t, { flags: two })
  const clients = await Promise.all(ids.map((id) => bootChargePoint(service, id)))
  for (const shard of [0, 1]) {
    service.fail(shard, 'throw')
    await until(async () => {
      const { body } = await service.request('GET', '/metrics')
      return Number(/^ampshard_shard_restarts_total (\d+)/m.exec(String(body))?.[1] ?? 0) > shard
    })
    await allReached(t, service, clients)
  }
  await takeOver(t, service, clients)
})
