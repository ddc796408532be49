// Shards that end: the charge points behind them keep their sockets, and what they sent is answered.

import { type Test, test } from 'tap'
import { historyOf } from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

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
  const { status, body } = await answer
  t.match({ status, body }, { status: 503, body: { error: { code: 'overloaded', charge_point_id: 'CP-1' } } })
  const { command_id } = body.error
  t.match(await historyOf(service, 'CP-1'), [{ command_id, status: 'Error', error: 'interrupted' }])
})

test('shards - a bulk command whose shard ends is recorded for every target, once', async (t) => {
  const service = await startService(t, { flags: ['--shards', '1'] })
  const clients = await connectMany(service)
  const charge_point_ids = clients.map((_, index) => `CP-${index}`)
  const body = { command: 'soft_reset', charge_point_ids, timeout_seconds: 30, continue_on_failure: true }
  const answer = service.request('POST', '/api/v1/cpo/commands/bulk', body)
  await clients[0]?.answerNext({ status: 'Accepted' })
  await until(async () => (await historyOf(service, 'CP-0')).length === 1)
  await clients[1]?.nextFrame()
  service.fail(0, 'throw')
  t.equal((await answer).status, 503)
  t.match(await historyOf(service, 'CP-0'), [{ status: 'Accepted' }], 'what had ended stays as it ended')
  t.match(await historyOf(service, 'CP-1'), [{ status: 'Error', error: 'interrupted' }])
})

/** Resolves when the service has replaced so many shards. */
async function restarts(service: Service, wanted: number): Promise<void> {
  for (;;) {
    const { body } = await service.request('GET', '/metrics')
    if (Number(/^ampshard_shard_restarts_total (\d+)/m.exec(String(body))?.[1] ?? 0) >= wanted) return
  }
}
