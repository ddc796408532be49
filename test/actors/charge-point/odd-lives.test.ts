// Sessions whose charger, clock, meter or currency is odd: each has a defined cost, and its lines sum to it.

import { type Test, test } from 'tap'
import type { Tariff } from '../../../src/actors/records/tariff.js'
import { tariffRatesTable, tariffSchedulesTable } from '../../../src/actors/records/tariff-rates.js'
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
  const session = await charged(t, perKwh, {}, { meterStop: 2_000_000_000 })
  t.match(session, { cost: 4_000, flags: ['energy_implausible'] })
  t.match(session.priced?.trace.notes, ['energy is priced up to 10000000 Wh'])
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
