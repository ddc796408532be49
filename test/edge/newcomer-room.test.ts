// How many charge points may register themselves.

import { test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

const accept = ['--unknown-charge-points', 'accept']

test('newcomers - so many register themselves within an hour; the others are told so and who is registered is not asked', async (t) => {
  const service = await startService(t, { flags: [...accept, '--self-registrations-per-hour', '3'] })
  await service.register('KNOWN')
  for (const id of ['NEW-1', 'NEW-2', 'NEW-3']) await (await connectOcpp(`${service.ocppUrl}/${id}`)).boot()
  for (const id of ['NEW-4', 'NEW-5']) await t.rejects(connectOcpp(`${service.ocppUrl}/${id}`), /HTTP 503/)
  for (const id of ['KNOWN', 'NEW-1']) t.match(await (await connectOcpp(`${service.ocppUrl}/${id}`)).boot(), {})
  t.equal((await service.request('GET', '/api/v1/chargepoints')).body.total, 4)
  const { body } = await service.request('GET', '/metrics')
  t.match(body, /connections_refused_total\{[^}]*reason="too_many_self_registrations"[^}]*\} 2$/m)
  const attempts = await until(async () => {
    const list = await service.request('GET', '/api/v1/cpo/connection-attempts')
    return list.body.total === 2 && list.body.data
  })
  t.match(attempts[0], { reason: 'too_many_self_registrations', advice: /--self-registrations-per-hour/ })
  t.equal(service.output().split('would register themselves are refused').length, 2, 'one line for both')
  t.equal(service.complaints(), '')
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
