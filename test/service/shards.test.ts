// Shards that end: the charge points behind them keep their sockets, and what they sent is answered.

import { type Test, t, test } from 'tap'
import { historyOf } from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const one = await startService(t, { flags: ['--shards', '1'] })
const two = await startService(t, {
  flags: ['--shards', '2', '--stuck-shard-seconds', '1', '--shard-memory-megabytes', '128'],
})

/** Enough charge points that each of two shards has some. */
async function connectMany(service: Service, prefix: string): Promise<OcppClient[]> {
  return Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      await service.register(`${prefix}-${index}`)
      const client = await connectOcpp(`${service.ocppUrl}/${prefix}-${index}`)
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
  const service = two
  const clients = await connectMany(service, 'BOTH')
  await replaces(service, 2, () => {
    service.fail(0, 'throw')
    service.fail(1, 'throw')
  })
  await allAnswer(t, clients)
})

test('shards - one is replaced while another does not answer', async (t) => {
  const service = two
  const clients = await connectMany(service, 'STUCK')
  await replaces(service, 2, () => {
    service.fail(1, 'spin')
    service.fail(0, 'throw')
  })
  await allAnswer(t, clients)
})

test('shards - one that exhausts its memory ends alone', async (t) => {
  const service = two
  const clients = await connectMany(service, 'MEMORY')
  await replaces(service, 1, () => service.fail(0, 'exhaust-memory'))
  await allAnswer(t, clients)
  t.equal(service.process.exitCode, null, 'the process lives')
})

test('shards - a command whose shard ends is answered as one to try again', async (t) => {
  const service = one
  await service.register('ONE')
  const client = await connectOcpp(`${service.ocppUrl}/ONE`)
  await client.boot()
  const answer = service.request('POST', '/api/v1/cpo/commands/ONE', { command: 'soft_reset', timeout_seconds: 30 })
  await client.nextFrame()
  service.fail(0, 'throw')
  const { status, body } = await answer
  t.match({ status, body }, { status: 503, body: { error: { code: 'overloaded', charge_point_id: 'ONE' } } })
  const { command_id } = body.error
  t.match(await historyOf(service, 'ONE'), [{ command_id, status: 'Error', error: 'interrupted' }])
})

test('shards - a bulk command whose shard ends is recorded for every target, once', async (t) => {
  const service = one
  const clients = await connectMany(service, 'BULK')
  const charge_point_ids = clients.map((_, index) => `BULK-${index}`)
  const body = { command: 'soft_reset', charge_point_ids, timeout_seconds: 30, continue_on_failure: true }
  const answer = service.request('POST', '/api/v1/cpo/commands/bulk', body)
  await clients[0]?.answerNext({ status: 'Accepted' })
  await until(async () => (await historyOf(service, 'BULK-0')).length === 1)
  await clients[1]?.nextFrame()
  service.fail(0, 'throw')
  t.equal((await answer).status, 503)
  t.match(await historyOf(service, 'BULK-0'), [{ status: 'Accepted' }], 'what had ended stays as it ended')
  t.match(await historyOf(service, 'BULK-1'), [{ status: 'Error', error: 'interrupted' }])
})

async function restarts(service: Service): Promise<number> {
  const { body } = await service.request('GET', '/metrics')
  return Number(/^ampshard_shard_restarts_total (\d+)/m.exec(String(body))?.[1] ?? 0)
}

/** Resolves when the service has replaced so many more shards than before they failed. */
async function replaces(service: Service, count: number, fail: () => void): Promise<void> {
  const before = await restarts(service)
  fail()
  await until(async () => (await restarts(service)) >= before + count)
}
