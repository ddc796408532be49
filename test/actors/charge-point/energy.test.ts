// The energy of a session, from readings that contradict each other.

import fc from 'fast-check'
import { test } from 'tap'
import { energySoFar, plausibleEnergy, sessionEnergy } from '../../../src/actors/charge-point/energy.js'

const of = (meterStart: number, meterStop: number | undefined, lastRegister?: number) =>
  sessionEnergy({ meterStart, meterStop, lastRegister, plausibleWh: 25_000 })

test('session energy - is the difference of the readings that the charge point gave', async (t) => {
  t.same(of(1000, 3500), { wh: 2500, flags: [] })
  t.same(of(-500, 2000), { wh: 2500, flags: [] })
})

test('session energy - without a stop reading is that of the last meter value, also from a meter that began at 0', async (t) => {
  t.same(of(1000, undefined, 1500), { wh: 500, flags: ['meter_stop_missing'] })
  t.same(of(0, undefined, 500), { wh: 500, flags: ['meter_stop_missing'] })
  t.same(of(1000, undefined), { wh: 0, flags: ['meter_stop_missing'] })
})

test('session energy - a reading a little below the start is no lifetime of energy', async (t) => {
  t.same(of(12_345_678, 12_345_600), { wh: 0, flags: ['meter_stop_below_start'] })
  t.equal(energySoFar(12_345_678, 12_345_600, 25_000), 0)
})

test('session energy - a meter that counts per session is believed as far as the connector can give', async (t) => {
  t.same(of(1_000_000, 1600), { wh: 1600, flags: ['meter_stop_below_start', 'meter_counts_per_session'] })
  t.equal(energySoFar(1_000_000, 1600, 25_000), 1600)
})

test('session energy - what no connector can give is flagged', async (t) => {
  t.same(of(1000, 9e15), { wh: 9e15 - 1000, flags: ['energy_implausible'] })
  t.equal(plausibleEnergy(22, 0, 3_600_000, false), 25_200)
  t.equal(plausibleEnergy(22, 0, 0, true), 22_000 * 24 * 1.1 + 1_000, 'a clock that is wrong proves nothing')
})

test('session energy - is never negative, whatever the readings', async (t) => {
  const reading = fc.integer({ min: -1e9, max: 1e12 })
  const maybe = fc.option(reading, { nil: undefined })
  fc.assert(
    fc.property(reading, maybe, maybe, fc.nat(1e6), (meterStart, meterStop, lastRegister, plausibleWh) => {
      t.ok(sessionEnergy({ meterStart, meterStop, lastRegister, plausibleWh }).wh >= 0)
      t.ok(energySoFar(meterStart, lastRegister, plausibleWh) >= 0)
    }),
    { numRuns: 200 },
  )
})
