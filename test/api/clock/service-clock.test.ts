// The clock of the service through the API: a jump ahead removes nothing until an operator confirms it.

import { test } from 'tap'
import { limits } from '../../../src/api/areas/installers/limits.js'
import { createUnclaimedSweep } from '../../../src/api/areas/installers/unclaimed-sweep.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { installerOf, type TestInstaller } from '../../support/installer.js'
import { createTestApi } from '../fixture.js'

const path = '/api/v1/installation/clock'
const yearMs = 400 * 24 * 3_600_000

test('service clock - a jump ahead removes no charge point before an operator confirms it, and the log has who did', async (t) => {
  const service = await createTestApi()
  const installer = await installerOf({
    request: (method, target, body, headers = {}) =>
      service.call(method, target, body, { headers }) as unknown as ReturnType<TestInstaller['request']>,
  })
  const box = { charge_point_id: 'BOX-1', model: 'M', vendor: 'V', serial_number: 'SN-1', project_id: 'P' }
  await installer.request('POST', '/api/v1/installer/charge-points', box)
  const left = () => service.store.view().list(chargePointsTable, []).length
  const sweep = createUnclaimedSweep(service.services)
  t.match((await service.call('GET', path)).body, { ahead_seconds: 0, is_confirmed: true })
  service.setClock(yearMs)
  await sweep.look()
  t.equal(left(), 1)
  const { body } = await service.call('GET', path)
  t.match(body, { ahead_seconds: yearMs / 1_000, is_confirmed: false })
  t.ok(Math.abs(Date.parse(body.time) - Date.parse(body.confirmed_time) - yearMs) < 1_000)
  const other = await service.addOrganization()
  t.equal((await service.call('POST', `${path}/confirm`, undefined, { key: other.key })).status, 403)
  t.match(await service.call('POST', `${path}/confirm`), { status: 200, body: { is_confirmed: true } })
  await sweep.look()
  t.ok(yearMs > limits.unclaimedAwayMs)
  t.equal(left(), 0)
  t.match((await service.call('GET', '/api/v1/org/audit-log')).body.data, [{}, { action: 'confirmServiceClock' }])
})

test('audit log - an entry has the time at which it was made, also after the clock was ahead', async (t) => {
  const service = await createTestApi()
  const made = async (tag: string): Promise<number> => {
    await service.call('POST', '/api/v1/id-tags', { id_tag: tag })
    const { data } = (await service.call('GET', '/api/v1/org/audit-log')).body
    const { occurred_at } = data.find(({ resources }: { resources: { id_tag: string } }) => resources.id_tag === tag)
    const found = await service.call('GET', `/api/v1/org/audit-log?from=${occurred_at}&to=${occurred_at}`)
    t.match(found.body, { total: 1, data: [{ resources: { id_tag: tag } }] })
    return Date.parse(occurred_at) - Date.now()
  }
  const near = (ms: number): boolean => Math.abs(ms) < 60_000
  t.ok(near(await made('BEFORE')))
  service.setClock(yearMs)
  t.ok(near((await made('AHEAD')) - yearMs))
  service.setClock(-yearMs)
  t.ok(near(await made('AFTER')))
})
