// How the installation fares, as the built service tells it: second by second, to the organization that operates it alone.

import { get, type IncomingMessage } from 'node:http'
import { t, test } from 'tap'
import { bootChargePoint } from '../support/charge-point.js'
import { refusedFor } from '../support/ocpp-client.js'
import { makeOrganization } from '../support/organization.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const service = await startService(t, { flags: ['--shards', '2'] })

const path = '/api/v1/installation/series'
const seriesOf = async (query = '') => (await service.request('GET', `${path}${query}`)).body
const known = (values: readonly (number | null)[] = []): readonly number[] => values.filter((value) => value !== null)
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

async function metric(name: string): Promise<number> {
  const { body } = await service.request('GET', '/metrics')
  return sum(
    [...String(body).matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map((found) => Number(found[1])),
  )
}

test('installation - what charge points send shows in its second, with how long it took, and agrees with the metrics', async (t) => {
  // The first look comes a while after the start, and a rate is over all of that.
  await until(async () => known((await seriesOf()).figures.connections).length > 0)
  const client = await bootChargePoint(service, 'SERIES-1')
  for (let beat = 0; beat < 20; beat++) await client.call('Heartbeat', {})
  await refusedFor(`${service.ocppUrl}/NOBODY`)
  await until(async () => {
    const { actions, refusals } = await seriesOf()
    return sum(known(actions.Heartbeat)) > 16 && sum(known(refusals.unknown_charge_point)) > 0.5
  })
  const series = await seriesOf()
  t.equal(series.step_seconds, 1)
  t.equal(series.points, 600)
  for (const column of [...Object.values(series.figures), ...Object.values(series.actions)])
    t.equal((column as unknown[]).length, 600)
  // A second is a little longer or shorter than a second.
  t.ok(Math.abs(sum(known(series.actions.Heartbeat)) - 20) < 4, `${sum(known(series.actions.Heartbeat))} heartbeats`)
  t.equal(series.figures.connections.at(-1), 1)
  t.equal(await metric('ampshard_connections'), 1)
  t.match(series.threads, { 'front/0': {}, 'shard/0': {}, 'shard/1': {}, store: {} })
  for (const thread of Object.values(series.threads) as Record<string, (number | null)[]>[]) {
    t.ok((thread.heap_used_bytes?.at(-1) ?? 0) > 1_000_000)
    t.ok((thread.loop_delay_milliseconds?.at(-1) ?? -1) >= 0)
    for (const share of known(thread.busy_share)) t.ok(share >= 0 && share <= 1, `${share}`)
  }
  t.equal(series.figures.store_writable.at(-1), 1)
  t.ok(series.figures.disk_free_bytes.at(-1) > 0)
  t.ok(series.figures.resident_bytes.at(-1) > 50_000_000)
  const { bounds_milliseconds: bounds, counts } = series.latency
  t.equal(bounds.length, 39)
  t.equal(counts.length, 600)
  t.equal(counts[0].length, 40)
  const handled = sum(counts.flat())
  t.ok(handled >= 20 && handled <= (await metric('ampshard_handling_seconds_count')), `${handled} frames`)
  client.close()
})

test('installation - steps are as long as it takes to fit', async (t) => {
  const day = await seriesOf('?seconds=86400&points=100')
  t.equal(day.step_seconds % 10, 0)
  t.ok(day.points <= 101 && day.points * day.step_seconds >= 86_400, `${day.points} of ${day.step_seconds} s`)
  t.match(await seriesOf('?seconds=1&points=1'), { points: 1, step_seconds: 1 })
  for (const query of ['?seconds=0', '?seconds=86401', '?points=721', '?points=x'])
    t.match(await service.request('GET', path + query), { status: 400, body: { error: { code: 'validation_error' } } })
})

interface Reader {
  readonly response: IncomingMessage
  readonly seconds: readonly {
    readonly points: number
    readonly figures: Readonly<Record<string, (number | null)[]>>
  }[]
  readonly ended: Promise<void>
}

function readSeconds(of: Service, key = of.key): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    get(`${of.url}/api/v1/installation/stream`, { headers, agent: false }, (response) => {
      const seconds: Reader['seconds'][number][] = []
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
          const block = text.slice(0, end)
          text = text.slice(end + 2)
          const [, data] = /^event: second\ndata: (.*)$/.exec(block) ?? []
          if (data !== undefined) seconds.push(JSON.parse(data))
        }
      })
      resolve({ response, seconds, ended: new Promise((settle) => response.on('close', settle)) })
    }).on('error', reject)
  })
}

test('installation - the stream tells each second, and ends with its key', async (t) => {
  const { body } = await service.request('POST', '/api/v1/org/api-keys', { name: 'Eyes', scopes: ['read:analytics'] })
  const reader = await readSeconds(service, body.key)
  t.match(reader.response.headers['content-type'], 'text/event-stream')
  await until(() => reader.seconds.length >= 3)
  for (const { points, figures } of reader.seconds) {
    t.equal(points, 1)
    t.equal(figures.connections?.length, 1)
  }
  t.equal((await service.request('DELETE', `/api/v1/org/api-keys/${body.id}`)).status, 204)
  await reader.ended
  t.match(await service.request('GET', path, undefined, { authorization: `Bearer ${body.key}` }), { status: 401 })
})

test('installation - a shard that is replaced shows, and the past stays', async (t) => {
  const before = sum(known((await seriesOf()).figures.shards_replaced))
  service.fail(1, 'throw')
  await until(async () => sum(known((await seriesOf()).figures.shards_replaced)) === before + 1)
  const { figures } = await seriesOf()
  t.ok(known(figures.connections).length >= 3)
})

test('installation - no other organization sees it, nor does a key without the scope', async (t) => {
  const other = await makeOrganization(service)
  const headers = { authorization: `Bearer ${other.key}` }
  for (const route of [path, '/api/v1/installation/stream'])
    t.match(await service.request('GET', route, undefined, headers), {
      status: 403,
      body: { error: { code: 'forbidden' } },
    })
  const { body } = await service.request('POST', '/api/v1/org/api-keys', { name: 'Few', scopes: ['read:sessions'] })
  t.match(await service.request('GET', path, undefined, { authorization: `Bearer ${body.key}` }), { status: 403 })
})
