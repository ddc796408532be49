// What a charge point drew and was in over time, and for how much of it it could be used: from what it told, kept by day.

import fc from 'fast-check'
import { test } from 'tap'
import { bandsOf, createDayReader, type Uptime } from '../../src/api/areas/charge-point-state/bands.js'
import { limits } from '../../src/api/areas/charge-point-state/limits.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import type { BeginRead } from '../../src/api/pipeline/long-reads.js'
import {
  type ChargePointCounts,
  type ChargePointDay,
  chargePointCountsTable,
  chargePointDaysTable,
  dayMs,
  dayOf,
  mostChangesOfDay,
  placeOfStatus,
  statusesIn,
  withConnectionChanges,
  withStatusChanges,
} from '../../src/records/charge-point-day.js'
import type { Table } from '../../src/runtime/store/table.js'
import { createTestApi } from './fixture.js'

const minuteMs = 60_000
const hourMs = 3_600_000

async function running() {
  const service = await createTestApi()
  await service.register('CP-1')
  const over = async (path: string, fromMs: number, toMs: number, more = '') =>
    service.call(
      'GET',
      `/api/v1/chargepoints/CP-1/${path}?from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}${more}`,
    )
  const status = (connection: number, connectorId: number, status: string) =>
    service.tellFrom(connection, 'StatusNotification', { connectorId, status, errorCode: 'NoError' })
  /** Ms, to the second, as days have them. */
  const seconds = (text: string): number => Math.floor(Date.parse(text) / 1_000) * 1_000
  return { service, over, status, seconds }
}

test('charge point series - connections and statuses are bands, and uptime is the share of time in which connectors could be used', async (t) => {
  const { service, over, status } = await running()
  const began = service.now()
  const connection = service.connect('CP-1')
  await service.settled()
  status(connection, 1, 'Available')
  await service.settled()
  await service.pass(2 * hourMs)
  status(connection, 1, 'Faulted')
  await service.settled()
  await service.pass(hourMs)
  status(connection, 1, 'Available')
  await service.settled()
  await service.pass(hourMs)
  service.disconnect(connection)
  await service.settled()
  await service.pass(hourMs)
  service.connect('CP-1')
  await service.settled()
  await service.pass(hourMs)
  const to = service.now()
  const { body } = await over('series', began - hourMs, to, '&points=10')
  const hoursOf = ({ from, to }: { from: string; to: string }) =>
    Math.round((Date.parse(to) - Date.parse(from)) / hourMs)
  t.same(
    body.bands.map((band: { status: string; from: string; to: string }) => [band.status, hoursOf(band)]),
    [
      ['Available', 2],
      ['Faulted', 1],
      ['Available', 3],
    ],
  )
  t.same(
    body.connection
      .map((band: { connected: boolean; from: string; to: string }) => [band.connected, hoursOf(band)])
      .slice(-3),
    [
      [true, 4],
      [false, 1],
      [true, 1],
    ],
  )
  t.equal(body.connects, 2)
  // Six hours are known of the connector; in one it was faulted, in one offline.
  t.ok(Math.abs(body.uptime - 4 / 6) < 0.01, `${body.uptime}`)
  const { body: uptime } = await over('uptime', began - 30 * dayMs, to)
  t.equal(uptime.up_seconds, body.up_seconds)
  t.equal(uptime.is_cut, false)
})

test('charge point series - power is the least, mean and most of each bucket, also of a meter that shows its register alone', async (t) => {
  const { service, over, status } = await running()
  const connection = service.connect('CP-1')
  await service.settled()
  const began = service.now()
  const start = (connectorId: number) =>
    service.tellFrom(connection, 'StartTransaction', {
      connectorId,
      idTag: 'TAG',
      meterStart: 0,
      timestamp: new Date(service.now()).toISOString(),
    })
  const meter = (connectorId: number, values: readonly object[]) =>
    service.tellFrom(connection, 'MeterValues', {
      connectorId,
      meterValue: [{ timestamp: new Date(service.now()).toISOString(), sampledValue: values }],
    })
  start(1)
  start(2)
  await service.settled()
  const watts = (value: number) => ({ value: String(value), measurand: 'Power.Active.Import', unit: 'W' })
  const register = (value: number) => ({ value: String(value), measurand: 'Energy.Active.Import.Register', unit: 'Wh' })
  for (const [at, value] of [1_000, 3_000, 5_000].entries()) {
    await service.pass(5 * minuteMs)
    meter(1, [watts(value)])
    meter(2, [register(at * 500)])
    await service.settled()
  }
  status(connection, 1, 'Charging')
  await service.settled()
  const { body } = await over('series', began, began + hourMs, '&points=1')
  t.strictSame(body.power, [
    { connector_id: 1, min_watts: [1_000], avg_watts: [3_000], max_watts: [5_000] },
    {
      connector_id: 2,
      min_watts: [body.power[1].min_watts[0]],
      avg_watts: [body.power[1].avg_watts[0]],
      max_watts: [body.power[1].max_watts[0]],
    },
  ])
  // 500 Wh in five minutes.
  t.ok(Math.abs(body.power[1].avg_watts[0] - 6_000) < 60)
  t.strictSame(body.limits, { bucket_seconds: 3_600, at: [], watts: [], reason: [] })
  for (const [path, at] of [
    [`series?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z`, 'to'],
    [`series?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`, 'to'],
    [`uptime?from=2024-01-01T00:00:00Z&to=2026-03-01T00:00:00Z`, 'to'],
  ])
    t.match(await service.call('GET', `/api/v1/chargepoints/CP-1/${path}`), {
      status: 400,
      body: { error: { details: [{ path: at }] } },
    })
})

test('charge point series - a day has the sessions that ended on it, their energy, and what was sent', async (t) => {
  const { service, over } = await running()
  const connection = service.connect('CP-1')
  await service.settled()
  const timestamp = () => new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StartTransaction', {
    connectorId: 1,
    idTag: 'TAG',
    meterStart: 1_000,
    timestamp: timestamp(),
  })
  await service.settled()
  const [{ transaction_id }] = (await service.call('GET', '/api/v1/ocpp16/active_transactions/CP-1')).body
    .active_transactions
  await service.pass(hourMs)
  service.tellFrom(connection, 'StopTransaction', {
    transactionId: transaction_id,
    meterStop: 8_000,
    timestamp: timestamp(),
  })
  await service.settled()
  for (let beats = 0; beats < 5; beats++) {
    await service.pass(5 * minuteMs)
    service.tellFrom(connection, 'Heartbeat', {})
    await service.settled()
  }
  await service.pass(5 * minuteMs)
  const { body } = await over('series', service.now() - 5 * hourMs, service.now())
  const sum = (name: string) =>
    body.days.reduce((total: number, day: Record<string, number>) => total + (day[name] ?? 0), 0)
  t.equal(sum('sessions'), 1)
  t.equal(sum('energy_kwh'), 7)
  t.equal(sum('heartbeats'), 5)
  t.equal(sum('messages'), 8)
})

test('charge point series - more changes than are kept of a day are told to be cut, and do not count', async (t) => {
  const { service, over, status } = await running()
  await service.beginHour()
  const began = service.now()
  const connection = service.connect('CP-1')
  await service.settled()
  for (let change = 0; change < mostChangesOfDay + 20; change++) {
    status(connection, 1, change % 2 === 0 ? 'Available' : 'Preparing')
    await service.settled()
  }
  await service.pass(hourMs)
  const { body } = await over('series', began, service.now())
  t.equal(body.is_cut, true)
  t.ok(body.known_seconds < 600)
  const rows = service.store.view().list(chargePointDaysTable, [service.operator.organizationId, 'CP-1'])
  t.ok(rows.every(({ status_changes }) => statusesIn(status_changes) <= mostChangesOfDay))
})

test('charge point series - what was while a charge point was another organization’s is not shown', async (t) => {
  const { service, over } = await running()
  service.disconnect(service.connect('CP-1'))
  await service.settled()
  await service.call('DELETE', '/api/v1/chargepoints/CP-1')
  await service.settled()
  const other = await service.addOrganization()
  await service.register('CP-1', {}, other.key)
  const path = `/api/v1/chargepoints/CP-1/series?from=${new Date(service.now() - hourMs).toISOString()}&to=${new Date(service.now()).toISOString()}`
  const { body } = await service.call('GET', path, undefined, { key: other.key })
  t.same([body.connection, body.bands, body.days], [[], [], []])
  t.equal((await over('series', service.now() - hourMs, service.now())).status, 404)
})

test('charge point series - a day without a change goes on as the one before; one that ended with the service has gone when it was heard last', (t) => {
  const day = dayOf(Date.parse('2026-03-01T00:00:00Z'))
  const begin = day * dayMs
  const row: ChargePointDay = {
    organization_id: 'org',
    charge_point_id: 'CP-1',
    day,
    connected: false,
    statuses: [[1, placeOfStatus('Unavailable')]],
    connection_changes: withConnectionChanges(undefined, [[3_600, 1]]),
    status_changes: withStatusChanges(undefined, [[7_200, 1, placeOfStatus('Available')]]),
    sessions: 0,
    energy_wh: 0,
  }
  const now = { at: begin + 4 * dayMs, connected: true }
  const third = { from: begin + 2 * dayMs, to: begin + 3 * dayMs }
  const nothing = { connects: 0, isCut: false }
  t.strictSame(bandsOf([row], third, now), {
    connection: [{ ...third, connected: true }],
    statuses: [{ ...third, connectorId: 1, status: 'Available' }],
    knownMs: dayMs,
    upMs: dayMs,
    offlineMs: 0,
    ...nothing,
  })
  const first = { from: begin, to: begin + dayMs }
  t.match(bandsOf([row], first, now), { knownMs: dayMs, upMs: 22 * hourMs, offlineMs: hourMs, connects: 1 })
  const gone = { ...now, connected: false, goneSince: begin + 2.5 * dayMs }
  t.match(bandsOf([row], third, gone), { knownMs: dayMs, upMs: dayMs / 2, offlineMs: dayMs / 2 })
  // A row of a day after it was gone does not bring it back.
  const late: ChargePointDay = { ...row, day: day + 3, connected: false, statuses: [] }
  const { connection_changes: _, status_changes: __, ...quiet } = late
  const longer = { ...third, to: begin + 4 * dayMs }
  t.match(bandsOf([row, quiet], longer, gone), { upMs: dayMs / 2, offlineMs: 1.5 * dayMs })
  t.strictSame(bandsOf([], first, now), {
    connection: [],
    statuses: [],
    knownMs: 0,
    upMs: 0,
    offlineMs: 0,
    ...nothing,
  })
  t.end()
})

/** Rows of days without a rest. */
function restlessDays(day: number, count: number, organization_id: string): readonly ChargePointDay[] {
  const many = Array.from({ length: mostChangesOfDay }, (_, at) => at * 200)
  const connection_changes = withConnectionChanges(
    undefined,
    many.map((second, at) => [second, at % 2 === 0 ? 1 : 0]),
  )
  const statuses = [placeOfStatus('Available'), placeOfStatus('Faulted')]
  const status_changes = withStatusChanges(
    undefined,
    many.map((second, at) => [second + 100, 1, statuses[at % 2] as number]),
  )
  const about = { organization_id, charge_point_id: 'CP-1', connected: false, sessions: 1, energy_wh: 1_000 }
  return Array.from({ length: count }, (_, at) => {
    return { ...about, day: day + at, statuses: [[1, statuses[1] as number]], connection_changes, status_changes }
  })
}

test('charge point series - the uptime of 400 days in which a charge point never rested costs what they have in them, and is read in parts', async (t) => {
  const { service, over } = await running()
  const day = dayOf(service.now()) - 400
  const rows = restlessDays(day, 400, service.operator.organizationId)
  const period = { from: day * dayMs, to: (day + 400) * dayMs }
  const began = process.cpuUsage()
  const bands = bandsOf(rows, period, { at: period.to, connected: false })
  const { user } = process.cpuUsage(began)
  t.equal(bands.statuses.length, 400 * mostChangesOfDay + 1)
  t.equal(bands.knownMs, 400 * dayMs)
  // Each time of 200 s in which it was connected, it was available for the second half.
  t.equal(bands.upMs, 400 * (mostChangesOfDay / 2) * 100_000)
  t.ok(user < 5_000_000, `${user / 1_000} ms`)

  await service.services.commit(rows.map((row) => putRow(chargePointDaysTable, row)))
  const { of } = service.services.longReads
  let pauses = 0
  const counted: BeginRead = async () => {
    const read = await of(service.operator.organizationId)()
    const pause = () => {
      pauses++
      return read.pause()
    }
    return { ...read, isOver: () => true, pause }
  }
  Object.assign(service.services, { longReads: { ...service.services.longReads, of: () => counted } })
  const { body } = await over('uptime', period.from, period.to)
  t.match(body, { known_seconds: 400 * 86_400, up_seconds: bands.upMs / 1_000, sessions: 400, energy_kwh: 400 })
  t.ok(pauses >= 400 / limits.daysPerStep - 2, `it paused ${pauses} times`)
})

test('charge point series - uptime of two periods that follow each other is that of both together', (t) => {
  const change = fc.oneof(
    fc.record({ after: fc.nat(2 * 86_400), began: fc.constantFrom(0 as const, 1 as const) }),
    fc.record({ after: fc.nat(2 * 86_400), connectorId: fc.integer({ min: 1, max: 3 }), status: fc.nat(8) }),
  )
  const cutDays = fc.array(fc.nat(10), { maxLength: 2 })
  const gone = fc.option(fc.nat(10 * 86_400), { nil: undefined })
  const splits = fc.tuple(fc.nat(10 * 86_400), fc.nat(10 * 86_400), fc.nat(10 * 86_400))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), cutDays, gone, splits, (changes, cuts, goneAfter, parts) => {
      const rows = new Map<number, ChargePointDay>()
      const first = 20_000
      let at = first * 86_400
      let connected = true
      const statuses = new Map([[1, 0]])
      const about = { organization_id: 'org', charge_point_id: 'CP-1', sessions: 0, energy_wh: 0 }
      const rowAt = (day: number): ChargePointDay =>
        rows.get(day) ?? { ...about, day, connected, statuses: [...statuses] }
      rows.set(first, rowAt(first))
      for (const one of changes) {
        at += one.after
        const day = Math.floor(at / 86_400)
        const row = rowAt(day)
        const second = at % 86_400
        if ('began' in one) {
          const connection_changes = withConnectionChanges(row.connection_changes, [[second, one.began]])
          rows.set(day, { ...row, connection_changes })
          connected = one.began === 1
        } else {
          const status_changes = withStatusChanges(row.status_changes, [[second, one.connectorId, one.status]])
          rows.set(day, { ...row, status_changes })
          statuses.set(one.connectorId, one.status)
        }
      }
      for (const cut of cuts) {
        const row = rows.get(first + cut)
        if (row !== undefined && cut > 0) rows.set(row.day, { ...row, cut_at: 86_399 })
      }
      const end = first * dayMs + 10 * dayMs
      const lastChange = at * 1_000
      const goneSince =
        goneAfter === undefined ? undefined : Math.max(lastChange + 1, first * dayMs + goneAfter * 1_000)
      const now = {
        at: Math.max(end, lastChange + 1),
        connected: goneSince === undefined && connected,
        ...(goneSince !== undefined && connected && { goneSince }),
      }
      const uptime = (from: number, to: number): Uptime => {
        const days = [...rows.values()].filter(({ day }) => day * dayMs < to)
        const before = days.findLastIndex(({ day }) => day < dayOf(from))
        const reader = createDayReader({ from, to }, now)
        for (const row of days.slice(Math.max(0, before))) reader.add(row)
        return reader.end()
      }
      const [from, split, to] = parts.map((seconds) => first * dayMs + seconds * 1_000).sort((a, b) => a - b) as [
        number,
        number,
        number,
      ]
      const [one, other, both] = [uptime(from, split), uptime(split, to), uptime(from, to)]
      for (const name of ['offlineMs', 'connects', 'knownMs', 'upMs'] as const)
        if (one[name] + other[name] !== both[name])
          throw new Error(`${name}: ${one[name]} and ${other[name]} are ${both[name]} together`)
    }),
    { numRuns: 500 },
  )
  t.end()
})

test('charge point series - days are kept for 400 days, and are listed by the time by which they are pruned', (t) => {
  const row = { organization_id: 'org', charge_point_id: 'CP-1', day: 20_000 }
  const day: ChargePointDay = {
    ...row,
    connected: true,
    statuses: [],
    sessions: 0,
    energy_wh: 0,
  }
  const counts: ChargePointCounts = { ...row, messages: 1, heartbeats: 1 }
  const end = 20_001 * dayMs
  for (const [table, one] of [
    [chargePointDaysTable as Table<never>, day],
    [chargePointCountsTable as Table<never>, counts],
  ] as const) {
    const { retention, indexes } = table
    t.equal(retention?.milliseconds, 400 * dayMs)
    t.equal(retention?.timeOf(one as never), end)
    t.same(indexes[retention?.index ?? '']?.(one as never), [{ group: [], order: [end] }])
  }
  t.end()
})
