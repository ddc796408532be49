// The history of power of sites and charge points, as the API shows it.

import fc from 'fast-check'
import { test } from 'tap'
import { historyText } from '../../src/api/areas/smart-charging/history-text.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { bucketsBetween, type PowerRollUp, powerRollUpsTable, rollUps } from '../../src/records/power-roll-up.js'
import { createTestApi } from './fixture.js'

const day = Date.parse('2026-03-01T00:00:00Z')
const dayMs = 86_400_000

test('power history - points of a period, and a bound of them', async (t) => {
  const service = await createTestApi()
  const place = { name: 'Quay', address: 'Quay 1', max_grid_power_kw: 50, latitude: 52, longitude: 4 }
  const { site_id } = (await service.call('POST', '/api/v1/sites', place)).body
  const organization_id = service.operator.organizationId
  const rollUp = rollUps[2]
  const rows = [0, 1].map((index): PowerRollUp => {
    const starts_at = day + index * dayMs
    const values = Array.from({ length: 96 }, (_, slot) =>
      slot === 3 ? [0, 0, 0, 0, 0] : [900_000, 40_000, 30_500, 20_250, 2],
    )
    return {
      organization_id,
      subject_id: site_id,
      site_id,
      minutes: 15,
      starts_at,
      kept_until: starts_at + rollUp.keptMs,
      values: values.flat(),
    }
  })
  await service.services.commit(rows.map((row) => putRow(powerRollUpsTable, row)))
  const path = `/api/v1/smart-charging/sites/${site_id}/allocation/history`
  const read = (query: string) => service.call('GET', `${path}?${query}`)

  const hour = await read('start=2026-03-01T00:20:00Z&end=2026-03-01T01:15:00Z')
  t.equal(hour.status, 200)
  const numbers = { budget_kw: 40, allocated_kw: 30.5, drawn_kw: 20.25, active_chargers: 2 }
  t.strictSame(
    hour.body.points.map(({ timestamp }: { timestamp: string }) => timestamp),
    ['2026-03-01T00:15:00.000Z', '2026-03-01T00:30:00.000Z', '2026-03-01T01:00:00.000Z'],
    'a gap has no point',
  )
  t.match(hour.body, { site_id, bucket: '15min', points: [numbers, numbers, numbers] })
  t.equal((await read('start=2026-01-01T00:00:00Z&end=2026-12-31T00:00:00Z')).body.points.length, 190)
  t.same((await read('start=2026-03-01T00:00:00Z&end=2026-03-02T00:00:00Z&bucket=1hour')).body.points, [])

  const long = await read('start=2026-01-01T00:00:00Z&end=2026-12-31T00:00:00Z&bucket=1min')
  t.match([long.status, long.body.error.details], [400, [{ path: 'end', message: /524160 buckets/ }]])
  t.match((await read('start=2026-01-02T00:00:00Z&end=2026-01-01T00:00:00Z')).body.error.details, [{ path: 'end' }])
  t.equal((await read('start=2026-01-02T00:00:00Z')).status, 400)
})

test('power history - of a charge point that was moved, what it had in both sites; of the fleet, and of nobody else', async (t) => {
  const service = await createTestApi()
  const { organizationId: organization_id } = service.operator
  await service.register('CP-1')
  const rollUp = rollUps[3]
  const rowOf = (subject_id: string, site_id: string, first: readonly number[], second: readonly number[]) =>
    putRow(powerRollUpsTable, {
      organization_id,
      subject_id,
      site_id,
      minutes: 60,
      starts_at: day,
      kept_until: day + rollUp.keptMs,
      values: [first, second, ...Array.from({ length: 22 }, () => [0, 0, 0, 0, 0])].flat(),
    } satisfies PowerRollUp)
  const nothing = [0, 0, 0, 0, 0]
  await service.services.commit([
    rowOf('CP-1', 'site_a', [600_000, 0, 10_000, 8_000, 1], nothing),
    rowOf('CP-1', 'site_b', [1_800_000, 0, 2_000, 2_000, 1], [3_600_000, 0, 4_000, 3_000, 2]),
    rowOf(organization_id, '', nothing, [60_000, 90_000, 50_000, 40_000, 12]),
  ])
  const period = 'start=2026-03-01T00:00:00Z&end=2026-03-02T00:00:00Z&bucket=1hour'
  const moved = await service.call('GET', `/api/v1/chargepoints/CP-1/power?${period}`)
  t.strictSame(moved.body.points, [
    { timestamp: '2026-03-01T00:00:00.000Z', allocated_kw: 4, drawn_kw: 3.5, active_chargers: 1 },
    { timestamp: '2026-03-01T01:00:00.000Z', allocated_kw: 4, drawn_kw: 3, active_chargers: 2 },
  ])
  const fleet = `/api/v1/cpo/fleet/power?${period}`
  const point = {
    timestamp: '2026-03-01T01:00:00.000Z',
    budget_kw: 90,
    allocated_kw: 50,
    drawn_kw: 40,
    active_chargers: 12,
  }
  t.strictSame((await service.call('GET', fleet)).body, { bucket: '1hour', points: [point] })
  const other = await service.addOrganization()
  t.strictSame((await service.call('GET', fleet, undefined, { key: other.key })).body, { bucket: '1hour', points: [] })
  t.match(
    (await service.call('GET', '/api/v1/cpo/fleet/power?start=2026-03-02T00:00:00Z&end=2026-03-01T00:00:00Z')).body,
    {
      error: { details: [{ path: 'end' }] },
    },
  )
})

const watts = fc.oneof(
  fc.integer({ min: 0, max: 50_000 }),
  fc.double({ min: -1_000, max: 2_000_000, noNaN: true }),
  fc.constantFrom(0, 0.4, 1e12, Number.MAX_SAFE_INTEGER, 1e21),
)
const buckets = fc.array(
  fc.tuple(fc.constantFrom(0, 1, 900_000), watts, watts, watts, fc.integer({ min: 0, max: 20_000 })),
  { minLength: 24, maxLength: 24 },
)

test('power history - the text of any history is that of its points', async () => {
  const hours = fc.array(fc.tuple(buckets, fc.constantFrom('site_a', 'site_b')), { maxLength: 4 })
  const offsets = fc.integer({ min: 0, max: 48 })
  fc.assert(
    fc.property(hours, offsets, offsets, fc.boolean(), fc.string(), (filled, from, length, hasBudget, id) => {
      const rows = filled.map(([values, site_id], index): PowerRollUp => {
        const starts_at = day + Math.floor(index / 2) * dayMs
        const about = { organization_id: 'org', subject_id: 'CP', site_id, minutes: 60, kept_until: 0 }
        return { ...about, starts_at, values: values.flat() }
      })
      const start = day + from * 3_600_000
      const period = { bucket: '1hour', minutes: 60, start, end: start + length * 3_600_000, buckets: length } as const
      const kw = (value: number): number => Math.round(value) / 1000
      const points = bucketsBetween(rows, start, period.end).map((bucket) => ({
        timestamp: new Date(bucket.at).toISOString(),
        ...(hasBudget && { budget_kw: kw(bucket.budgetWatts) }),
        allocated_kw: kw(bucket.allocatedWatts),
        drawn_kw: kw(bucket.drawnWatts),
        active_chargers: bucket.active,
      }))
      const text = Buffer.from(historyText({ about: { id }, period, rows, hasBudget })).toString()
      const expected = JSON.stringify({ id, bucket: '1hour', points })
      if (text !== expected) throw new Error(`${text}\nis not\n${expected}`)
    }),
  )
})
