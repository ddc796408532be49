// Repeats under an Idempotency-Key of requests that send something to a charge point: over fronts, shards that end, and kills.

import { test } from 'tap'
import { bootChargePoint, historyOf } from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { testOverKill } from '../support/over-a-kill.js'
import type { Answer, Service } from '../support/service.js'
import { sharedService, twoOfEach } from '../support/shared-services.js'
import { until } from '../support/until.js'

function keyed(service: Service, path: string, body: unknown, key: string): Promise<Answer> {
  return service.request('POST', `/api/v1${path}`, body, { 'idempotency-key': key })
}

const reset = (service: Service, id: string, key: string) =>
  keyed(service, `/cpo/commands/${id}`, { command: 'soft_reset', timeout_seconds: 60 }, key)

/** What the charge point has been sent, without answering it; a call that it makes itself comes back behind all of it. */
async function sentTo(client: OcppClient): Promise<unknown[][]> {
  await client.call('Heartbeat', {})
  const frames: unknown[][] = []
  for (;;) {
    const frame = await Promise.race([client.nextFrame(), client.call('Heartbeat', {}).then(() => undefined)])
    if (frame === undefined) return frames
    frames.push(frame)
  }
}

async function shared(id: string, flags: readonly string[] = []): Promise<{ service: Service; client: OcppClient }> {
  const service = await tenantOf(await sharedService(flags))
  return { service, client: await bootChargePoint(service, id) }
}

test('repeats - those that come over two fronts at the same time send one command, and get one answer', async (t) => {
  const { service, client } = await shared('REPEATS-4', twoOfEach)
  const bodies: [string, unknown][] = [
    ['/cpo/commands/REPEATS-4', { command: 'soft_reset' }],
    ['/ocpp16/trigger_message', { charge_point_id: 'REPEATS-4', requested_message: 'Heartbeat' }],
    ['/cpo/commands/bulk', { charge_point_ids: ['REPEATS-4'], command: 'soft_reset' }],
    [
      '/reservations',
      { charge_point_id: 'REPEATS-4', connector_id: 1, id_tag: 'TAG-1', expiry_date: '2099-01-01T00:00:00Z' },
    ],
  ]
  for (const [path, body] of bodies) {
    const all = Promise.all(Array.from({ length: 12 }, () => keyed(service, path, body, path)))
    const [, , action] = await client.answerNext({ status: 'Accepted' })
    const answers = await all
    t.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1, `${path}: one answer`)
    t.ok((answers[0] as Answer).status < 300, `${path}: ${action}`)
    t.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 11)
  }
  t.equal((await historyOf(service, 'REPEATS-4')).length, bodies.length)
})

test('repeats - a command that was interrupted by the end of its shard is not sent again', async (t) => {
  const { service, client } = await shared('REPEATS-1')
  const first = reset(service, 'REPEATS-1', 'one')
  const [, messageId] = await client.nextFrame()
  service.fail(0, 'throw')
  const interrupted = await first
  t.match(interrupted, { status: 503, body: { error: { code: 'overloaded', command_id: messageId } } })
  const again = await reset(service, 'REPEATS-1', 'one')
  t.same([again.status, again.body], [interrupted.status, interrupted.body])
  t.equal(again.headers.get('idempotent-replayed'), 'true')
  t.match(await historyOf(service, 'REPEATS-1'), [{ command_id: messageId, error: 'interrupted' }])
  // Whoever wants it once more asks anew.
  const anew = reset(service, 'REPEATS-1', 'two')
  t.match(await client.answerNext({ status: 'Accepted' }), [2, String, 'Reset'])
  t.equal((await anew).status, 200)
})

testOverKill(
  'repeats - a command that was sent before the service was killed is not sent again, and is found by its id',
  async (_, service) => {
    const client = await bootChargePoint(service, 'REPEATS-3')
    const pending = reset(service, 'REPEATS-3', 'one').catch(() => undefined)
    const bulk = { charge_point_ids: ['REPEATS-3'], command: 'set_available' }
    const lost = keyed(service, '/cpo/commands/bulk', bulk, 'two').catch(() => undefined)
    const [, messageId] = await client.nextFrame()

    return async (t, next) => {
      await Promise.all([pending, lost])
      const back = await connectOcpp(`${next.ocppUrl}/REPEATS-3`)
      await back.boot()
      const again = await Promise.all([reset(next, 'REPEATS-3', 'one'), reset(next, 'REPEATS-3', 'one')])
      for (const answer of again)
        t.match(answer, { status: 503, body: { error: { code: 'overloaded', command_id: messageId } } })
      t.match((await historyOf(next, 'REPEATS-3')).at(-1), {
        command_id: messageId,
        command: 'soft_reset',
        error: 'interrupted',
      })
      t.same(await sentTo(back), [], 'nothing is sent for a repeat')
    }
  },
)

test('repeats - a request that was refused before anything was sent may be tried again under its key', async (t) => {
  const { service, client } = await shared('REPEATS-2')
  void (async () => {
    for (;;) await client.answerNext({ status: 'Accepted' })
  })()
  let attempt = 0
  const refused = await until(async () => {
    const keys = Array.from({ length: 12 }, () => `many-${++attempt}`)
    const answers = await Promise.all(keys.map((key) => reset(service, 'REPEATS-2', key)))
    return keys[answers.findIndex(({ status }) => status === 429)]
  })
  const again = await until(async () => {
    const answer = await reset(service, 'REPEATS-2', refused)
    return answer.status === 200 && answer
  })
  t.equal(again.headers.get('idempotent-replayed'), null)
})
