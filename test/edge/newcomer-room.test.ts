// How many charge points may register themselves.

import { pino } from 'pino'
import { test } from 'tap'
import { createNewcomerRoom } from '../../src/edge/newcomer-room.js'
import { tables } from '../../src/records/index.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { createFakeClock } from '../support/fake-clock.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

const accept = ['--unknown-charge-points', 'accept']

test('newcomers - so many register themselves within an hour; the others are told so and who is registered is not asked', async (t) => {
  const service = await startService(t, {
    flags: [...accept, '--self-registrations-per-hour', '12', '--trusted-proxies', '127.0.0.1'],
  })
  const connectFrom = (address: string, id: string) =>
    connectOcpp(`${service.ocppUrl}/${id}`, { headers: { 'x-forwarded-for': address } })
  await service.register('KNOWN')
  for (let at = 0; at < 10; at++) await (await connectFrom('192.0.2.1', `NEW-${at}`)).boot()
  for (const id of ['NEW-X', 'NEW-Y']) await t.rejects(connectFrom('192.0.2.1', id), /HTTP 503/)
  for (const id of ['KNOWN', 'NEW-1']) t.match(await (await connectFrom('192.0.2.1', id)).boot(), {})
  for (const id of ['NEW-10', 'NEW-11']) await (await connectFrom('192.0.2.2', id)).boot()
  for (const id of ['NEW-X', 'NEW-Y']) await t.rejects(connectFrom('192.0.2.2', id), /HTTP 503/)
  t.equal((await service.request('GET', '/api/v1/chargepoints')).body.total, 13)
  const { body } = await service.request('GET', '/metrics')
  for (const reason of ['too_many_self_registrations', 'too_many_self_registrations_of_address'])
    t.match(body, new RegExp(`connections_refused_total\\{[^}]*reason="${reason}"[^}]*\\} 2$`, 'm'))
  const attempts = await until(async () => {
    const list = await service.request('GET', '/api/v1/cpo/connection-attempts')
    return list.body.total === 4 && list.body.data
  })
  const reasons = attempts.map((attempt: { reason: string; remote_address: string; advice: string }) => {
    t.match(attempt.advice, /--self-registrations-per-hour/)
    return `${attempt.reason} ${attempt.remote_address}`
  })
  t.same(reasons.sort(), [
    ...['too_many_self_registrations 192.0.2.2', 'too_many_self_registrations 192.0.2.2'],
    ...['too_many_self_registrations_of_address 192.0.2.1', 'too_many_self_registrations_of_address 192.0.2.1'],
  ])
  t.equal(service.output().split('would register themselves are refused').length, 3, 'a line for each reason')
  t.equal(service.complaints(), '')
})

test('newcomers - one address, or one IPv6 network of 48 bits, has a quarter of the registrations of an hour', (t) => {
  const clock = createFakeClock()
  const room = createNewcomerRoom({
    view: openMemoryStore(tables).view,
    clock,
    log: pino({ level: 'silent' }),
    settings: { self_registrations_per_hour: 1_000, self_registered_charge_points: 10_000, fronts: 1 },
  })
  const take = (address: string) => room.take('org_1', address, 0)?.reason
  const taken = (addressOf: (at: number) => string) => {
    let count = 0
    while (count < 2_000 && take(addressOf(count)) === undefined) count++
    return count
  }
  t.equal(
    taken(() => '192.0.2.1'),
    250,
  )
  t.equal(take('192.0.2.1'), 'too_many_self_registrations_of_address')
  t.equal(
    taken((at) => `2001:db8:7:${at.toString(16)}::1`),
    250,
  )
  clock.advance(3_600_000)
  t.equal(
    taken((at) => `192.0.2.${at}`),
    1_000,
    'together they have all of them',
  )
  for (let at = 0; at < 300; at++) take('192.0.2.1')
  t.equal(take('192.0.2.1'), 'too_many_self_registrations', 'what is refused takes nothing of its share')
  t.end()
})

test('newcomers - so many have registered themselves in all; one that somebody has looked after does not count', async (t) => {
  const service = await startService(t, { flags: [...accept, '--self-registered-charge-points', '2'] })
  const ids = Array.from({ length: 10 }, (_, at) => `NEW-${at}`)
  let refused = 0
  async function comes(id: string): Promise<boolean> {
    try {
      await connectOcpp(`${service.ocppUrl}/${id}`)
      return true
    } catch {
      refused++
      return false
    }
  }
  const entered = (await Promise.all(ids.map(comes))).filter(Boolean).length
  t.ok(entered <= 2)
  // One that is stored and still under way counts twice for a moment.
  if (entered < 2) await until(() => comes('NEW-LATE'))
  const body = await until(async () => {
    const { body } = await service.request('GET', '/api/v1/chargepoints')
    return body.total >= 2 && body
  })
  t.equal(body.total, 2)
  await t.rejects(connectOcpp(`${service.ocppUrl}/NEW-X`), /HTTP 404/)
  const path = `/api/v1/chargepoints/${body.data[0].charge_point_id}`
  t.equal((await service.request('PATCH', path, { connector_count: 2 })).status, 200)
  t.match(await (await connectOcpp(`${service.ocppUrl}/NEW-X`)).boot(), { payload: { status: 'Accepted' } })
  const { body: metrics } = await service.request('GET', '/metrics')
  t.match(metrics, new RegExp(`reason="too_many_self_registered"[^}]*\\} ${refused + 1}$`, 'm'))
})
