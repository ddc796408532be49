// Sessions whose charger, clock, meter or currency is odd: each has a defined cost, and its lines sum to it.

import { type Test, test } from 'tap'
import type { Tariff } from '../../../src/records/tariff.js'
import { tariffRatesTable, tariffSchedulesTable } from '../../../src/records/tariff-rates.js'
import { type Charging, charging, minuteMs } from './charge.js'

const perKwh = { components: [{ type: 'energy' as const, price: 0.4 }] }
const perHour = { components: [{ type: 'time' as const, price: 6 }] }

/** The lines, adjustments and tax of the session's cost sum to it, to the last minor unit. */
function adds(t: Test, charge: Charging, transactionId: number): void {
  const priced = charge.cost(transactionId)?.priced
  if (priced === undefined) return void t.fail('it has a cost')
  const scale = 10 ** priced.trace.rounding.minor_units
  const minor = (amount: number): number => Math.round(amount * scale)
  const lines = priced.lines.reduce((sum, { amount }) => sum + minor(amount), 0)
  t.equal(lines, minor(priced.subtotal))
  const adjustments = priced.adjustments.reduce((sum, { amount }) => sum + minor(amount), 0)
  t.equal(lines + adjustments + minor(priced.tax), minor(priced.total))
  t.equal(charge.session(transactionId).cost, priced.total)
}

async function charged(t: Test, sold: Partial<Tariff>, start: object, stop: object, minutes = 60) {
  const charge = await charging(sold)
  const transactionId = await charge.start(start)
  charge.pass(minutes * minuteMs)
  await charge.stop(transactionId, stop)
  adds(t, charge, transactionId)
  return { ...charge.session(transactionId), priced: charge.cost(transactionId)?.priced }
}

test('odd lives - negative readings: the difference counts, and one below the start is no negative cost', async (t) => {
  t.match(await charged(t, perKwh, { meterStart: -5_000 }, { meterStop: -1_000 }), { energy_wh: 4_000, cost: 1.6 })
  t.match(await charged(t, perKwh, { meterStart: 5_000 }, { meterStop: -1_000 }), {
    energy_wh: 0,
    cost: 0,
    flags: ['meter_stop_below_start'],
  })
})

test('odd lives - an absurd reading is priced up to the bound, and the session says that it is implausible', async (t) => {
  const session = await charged(t, perKwh, {}, { meterStop: 2_000_000_000_000 })
  t.match(session, { cost: 4_000_000, flags: ['energy_implausible', 'price_bounded'] })
  t.match(session.priced?.trace.notes, ['energy is priced up to 10000000000 Wh'])
  t.match(await charged(t, perKwh, {}, { meterStop: 2_000_001_000 }), { cost: 800_000, flags: ['energy_implausible'] })
})

test('odd lives - absurd meter values are no reason to fail', async (t) => {
  const charge = await charging(perKwh)
  const transactionId = await charge.start()
  for (const value of ['-4000', '1e300', 'NaN', '', '2000.4']) {
    charge.pass(2 * minuteMs)
    await charge.meter(transactionId, value)
  }
  charge.pass(minuteMs)
  await charge.start({ meterStart: 3_000, idTag: 'TAG-2' })
  t.match(charge.session(transactionId), { status: 'estimated', energy_wh: 1_000, cost: 0.4 })
  adds(t, charge, transactionId)
})

test('odd lives - a stop before its start takes no time; its energy is paid for', async (t) => {
  const early = '2026-01-01T12:00:00Z'
  const components = [...perKwh.components, ...perHour.components]
  t.match(await charged(t, { components }, {}, { timestamp: early }), { cost: 4, flags: ['stop_before_start'] })
})

test('odd lives - a session without any meter value costs its time, and what is per session', async (t) => {
  const components = [...perKwh.components, ...perHour.components, { type: 'flat' as const, price: 1 }]
  t.match(await charged(t, { components }, {}, { meterStop: undefined }), {
    energy_wh: 0,
    cost: 7,
    flags: ['meter_stop_missing'],
  })
})

test('odd lives - a charge point that lost its clock is billed by the time of arrival, and both times are kept', async (t) => {
  const lost = '1970-01-01T00:10:00Z'
  t.match(await charged(t, perHour, { timestamp: lost }, { timestamp: '1970-01-01T09:00:00Z' }, 90), {
    cost: 9,
    started_at: '2026-01-02T00:00:00.000Z',
    started_at_reported: lost,
    ended_at: '2026-01-02T01:30:00.000Z',
    ended_at_reported: '1970-01-01T09:00:00Z',
    flags: ['clock_suspect'],
  })
})

test('odd lives - yen have no minor unit, dinars have three', async (t) => {
  const price = { components: [{ type: 'energy' as const, price: 33.35 }], tax_percentage: 10 }
  t.match(await charged(t, { ...price, currency: 'JPY' }, {}, { meterStop: 1_510 }), { cost: 19, currency: 'JPY' })
  const fils = { components: [{ type: 'energy' as const, price: 0.0333 }], tax_percentage: 10 }
  t.match(await charged(t, { ...fils, currency: 'KWD' }, {}, { meterStop: 2_510 }), { cost: 0.055, currency: 'KWD' })
})

test('odd lives - a tax of nothing, and one of everything again', async (t) => {
  t.match(await charged(t, { ...perKwh, tax_percentage: 0 }, {}, {}), { cost: 4, priced: { tax: 0 } })
  t.match(await charged(t, { ...perKwh, tax_percentage: 100 }, {}, {}), { cost: 8, priced: { tax: 4 } })
})

test('odd lives - over the change to daylight saving an hour is an hour, and the band is that of the local start', async (t) => {
  const charge = await charging({ components: [{ type: 'time', price: 6 }] }, 'Europe/Berlin')
  const about = { tariff_id: 'trf_1', organization_id: 'org_1', version: 1, updated_at: charge.now() }
  const night = { band: 'night', components: [{ type: 'time' as const, price: 3 }] }
  await charge.put(tariffRatesTable, { ...about, bands: [night] })
  const entries = [{ band: 'night', start_time: '00:00', end_time: '02:00' }]
  await charge.put(tariffSchedulesTable, { ...about, entries })
  // 01:30 in Berlin; half an hour later the clocks there go from 02:00 to 03:00.
  charge.pass(Date.parse('2026-03-29T00:30:00Z') - charge.clock.wall)
  const spring = await charge.start()
  charge.pass(120 * minuteMs)
  await charge.stop(spring)
  t.match(charge.session(spring), { cost: 6 })
  t.match(charge.cost(spring)?.priced.trace, {
    tariff: { band: 'night' },
    time: { duration_seconds: 7_200, started_at_local: '2026-03-29T01:30:00.000+01:00' },
  })
  adds(t, charge, spring)
  // In autumn 02:30 comes twice; neither is in the band.
  charge.pass(Date.parse('2026-10-25T01:30:00Z') - charge.clock.wall)
  const autumn = await charge.start({ meterStart: 20_000 })
  charge.pass(60 * minuteMs)
  await charge.stop(autumn, { meterStop: 21_000 })
  t.match(charge.session(autumn), { cost: 6 })
})

test('odd lives - a connector that its charge point should not have is charged at, and the session says so', async (t) => {
  const session = await charged(t, perKwh, { connectorId: 7 }, { meterStop: 1_000 })
  t.match(session.flags, ['unknown_connector'])
})

test('odd lives - 499 days are 499 days', async (t) => {
  t.match(await charged(t, perHour, {}, {}, 499 * 24 * 60), { cost: 499 * 24 * 6, flags: [] })
})

test('odd lives - energy that no connector gives is billed, told in the event, and a notice', async (t) => {
  const charge = await charging(perKwh)
  for (const meterStart of [1_000, 501_000]) {
    const transactionId = await charge.start({ meterStart })
    charge.pass(20 * minuteMs)
    await charge.stop(transactionId, { meterStop: meterStart + 500_000 })
    t.match(charge.session(transactionId), { energy_wh: 500_000, cost: 200 })
  }
  t.match(charge.events('session.ended'), [{ flags: ['energy_implausible'] }, { flags: ['energy_implausible'] }])
  t.match(
    charge.events('alert.triggered'),
    [{ kind: 'session_implausible', charge_point_id: 'CP-1', connector_id: 1, details: { session_id: /^ses_/ } }],
    'once an hour for one charge point',
  )
})

test('odd lives - a start without a reading begins at the first meter value, or takes nothing', async (t) => {
  const charge = await charging(perKwh)
  for (const meterStart of [undefined, null, 'none']) {
    const transactionId = await charge.start({ meterStart })
    t.match(charge.session(transactionId), { meter_start_unknown: true, flags: ['meter_start_missing'] })
    const again = await charge.start({ meterStart })
    t.equal(again, transactionId, 'a repeat is one')
    charge.pass(10 * minuteMs)
    await charge.meter(transactionId, 5_000_000)
    charge.restart()
    await charge.attach(1, 1_000)
    charge.pass(10 * minuteMs)
    await charge.meter(transactionId, 5_002_000)
    t.match(charge.session(transactionId), { meter_start: 5_000_000, cost_so_far: 0.8 })
    charge.pass(10 * minuteMs)
    await charge.stop(transactionId, { meterStop: 5_002_500 })
    t.match(charge.session(transactionId), { energy_wh: 2_500, cost: 1, flags: ['meter_start_missing'] })
    t.notOk('meter_start_unknown' in charge.session(transactionId))
    adds(t, charge, transactionId)
  }
  const silent = await charge.start({ meterStart: undefined })
  charge.pass(10 * minuteMs)
  await charge.stop(silent, { meterStop: 7_000 })
  t.match(charge.session(silent), { meter_start: 7_000, energy_wh: 0, cost: 0, flags: ['meter_start_missing'] })
})

test('odd lives - a start without time, tag or connector is a session all the same', async (t) => {
  const charge = await charging(perKwh)
  const fields = { timestamp: undefined, idTag: undefined, connectorId: undefined }
  const transactionId = await charge.start(fields)
  charge.pass(20 * minuteMs)
  await charge.stop(transactionId, { meterStop: 3_000 })
  t.match(charge.session(transactionId), {
    connector_id: 0,
    id_tag: '',
    started_at: '2026-01-02T00:00:00.000Z',
    energy_wh: 2_000,
    flags: ['not_authorized', 'unknown_connector'],
  })
})
