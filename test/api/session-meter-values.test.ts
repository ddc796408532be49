// What was metered during a session, as operators read it: in buckets, and as it was sent.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { type MeterValues, meterValuesTable } from '../../src/records/meter-values.js'
import { sessionsTable } from '../../src/records/session.js'
import { billedSession } from './billed-sessions.js'
import { createTestApi, type TestApi } from './fixture.js'

const minute = 60_000

interface Series {
  readonly quantity: string
  readonly phase: string | null
  readonly unit: string
  readonly min: (number | null)[]
  readonly avg: (number | null)[]
  readonly max: (number | null)[]
}

/** A session of an hour with a meter value each minute: the power rises by 100 W a minute. */
async function metered(api: TestApi, change: (row: MeterValues, at: number) => MeterValues = (row) => row) {
  const { organizationId } = api.operator
  const { session, changes } = billedSession({
    organizationId,
    endedAt: new Date(api.now()).toISOString(),
    energyWh: 6_000,
  })
  const startedAt = Date.parse(session.started_at)
  const rows = Array.from({ length: 60 }, (_, index): MeterValues => {
    const watts = 1_000 + 100 * index
    const row: MeterValues = {
      owner: session.session_id,
      at: startedAt + index * minute,
      context: 'Sample.Periodic',
      samples: [
        [100 * index],
        [watts / 1_000, 'Power.Active.Import', 'kW'],
        [10, 'Current.Import', 'A', 'L1'],
        [11, 'Current.Import', 'A', 'L2'],
        [230, 'Voltage', 'V', 'L1-N'],
        [40 + index / 2, 'SoC', 'Percent', null, null, 'EV'],
        [68, 'Temperature', 'Fahrenheit', null, null, 'Body'],
        [16, 'Current.Offered', 'A'],
        ['00AF', null, null, null, null, null, 'SignedData'],
      ],
      energy_wh: 100 * index,
      power_watts: watts,
    }
    return change(row, index)
  })
  await api.commit(...changes, putRow(sessionsTable, session), ...rows.map((row) => putRow(meterValuesTable, row)))
  const read = (query = '') => api.call('GET', `/api/v1/sessions/${session.session_id}/meter-values${query}`)
  return { session, startedAt, read }
}

const seriesOf = (body: { series: Series[] }, quantity: string, phase: string | null = null): Series => {
  const found = body.series.find((series) => series.quantity === quantity && series.phase === phase)
  if (found === undefined) throw new Error(`there is no series of ${quantity} ${phase}`)
  return found
}

test('meter values - buckets have the lowest, the mean and the highest value of each quantity and phase', async (t) => {
  const api = await createTestApi()
  const { read, startedAt } = await metered(api)
  const { status, body } = await read('?points=6')
  t.equal(status, 200)
  // An hour and a millisecond, in whole seconds.
  t.match(body, { bucket_seconds: 601, meter_values: 60, cut: false, data: [], next_cursor: null })
  t.equal(body.at.length, 6)
  t.equal(body.at[0], new Date(startedAt).toISOString())
  const power = seriesOf(body, 'power')
  t.match(power, { unit: 'W', location: 'Outlet' })
  t.same([power.min[0], power.avg[0], power.max[0]], [1_000, 1_500, 2_000])
  t.same(seriesOf(body, 'energy').max.slice(0, 2), [1_000, 2_000])
  t.equal(seriesOf(body, 'current', 'L1').avg[0], 10)
  t.equal(seriesOf(body, 'current', 'L2').avg[0], 11)
  t.equal(seriesOf(body, 'voltage', 'L1').avg[0], 230)
  t.match(seriesOf(body, 'soc'), { unit: '%', location: 'EV' })
  t.equal(seriesOf(body, 'soc').max.at(-1), 69.5)
  t.match(seriesOf(body, 'temperature'), { unit: 'Celsius', location: 'Body' })
  t.equal(seriesOf(body, 'temperature').avg[0], 20)
  t.match(seriesOf(body, 'limit'), { unit: 'A' })
  t.equal(body.series.length, 8)
})

test('meter values - no more points than asked for, at most 2,000, and a gap has none', async (t) => {
  const api = await createTestApi()
  const { read } = await metered(api, (row, index) => ({ ...row, at: row.at + (index < 30 ? 0 : 2 * 60 * minute) }))
  for (const points of [1, 7, 59, 2_000]) {
    const { body } = await read(`?points=${points}`)
    t.ok(body.at.length <= points, `${points}`)
    for (const { min, avg, max } of body.series as Series[])
      t.same([min.length, avg.length, max.length], [body.at.length, body.at.length, body.at.length])
  }
  for (const points of ['0', '2001', 'x']) t.equal((await read(`?points=${points}`)).status, 400)
  const { body } = await read('?points=2000')
  t.equal(body.at.length, 60)
  const [before, behind] = body.at.slice(29, 31).map((time: string) => Date.parse(time))
  t.equal(behind - before, 121 * minute, 'two hours in which nothing was metered')
})

test('meter values - energy goes on over a reset of the meter, and a part of the period shows what was taken until then', async (t) => {
  const api = await createTestApi()
  const { read, startedAt } = await metered(api, (row, index) => {
    const energy_wh = index < 30 ? 100 * index : 100 * (index - 30)
    return { ...row, energy_wh }
  })
  const { body } = await read('?points=60')
  const taken = seriesOf(body, 'energy').max.filter((value) => value !== null) as number[]
  t.ok(
    taken.every((value, index) => index === 0 || value >= (taken[index - 1] as number)),
    'it does not fall',
  )
  const from = new Date(startedAt + 20 * minute).toISOString()
  const to = new Date(startedAt + 22 * minute).toISOString()
  const part = (await read(`?from=${from}&to=${to}`)).body
  t.equal(part.meter_values, 2)
  t.same(seriesOf(part, 'energy').max, [2_000, 2_100])
  t.equal((await read(`?from=${to}&to=${from}`)).status, 400)
})

test('meter values - as they were sent, page by page', async (t) => {
  const api = await createTestApi()
  const { read, startedAt } = await metered(api)
  const first = (await read('?raw=true&limit=25')).body
  t.match(first, { bucket_seconds: null, series: [], meter_values: 25 })
  t.match(first.data[1], {
    at: new Date(startedAt + minute).toISOString(),
    energy_wh: 100,
    power_watts: 1_100,
    samples: [
      { measurand: 'Energy.Active.Import.Register', value: 100, location: 'Outlet', context: 'Sample.Periodic' },
      { measurand: 'Power.Active.Import', value: 1.1, unit: 'kW' },
    ],
  })
  t.match(first.data[1].samples.at(-1), { value: '00AF', format: 'SignedData' })
  const second = (await read(`?raw=true&limit=25&cursor=${first.next_cursor}`)).body
  const third = (await read(`?raw=true&limit=25&cursor=${second.next_cursor}`)).body
  t.same([second.data.length, third.data.length, third.next_cursor], [25, 10, null])
  const times = [first, second, third].flatMap(({ data }) => data.map(({ at }: { at: string }) => at))
  t.equal(new Set(times).size, 60)
  t.same(times, [...times].sort())
  t.equal((await read('?raw=true&limit=1001')).status, 400)
  t.equal((await read('?raw=true&cursor=nonsense')).status, 400)
})

test('meter values - a session without any has none, and nobody else sees them', async (t) => {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const { session, changes } = billedSession({ organizationId, endedAt: new Date(api.now()).toISOString() })
  await api.commit(...changes)
  const path = `/api/v1/sessions/${session.session_id}/meter-values`
  t.match((await api.call('GET', path)).body, { at: [], series: [], meter_values: 0 })
  t.equal((await api.call('GET', path, undefined, await api.addOrganization())).status, 404)
})
