// What is sampled of fleets: from totals, once a minute, and longer steps of what is stored, over an end of the process.

import { test } from 'tap'
import { sampleFleets } from '../../src/process/fleet-sampler.js'
import { fleetMetricNames, fleetSamplesTable } from '../../src/records/fleet-sample.js'
import { createTestApi, run } from '../api/fixture.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

async function fixture() {
  const service = await createTestApi()
  await service.register('CP-1')
  const { organizationId } = service.operator
  let failing = false
  const sampleAt = (now: number): Promise<void> =>
    sampleFleets({
      view: service.store.view,
      commit: async (changes) =>
        failing
          ? { ok: false, reason: 'storage_unavailable', message: 'full' }
          : service.store.commit({ partition: -1, epoch: 0, sequence: 0, changes }),
      live: new Set([run]),
      now: () => now,
    })
  const rowsOf = (step: number) =>
    service.store
      .view()
      .list(fleetSamplesTable, [organizationId, step])
      .map(({ starts_at, values }) => ({
        at: starts_at,
        ...Object.fromEntries(fleetMetricNames.map((name, place) => [name, values[place]])),
      }))
  return {
    service,
    sampleAt,
    rowsOf,
    fail: (fails: boolean) => {
      failing = fails
    },
  }
}

test('fleet sampler - a minute has what was so at its end, and a repeated look changes nothing', async (t) => {
  const { service, sampleAt, rowsOf } = await fixture()
  const connection = service.connect('CP-1')
  service.tellFrom(connection, 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' })
  await service.settled()
  const now = Date.now()
  const minute = Math.floor(now / minuteMs) * minuteMs
  await sampleAt(minute + minuteMs + 5_000)
  t.match(rowsOf(60), [{ at: minute, online: 1, charging: 0, faulted: 0, sessions: 0, power_watts: 0 }])
  await sampleAt(minute + minuteMs + 30_000)
  t.equal(rowsOf(60).length, 1)
  t.same(rowsOf(900), [])
})

test('fleet sampler - longer steps are made of the stored minutes once they are over, also after a pause', async (t) => {
  const { sampleAt, rowsOf, fail } = await fixture()
  const day = Math.floor(Date.now() / 86_400_000) * 86_400_000
  const from = day - 24 * hourMs + 22 * hourMs
  // Two hours to midnight, of which half an hour is missing.
  for (let minute = 0; minute < 121; minute++) {
    fail(minute >= 40 && minute < 70)
    await sampleAt(from + (minute + 1) * minuteMs + 5_000)
  }
  t.equal(rowsOf(60).length, 91)
  const quarters = rowsOf(900)
  t.same(
    quarters.map(({ at }) => (at - from) / minuteMs),
    [0, 15, 30, 60, 75, 90, 105],
    'a quarter of which nothing is known has no row',
  )
  t.same(rowsOf(86_400), [], 'the last quarter of the day has only just been stored')
  await sampleAt(from + 122 * minuteMs + 5_000)
  t.equal(rowsOf(900).length, 7)
  t.match(rowsOf(86_400), [{ at: day - 24 * hourMs, online: 0 }])
})

test('fleet sampler - after a clock was ahead once, longer steps go on as soon as it is right again', async (t) => {
  const { sampleAt, rowsOf } = await fixture()
  const from = Date.UTC(2026, 10, 1)
  const year = 365 * 24 * hourMs
  for (let minute = 0; minute < 25 * 60; minute++) {
    const isAhead = minute >= 60 && minute < 80
    await sampleAt(from + minute * minuteMs + 5_000 + (isAhead ? year : 0))
  }
  const quarters = rowsOf(900).filter(({ at }) => at < from + year)
  t.ok(quarters.length >= 24 * 4 - 2, `there are ${quarters.length} quarters of the day`)
  t.ok(
    rowsOf(86_400).some(({ at }) => at === from),
    'the day is there too',
  )
})

test('fleet sampler - an organization without charge points has no samples', async (t) => {
  const { service, sampleAt } = await fixture()
  const other = await service.addOrganization()
  await sampleAt(Date.now())
  t.same(service.store.view().list(fleetSamplesTable, [other.organizationId]), [])
})

test('fleet series - columns of what was sampled, with gaps, within bounds, and of nobody else', async (t) => {
  const { service, sampleAt } = await fixture()
  service.connect('CP-1')
  await service.settled()
  const minute = Math.floor(Date.now() / minuteMs) * minuteMs
  await sampleAt(minute + minuteMs + 5_000)
  await sampleAt(minute + 3 * minuteMs + 5_000)
  const iso = (at: number): string => encodeURIComponent(new Date(at).toISOString())
  const query = `from=${iso(minute)}&to=${iso(minute + 4 * minuteMs)}&step=60`
  const { body, status } = await service.call('GET', `/api/v1/cpo/fleet/series?${query}&metrics=online,energy_wh`)
  t.equal(status, 200)
  t.match(body, { step_seconds: 60, points: 4 })
  t.same(body.metrics, { online: [1, null, 1, null], energy_wh: [0, null, 0, null] })
  t.same(
    Object.keys((await service.call('GET', `/api/v1/cpo/fleet/series?${query}`)).body.metrics),
    fleetMetricNames,
    'all without a choice',
  )
  const other = await service.addOrganization()
  const theirs = await service.call('GET', `/api/v1/cpo/fleet/series?${query}`, undefined, { key: other.key })
  t.same(new Set(Object.values(theirs.body.metrics).flat()), new Set([null]))
  const wrong = { status: 400, body: { error: { code: 'validation_error' } } }
  const of = (from: number, to: number, step: number | string): string =>
    `/api/v1/cpo/fleet/series?from=${iso(from)}&to=${iso(to)}&step=${step}`
  t.match(await service.call('GET', of(minute, minute, 60)), wrong)
  t.match(await service.call('GET', of(minute, minute + 2_001 * minuteMs, 60)), wrong)
  t.match(await service.call('GET', of(minute, minute + 2_000 * minuteMs, 60)), { status: 200 })
  t.match(await service.call('GET', of(minute, minute + minuteMs, 61)), wrong)
})
