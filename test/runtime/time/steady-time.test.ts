// Steady and confirmed time over a clock that somebody sets, and over restarts on a real store.

import { pino } from 'pino'
import { test } from 'tap'
import { keepTime, type StoredTime, serviceClock } from '../../../src/runtime/steady-time.js'
import { keepTimeIn } from '../../../src/runtime/store/kept-time.js'
import { openWriter } from '../../../src/runtime/store/lmdb-store.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const start = Date.UTC(2026, 10, 29, 22)
const log = pino({ level: 'silent' })

/** A machine whose process starts and ends; its clock is right until it is set. */
function machine(newest?: number) {
  let wall = start
  let monotonic = 5_000
  const clock = { now: () => wall, monotonic: () => monotonic }
  let stored: StoredTime | undefined
  const begin = () => {
    const keeper = keepTime(clock, stored, newest)
    stored = keeper.look()
    return { keeper, time: serviceClock(clock, keeper.shared) }
  }
  let run = begin()
  return {
    time: () => run.time,
    set: (ms: number) => {
      wall += ms
    },
    confirm: () => {
      stored = run.keeper.confirm()
    },
    pass(ms: number) {
      for (let left = ms; left > 0; left -= minuteMs) {
        wall += Math.min(left, minuteMs)
        monotonic += Math.min(left, minuteMs)
        stored = run.keeper.look()
      }
    },
    /** The process ends, and another begins after so many ms; the machine may have been off, so its monotonic clock begins again. */
    restart(afterMs = 2_000) {
      wall += afterMs
      monotonic = 3_000
      run = begin()
    },
  }
}

test('steady time - it advances with time alone, whatever the clock is set to', (t) => {
  const { time, set, pass, restart } = machine()
  t.equal(time().steady(), start, 'it begins at wall time')
  for (const jump of [-6 * hourMs, 2 * dayMs, 400 * dayMs, -402 * dayMs, 30_000, -30_000]) {
    const before = time().steady()
    set(jump)
    t.equal(time().steady(), before)
    pass(10 * minuteMs)
    t.equal(time().steady(), before + 10 * minuteMs)
  }
  const before = time().steady()
  restart(hourMs)
  t.equal(time().steady(), before + hourMs, 'a stop counts')
  restart(3 * dayMs)
  t.equal(time().steady(), before + hourMs + dayMs, 'for a day at most')
  t.end()
})

test('steady time - it never goes back, also where the clock is set back between two runs', (t) => {
  const { time, set, pass, restart } = machine()
  pass(hourMs)
  for (const jump of [-6 * hourMs, -minuteMs, -400 * dayMs]) {
    const before = time().steady()
    set(jump)
    restart(0)
    t.ok(time().steady() >= before)
    t.ok(time().steady() <= before + 2 * minuteMs)
    pass(hourMs)
  }
  t.end()
})

test('steady time - after a jump ahead, confirmed time goes on as if nothing had happened, and wall time is believed again when it is right', (t) => {
  for (const jump of [hourMs, 2 * dayMs, 400 * dayMs]) {
    const { time, set, pass } = machine()
    pass(hourMs)
    const before = time().now()
    set(jump)
    t.equal(time().confirmed(), before, 'at once, before anybody looks')
    t.equal(time().unconfirmed(), jump)
    pass(minuteMs)
    t.equal(time().confirmed(), before + minuteMs)
    set(-jump)
    t.equal(time().confirmed(), time().now())
    t.equal(time().unconfirmed(), 0)
  }
  t.end()
})

test('steady time - a jump is confirmed by an operator, or by an hour without another one if it is no longer than a week', (t) => {
  const confirmedAfter = (jump: number, ms: number, more = 0): boolean => {
    const { time, set, pass } = machine()
    pass(hourMs)
    set(jump)
    pass(ms / 2)
    set(more)
    pass(ms / 2)
    return time().unconfirmed() === 0 && time().confirmed() === time().now()
  }
  t.equal(confirmedAfter(2 * dayMs, 58 * minuteMs), false)
  t.equal(confirmedAfter(2 * dayMs, 62 * minuteMs), true)
  t.equal(confirmedAfter(2 * dayMs, 62 * minuteMs, hourMs), false, 'another jump begins the hour again')
  t.equal(confirmedAfter(8 * dayMs, 62 * minuteMs), false)
  t.equal(confirmedAfter(400 * dayMs, 3 * dayMs), false)
  const { time, set, confirm, pass } = machine()
  set(400 * dayMs)
  confirm()
  t.equal(time().confirmed(), time().now())
  pass(minuteMs)
  t.equal(time().unconfirmed(), 0)
  t.end()
})

test('steady time - a jump ahead waits for confirmation over a restart, and so does a stop of days', (t) => {
  const { time, set, pass, restart } = machine()
  pass(hourMs)
  set(400 * dayMs)
  pass(minuteMs)
  const confirmed = time().confirmed()
  restart(20_000)
  t.equal(time().confirmed(), confirmed + 20_000)
  set(-400 * dayMs)
  pass(minuteMs)
  t.equal(time().unconfirmed(), 0)
  restart(20 * hourMs)
  t.equal(time().unconfirmed(), 0, 'a stop of less than a day is believed')
  restart(3 * dayMs)
  t.equal(time().unconfirmed(), 3 * dayMs, 'a longer stop confirms nothing')
  t.end()
})

test('steady time - a clock that was behind for a minute, and is right again, holds nothing up', (t) => {
  const { time, set, pass } = machine()
  pass(hourMs)
  set(-6 * hourMs)
  t.equal(time().confirmed(), time().now(), 'what is not over is not closed')
  pass(minuteMs)
  set(6 * hourMs)
  t.equal(time().unconfirmed(), 0)
  t.end()
})

test('steady time - a store of an earlier version is compared with its newest event', (t) => {
  t.equal(
    machine(start - hourMs)
      .time()
      .unconfirmed(),
    0,
  )
  t.equal(
    machine(start + 400 * dayMs)
      .time()
      .unconfirmed(),
    0,
  )
  const old = machine(start - 31 * dayMs).time()
  t.equal(old.confirmed(), start - 31 * dayMs)
  t.equal(old.steady(), start, 'stored times were wall times')
  t.end()
})

test('steady time - is stored with the store, and goes on where the process before has ended', async (t) => {
  const path = t.testdir()
  let wall = start
  const clock = { now: () => wall, monotonic: () => 1_000 }
  const first = openWriter(path, [])
  const before = await keepTimeIn(first, undefined, clock, log)
  wall += 400 * dayMs
  t.equal(before.clock.unconfirmed(), 400 * dayMs)
  t.equal(await before.confirm(), true)
  await before.end()
  await first.close()
  wall += hourMs
  const second = openWriter(path, [])
  const after = await keepTimeIn(second, undefined, clock, log)
  await after.end()
  t.equal(after.clock.steady(), start + hourMs)
  t.equal(after.clock.confirmed(), wall)
  await second.close()
})
