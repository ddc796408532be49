// POST .../simulate with a past period: what it answers, what it refuses, and that it changes nothing.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { tables } from '../../src/records/index.js'
import { type PowerRollUp, powerRollUpsTable, rollUps } from '../../src/records/power-roll-up.js'
import { createTestApi } from './fixture.js'

const day = Date.parse('2026-03-01T00:00:00Z')
const nothing = [0, 0, 0, 0, 0]

test('simulated past - each charge point has its limit, and what it would not have been served, against what was', async (t) => {
  const service = await createTestApi()
  const place = { name: 'Quay', address: 'Quay 1', max_grid_power_kw: 50, latitude: 52, longitude: 4 }
  const { site_id } = (await service.call('POST', '/api/v1/sites', place)).body
  const organization_id = service.operator.organizationId
  for (const id of ['CP-1', 'CP-2', 'CP-3']) {
    await service.register(id, { connector_count: 1, max_power_kw: 22.08 })
    await service.call('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`)
  }
  const rollUp = rollUps[3]
  const rowOf = (subject_id: string, site: string, hours: readonly (readonly number[])[]): PowerRollUp => ({
    organization_id,
    subject_id,
    site_id: site,
    minutes: 60,
    starts_at: day,
    kept_until: day + rollUp.keptMs,
    values: Array.from({ length: 24 }, (_, hour) => hours[hour] ?? nothing).flat(),
  })
  const hour = 3_600_000
  await service.services.commit(
    [
      rowOf(site_id, site_id, [nothing, [hour, 40_000, 16_560, 12_500, 2], [hour, 40_000, 40_000, 39_000, 2]]),
      rowOf('CP-1', site_id, [nothing, [hour, 0, 11_040, 11_000, 1], [hour, 0, 20_000, 19_500, 1]]),
      // All that its connector gives on one phase.
      rowOf('CP-3', site_id, [nothing, nothing, nothing, [hour, 0, 7_360, 7_300, 1]]),
      rowOf('CP-2', site_id, [nothing, [hour / 2, 0, 11_040, 3_000, 1], [hour, 0, 20_000, 19_500, 1]]),
      // Of another site, in which it was before.
      rowOf('CP-2', 'site_before', [[hour, 0, 9_000, 9_000, 1]]),
    ].map((row) => putRow(powerRollUpsTable, row)),
  )
  const path = `/api/v1/smart-charging/sites/${site_id}/simulate`
  const past = { start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z', bucket: '1hour' }
  const configuration = { max_power_kw: 20, strategy: 'equal' }

  t.match(await service.call('POST', path, { past }), { status: 409, body: { error: { code: 'site_not_managed' } } })
  const before = JSON.stringify(tables.map((table) => service.store.view().list(table as never, [])))
  const { status, body } = await service.call('POST', path, { configuration, past })
  t.equal(status, 200)
  const after = JSON.stringify(tables.map((table) => service.store.view().list(table as never, [])))
  t.equal(after, before, 'nothing is changed')
  t.match(body, { site_id, strategy: 'equal', start: '2026-03-01T00:00:00.000Z', bucket: '1hour' })
  t.same(
    body.points.map(({ timestamp }: { timestamp: string }) => timestamp),
    ['2026-03-01T01:00:00.000Z', '2026-03-01T02:00:00.000Z', '2026-03-01T03:00:00.000Z'],
  )
  const [first, second] = body.points
  // Half of the budget is set aside for the standing minimums, of which the one without a car has 4.14 kW.
  // The second car was there for half of the hour.
  t.match(first, { budget_kw: 20, was_budget_kw: 40, drawn_kw: 12.5, was_allocated_kw: 16.56 })
  const [one, two] = first.chargers
  t.match(one, { charge_point_id: 'CP-1', drawn_kw: 11, was_allocated_kw: 11.04, reason: 'share' })
  t.match(two, { charge_point_id: 'CP-2', drawn_kw: 3, not_served_kwh: 0, reason: 'demand' })
  for (const point of [first, second])
    for (const { allocated_kw, drawn_kw, not_served_kwh } of point.chargers)
      t.ok(Math.abs(not_served_kwh - Math.max(0, drawn_kw - allocated_kw)) < 0.002, `${not_served_kwh} kWh`)
  t.equal(second.chargers[0].allocated_kw, second.chargers[1].allocated_kw)
  t.match(
    body.chargers.map(
      ({ charge_point_id, drawn_kwh, was_limited_minutes, limited_minutes }: Record<string, unknown>) => [
        charge_point_id,
        drawn_kwh,
        was_limited_minutes,
        limited_minutes,
      ],
    ),
    [
      ['CP-1', 30.5, 120, 120],
      ['CP-2', 21, 60, 60],
      ['CP-3', 7.3, 0, 0],
    ],
  )
  t.equal(body.drawn_kwh, 58.8)
  t.ok(Math.abs(body.not_served_kwh - first.not_served_kwh - second.not_served_kwh) < 0.003)

  await service.call('PUT', `/api/v1/smart-charging/sites/${site_id}/config`, { max_power_kw: 50, strategy: 'equal' })
  const held = await service.call('POST', path, { past })
  t.match(held, { status: 200, body: { not_served_kwh: 0 } }, 'without a configuration, by that of the site')

  const refused = async (fields: object, at: string, message: RegExp) => {
    const answer = await service.call('POST', path, fields)
    t.equal(answer.status, 400)
    t.match(answer.body.error, { code: 'validation_error', details: [{ path: at, message }] })
  }
  await refused({ past, at: '2026-03-01T00:00:00Z' }, '/at', /together with past/)
  await refused({ past: { ...past, end: past.start } }, '/past/end', /after start/)
  await refused({ past: { ...past, bucket: '1min', end: '2026-04-01T00:00:00Z' } }, '/past/end', /44640 buckets/)
  for (const id of ['A', 'B', 'C', 'D', 'E', 'F']) {
    await service.register(id)
    await service.call('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`)
  }
  const long = { start: '2026-01-01T00:00:00Z', end: '2026-04-05T00:00:00Z', bucket: '1hour' }
  await refused({ past: long }, '/past/end', /2256 buckets.*9 charge points of the site, 2222/)
  await refused({ past: { start: past.start } }, '/past/end', /required|missing|must/)
})
