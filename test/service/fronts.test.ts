// Two fronts and two shards: the kernel spreads connections over the fronts, so that a charge point may come back through
// the other one.

import { request } from 'node:http'
import { type Test, t, test } from 'tap'
import { inFullSuite } from '../runner/sample.js'
import { setThresholds } from '../support/alerts.js'
import { bootChargePoint, chargePointOf, command } from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const two = ['--fronts', '2', '--shards', '2', '--flap-connects-per-minute', '100']
/** Of the tests in which both fronts answer to the end. */
const shared = await startService(t, { flags: two })
const idsOf = (prefix: string) => Array.from({ length: 8 }, (_, index) => `${prefix}-${index}`)

async function connectionsOfFronts(service: Service): Promise<number[]> {
  const { body } = await service.request('GET', '/metrics')
  return [...String(body).matchAll(/^ampshard_connections\{[^}]*\} (\d+)$/gm)].map(([, count]) => Number(count))
}

/** Every charge point connects again, while its older socket is open, and is the one that is reached from then on. */
async function takeOver(
  t: Test,
  service: Service,
  ids: readonly string[],
  older: readonly OcppClient[],
): Promise<OcppClient[]> {
  const newer = await Promise.all(ids.map((id) => connectOcpp(`${service.ocppUrl}/${id}`)))
  const closed = await Promise.all(older.map((client) => client.closed))
  t.ok(
    closed.every(({ code }) => code === 1000),
    'every older socket is told that it has been replaced',
  )
  await allReached(t, service, ids, newer)
  return newer
}

async function allReached(
  t: Test,
  service: Service,
  ids: readonly string[],
  clients: readonly OcppClient[],
): Promise<void> {
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
  const ids = idsOf('EITHER')
  let clients = await Promise.all(ids.map((id) => bootChargePoint(shared, id)))
  for (let round = 0; round < 3; round++) clients = await takeOver(t, shared, ids, clients)
  t.ok(
    (await connectionsOfFronts(shared)).every((count) => count > 0),
    'both fronts have taken part',
  )
})

test('fronts - a shard that ends costs neither front a socket, and takeovers go on', async (t) => {
  const ids = idsOf('SHARD')
  const clients = await Promise.all(ids.map((id) => bootChargePoint(shared, id)))
  for (const shard of [0, 1]) {
    shared.fail(shard, 'throw')
    await until(async () => {
      const { body } = await shared.request('GET', '/metrics')
      return Number(/^ampshard_shard_restarts_total (\d+)/m.exec(String(body))?.[1] ?? 0) > shard
    })
    await allReached(t, shared, ids, clients)
  }
  await takeOver(t, shared, ids, clients)
})

interface Answer {
  readonly status: number
  readonly body: string
}

/** Over a connection of its own each time, until one is with a front that answers. */
function askAnyFront(service: Service, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return until(
    () =>
      new Promise<Answer | undefined>((resolve) => {
        const asked = request(service.url + path, { agent: false, headers, timeout: 2_000 }, async (response) => {
          const parts: Buffer[] = []
          for await (const part of response) parts.push(part)
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() })
        })
        asked.on('timeout', () => asked.destroy())
        asked.on('error', () => resolve(undefined))
        asked.end()
      }),
  )
}

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-protocol': 'ocpp1.6',
}

test(
  'fronts - while one hangs, the other has its shards replaced, its alerts and its metrics',
  inFullSuite,
  async (t) => {
    const service = await startService(t, { flags: [...two, '--stuck-front-seconds', '600', '--drain-seconds', '3'] })
    const authorization = { authorization: `Bearer ${service.key}` }
    await setThresholds(service, { refused_connections_per_hour: 3 })
    const many = Array.from({ length: 24 }, (_, index) => `CP-${index}`)
    const clients = await Promise.all(many.map((id) => bootChargePoint(service, id)))
    service.failFront(1, 'block')
    const metrics = await until(async () => {
      const { body } = await askAnyFront(service, '/metrics', authorization)
      return !body.includes('front="1"') && body
    })
    const reachable = Number(/^ampshard_connections\{front="0"\} (\d+)$/m.exec(metrics)?.[1])
    t.ok(reachable > 0 && reachable < many.length, 'both fronts have connections')

    const answered: OcppClient[] = []
    for (const client of clients) void client.call('Heartbeat', {}).then(() => answered.push(client))
    await until(() => answered.length === reachable)
    service.fail(0, 'throw')
    await until(async () =>
      (await askAnyFront(service, '/metrics', authorization)).body.includes('shard_restarts_total 1'),
    )
    const again = await Promise.all(answered.map((client) => client.call('Heartbeat', {})))
    t.ok(
      again.every(({ error }) => error === undefined),
      'the new shard answers',
    )
    const readiness = await until(async () => {
      const { status, body } = await askAnyFront(service, '/readyz')
      const { checks } = JSON.parse(body)
      return checks.shards === 'ok' && checks.fronts !== 'ok' && { status, checks }
    })
    t.match(readiness, { status: 503, checks: { fronts: 'not answering: 1', listener: 'ok' } })

    for (let knocks = 0; knocks < 3; knocks++)
      t.equal((await askAnyFront(service, '/ocpp16/NOBODYS', upgrade)).status, 404)
    const alerts = await until(async () => {
      const { body } = await askAnyFront(service, '/api/v1/alerts', authorization)
      const open = JSON.parse(body).alerts
      return open.length > 0 && open
    })
    t.match(alerts, [{ kind: 'connections_refused' }])
    const toldAt = performance.now()
    t.equal(await service.stop('SIGTERM'), 'SIGKILL', 'nobody can join the thread that hangs')
    t.ok(performance.now() - toldAt < 3_000, 'within --drain-seconds')
    t.notMatch(service.output(), /the drain is stuck/, 'all others end in order')
    t.match(service.output(), /"left":\[\{"front":1,"answers":false\}\]/)
  },
)

test('fronts - one that hangs for long ends the process, with a line that says so', inFullSuite, async (t) => {
  const service = await startService(t, { flags: [...two, '--stuck-front-seconds', '5'] })
  const client = await bootChargePoint(service, 'CP-0')
  const ended = new Promise((resolve) => service.process.once('exit', resolve))
  service.failFront(1, 'block')
  await Promise.all([ended, client.closed])
  t.match(service.output(), /front 1 has shown no sign of life for 5 s/)
})
