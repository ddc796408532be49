// Shards that end: the charge points behind them keep their sockets, and what they sent is answered.

import { type Test, test } from 'tap'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Service, startService } from '../support/service.js'

const twoShards = ['--shards', '2', '--stuck-shard-seconds', '1', '--shard-memory-megabytes', '128']

/** Enough charge points that each of two shards has some. */
async function connectMany(service: Service): Promise<OcppClient[]> {
  return Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      await service.register(`CP-${index}`)
      const client = await connectOcpp(`${service.ocppUrl}/CP-${index}`)
      await client.boot()
      return client
    }),
  )
}

async function allAnswer(t: Test, clients: readonly OcppClient[]): Promise<void> {
  const answers = await Promise.all(clients.map((client) => client.call('Heartbeat', {})))
  t.ok(
    answers.every(({ error }) => error === undefined),
    'every charge point is answered over the socket that it has',
  )
}

test('shards - two that end at one instant are both replaced', async (t) => {
  const service = await startService(t, { flags: twoShards })
  const clients = await connectMany(service)
  service.fail(0, 'throw')
  service.fail(1, 'throw')
  await restarts(service, 2)
  await allAnswer(t, clients)
})

test('shards - one is replaced while another does not answer', async (t) => {
  const service = await startService(t, { flags: twoShards })
  const clients = await connectMany(service)
  service.fail(1, 'spin')
  service.fail(0, 'throw')
  await restarts(service, 2)
  await allAnswer(t, clients)
})

test('shards - one that exhausts its memory ends alone', async (t) => {
  const service = await startService(t, { flags: twoShards })
  const clients = await connectMany(service)
  service.fail(0, 'exhaust-memory')
  await restarts(service, 1)
  await allAnswer(t, clients)
  t.equal(service.process.exitCode, null, 'the process lives')
})

test('shards - a command whose shard ends is answered as one to try again', async (t) => {
  const service = await startService(t, { flags: ['--shards', '1'] })
  await service.register('CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await client.boot()
  const answer = service.request('POST', '/api/v1/cpo/commands/CP-1', { command: 'soft_reset', timeout_seconds: 30 })
  await client.nextFrame()
  service.fail(0, 'throw')
  t.match(await answer, { status: 503, body: { error: { code: 'overloaded' } } })
})

/** Resolves when the service has replaced so many shards. */
async function restarts(service: Service, wanted: number): Promise<void> {
  for (;;) {
    const { body } = await service.request('GET', '/metrics')
    if (Number(/^ampshard_shard_restarts_total (\d+)/m.exec(String(body))?.[1] ?? 0) >= wanted) return
  }
}
