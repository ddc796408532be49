// The energy of a session, from readings that contradict each other.

import fc from 'fast-check'
import { test } from 'tap'
import { mostBetweenOf, sessionEnergy } from '../../../src/actors/charge-point/energy.js'
import { type Reading, readRegister, registerAt } from '../../../src/actors/charge-point/registers.js'

const minuteMs = 60_000
/** 22 kW. */
const mostBetween = mostBetweenOf(22, false)

function readAll(meterStart: number, readings: readonly Reading[]) {
  let register = registerAt(meterStart)
  const told: number[] = []
  for (const reading of readings) {
    register = readRegister(register, reading, register.at ?? 0, mostBetween)
    told.push(register.taken)
  }
  return { register, told }
}

/** A reading each minute, the stop a minute after the last. */
function energyOf(meterStart: number, values: readonly number[], meterStop: number | undefined) {
  const readings = values.map((wh, index) => ({ at: (index + 1) * minuteMs, wh }))
  const { register } = readAll(meterStart, readings)
  const endedAt = Math.max(60, values.length + 1) * minuteMs
  const { wh, flags } = sessionEnergy({ meterStart, meterStop, register, startedAt: 0, endedAt, mostBetween })
  return { wh, flags }
}

test('session energy - is the difference of the readings that the charge point gave', async (t) => {
  t.same(energyOf(1000, [], 3500), { wh: 2500, flags: [] })
  t.same(energyOf(-500, [], 2000), { wh: 2500, flags: [] })
})

test('session energy - without a stop reading is that of the last meter value, also from a meter that began at 0', async (t) => {
  t.same(energyOf(1000, [1500], undefined), { wh: 500, flags: ['meter_stop_missing'] })
  t.same(energyOf(0, [500], undefined), { wh: 500, flags: ['meter_stop_missing'] })
  t.same(energyOf(1000, [], undefined), { wh: 0, flags: ['meter_stop_missing'] })
})

test('session energy - a reading a little below the start is no lifetime of energy', async (t) => {
  t.same(energyOf(12_345_678, [], 12_345_600), { wh: 0, flags: ['meter_stop_below_start'] })
  t.same(energyOf(12_345_678, [12_345_600], undefined), { wh: 0, flags: ['meter_stop_missing'] })
})

test('session energy - a meter that counts per session is believed as far as the connector can give', async (t) => {
  t.same(energyOf(1_000_000, [], 1600), { wh: 1600, flags: ['meter_stop_below_start', 'meter_counts_per_session'] })
  t.same(energyOf(1_000_000, [400, 1_600], undefined), {
    wh: 1600,
    flags: ['meter_stop_missing', 'meter_counts_per_session'],
  })
  t.same(energyOf(1_000_000, [], 400_000), { wh: 0, flags: ['meter_stop_below_start'] }, 'not 400 kWh in an hour')
})

test('session energy - meter values that count per session, between readings that do not, are not added to them', async (t) => {
  t.same(energyOf(1_000_000, [400, 1_600], 1_001_700), { wh: 1_700, flags: [] })
})

test('session energy - what no connector can give is flagged', async (t) => {
  t.same(energyOf(1000, [], 9e15), { wh: 9e15 - 1000, flags: ['energy_implausible'] })
  t.equal(mostBetween(0, 3_600_000), 25_200)
  t.equal(mostBetweenOf(22, true)(0, 0), 22_000 * 24 * 1.1 + 1_000, 'a clock that is wrong proves nothing')
})

test('session energy - a register that is set back, and not to 0, counts on from there', async (t) => {
  t.same(energyOf(50_000_000, [50_000_500, 40_000_000, 40_000_500], 40_001_000), { wh: 1_500, flags: ['meter_reset'] })
})

test('session energy - a glitch is no reset: the register goes on from where it was', async (t) => {
  t.same(energyOf(5_000, [15_000, 0, 15_100], 16_000), { wh: 11_000, flags: [] })
  t.same(energyOf(5_000, [5_100, 99_999_999, 5_200], 5_300), { wh: 300, flags: [] })
  t.same(energyOf(5_000, [5_100, 99_999_999], undefined), { wh: 100, flags: ['meter_stop_missing'] })
})

test('session energy - a start that was not read is what the next readings say together', async (t) => {
  t.same(energyOf(0, [5_000_000, 5_000_100], 5_000_900), { wh: 5_000_900, flags: ['energy_implausible'] })
})

test('session energy - values in whole kWh around a start and a stop in Wh are neither resets nor more', async (t) => {
  t.same(energyOf(5_678, [5_000, 6_000], 6_890), { wh: 1_212, flags: [] })
  t.same(energyOf(5_678, [6_000, 9_000], 8_600), { wh: 2_922, flags: [] }, 'the stop is the finer reading')
})

test('session energy - a stop that is older than the last meter value takes nothing back', async (t) => {
  t.same(energyOf(5_000, [8_951], 8_907), { wh: 3_951, flags: ['meter_reset'] })
})

test('session energy - a register rolls over where it ends: at a power of ten, also of kWh, at 2^31 and 2^32, also below 0', async (t) => {
  const over = (start: number, stop: number, wh: number) =>
    t.same(energyOf(start, [], stop), { wh, flags: ['meter_rolled_over'] }, `${start} to ${stop}`)
  over(99_999_500, 500, 1_000)
  over(9_999_999_000, 0, 1_000)
  over(2 ** 31 - 648, 352, 1_000)
  over(2 ** 31 - 600, -(2 ** 31) + 400, 1_000)
  over(2 ** 32 - 1, 999, 1_000)
  t.same(energyOf(9_000, [], 100), { wh: 100, flags: ['meter_stop_below_start', 'meter_counts_per_session'] })
  t.match(energyOf(99_000_000, [], 500), { wh: 500 }, 'an end that no vehicle brings it to is not just above')
})

test('session energy - is never negative, whatever the readings', async (t) => {
  const reading = fc.integer({ min: -1e9, max: 1e12 })
  const maybe = fc.option(reading, { nil: undefined })
  fc.assert(
    fc.property(reading, fc.array(reading, { maxLength: 5 }), maybe, (meterStart, values, meterStop) => {
      t.ok(energyOf(meterStart, values, meterStop).wh >= 0)
    }),
    { numRuns: 200 },
  )
})

interface Life {
  readonly meterStart: number
  readonly readings: readonly Reading[]
  readonly meterStop: number
  readonly trueWh: number
  readonly rollOvers: number
  readonly resets: number
}

/**
 * A true meter that gives up to 22 kW, read each minute but for the readings that are lost; it ends at 10^8 or 2^31, and is reset to 0
 * now and then.
 */
const livesFrom = (below: fc.Arbitrary<number>): fc.Arbitrary<Life> =>
  fc
    .record({
      end: fc.constantFrom(100_000_000, 2 ** 31),
      below,
      steps: fc.array(
        fc.record({ wh: fc.nat(360), lost: fc.boolean(), reset: fc.integer({ min: 0, max: 19 }).map((n) => n === 0) }),
        { minLength: 1, maxLength: 60 },
      ),
    })
    .map(({ end, below, steps }) => {
      const meterStart = end - below
      const readings: Reading[] = []
      let [wh, trueWh, rollOvers, resets] = [meterStart, 0, 0, 0]
      for (const [index, step] of steps.entries()) {
        if (step.reset) {
          resets++
          wh = 0
        }
        wh += step.wh
        trueWh += step.wh
        if (wh >= end) {
          rollOvers++
          wh -= end
        }
        if (!step.lost) readings.push({ at: (index + 1) * minuteMs, wh })
      }
      return { meterStart, readings, meterStop: wh, trueWh, rollOvers, resets }
    })

const lives = livesFrom(fc.integer({ min: 1, max: 20_000 }))

function ended({ meterStart, readings, meterStop }: Life) {
  const { register, told } = readAll(meterStart, readings)
  const endedAt = 61 * minuteMs
  return { told, ...sessionEnergy({ meterStart, meterStop, register, startedAt: 0, endedAt, mostBetween }) }
}

test('session energy - over roll-overs alone it is exact, whichever readings are lost', async (t) => {
  fc.assert(
    fc.property(
      lives.filter(({ resets }) => resets === 0),
      (life) => {
        const { wh, flags } = ended(life)
        return wh === life.trueWh && flags.includes('meter_rolled_over') === life.rollOvers > 0
      },
    ),
    { numRuns: 500 },
  )
  t.end()
})

test('session energy - while it runs it never falls, and the end is not less', async (t) => {
  fc.assert(
    fc.property(lives, (life) => {
      const { told, wh } = ended(life)
      const last = told.at(-1) ?? 0
      // But for the rounding of a register that is told in whole kWh.
      return told.every((taken, index) => taken >= (told[index - 1] ?? 0)) && wh > last - 1_000
    }),
    { numRuns: 500 },
  )
  t.end()
})

test('session energy - over resets it is no more than was given, and no less than was seen before the first', async () => {
  const lifetimes = livesFrom(fc.integer({ min: 5_000_000, max: 90_000_000 }))
  fc.assert(
    fc.property(lifetimes, (life) => {
      const { told, wh, flags } = ended(life)
      const wasReset = life.readings.findIndex((reading) => reading.wh < life.meterStart)
      const before = told[(wasReset === -1 ? told.length : wasReset) - 1] ?? 0
      const isFlagged = flags.includes('meter_reset') || flags.includes('meter_counts_per_session')
      return (
        wh <= life.trueWh && wh >= before && (life.meterStop >= life.meterStart || life.meterStop === 0 || isFlagged)
      )
    }),
    { numRuns: 500 },
  )
})
