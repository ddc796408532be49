import { test } from 'tap'
import { selectRates } from '../../src/pricing/select-rates.js'
import type { ScheduleEntry } from '../../src/pricing/tariff-terms.js'
import { component, tariff } from './examples.js'

const own = tariff({ components: [component('energy', 0.5)] })
const bands = ['night', 'day', 'summer'].map((band) => ({ band, components: [component('energy', 0.1)] }))

function bandAt(at: string, schedule: readonly ScheduleEntry[], timeZone = 'Europe/Berlin'): string | null {
  return selectRates(own, bands, schedule, Date.parse(at), timeZone).band
}

const night: ScheduleEntry = { band: 'night', start_time: '22:00', end_time: '06:00' }

test('rates - without an entry that holds, the tariff’s own components', (t) => {
  const selected = selectRates(own, bands, [night], Date.parse('2026-06-01T12:00:00Z'), 'Europe/Berlin')
  t.match(selected, {
    band: null,
    entry: null,
    components: [{ price: 0.5 }],
    localTime: '2026-06-01T14:00:00.000+02:00',
  })
  t.end()
})

test('rates - a window begins with its first minute, ends before its last, and may go over midnight', (t) => {
  t.equal(bandAt('2026-06-01T21:59:59+02:00', [night]), null)
  t.equal(bandAt('2026-06-01T22:00:00+02:00', [night]), 'night')
  t.equal(bandAt('2026-06-02T05:59:59+02:00', [night]), 'night')
  t.equal(bandAt('2026-06-02T06:00:00+02:00', [night]), null)
  t.end()
})

test('rates - the day and the dates are those on which the window opens', (t) => {
  const friday: ScheduleEntry = { ...night, days: ['fri'], from_date: '2026-06-05', to_date: '2026-06-05' }
  t.equal(bandAt('2026-06-05T23:00:00+02:00', [friday]), 'night')
  t.equal(bandAt('2026-06-06T03:00:00+02:00', [friday]), 'night')
  t.equal(bandAt('2026-06-05T03:00:00+02:00', [friday]), null)
  t.equal(bandAt('2026-06-12T23:00:00+02:00', [friday]), null)
  t.end()
})

test('rates - both dates of a season count', (t) => {
  const summer: ScheduleEntry = {
    band: 'summer',
    start_time: '00:00',
    end_time: '00:00',
    from_date: '2026-06-01',
    to_date: '2026-08-31',
  }
  t.equal(bandAt('2026-05-31T23:59:59+02:00', [summer]), null)
  t.equal(bandAt('2026-06-01T00:00:00+02:00', [summer]), 'summer')
  t.equal(bandAt('2026-08-31T23:59:59+02:00', [summer]), 'summer')
  t.equal(bandAt('2026-09-01T00:00:00+02:00', [summer]), null)
  t.end()
})

test('rates - the first entry that holds wins; one whose band is gone is passed over', (t) => {
  const day: ScheduleEntry = { band: 'day', start_time: '00:00', end_time: '24:00' }
  t.equal(bandAt('2026-06-01T23:00:00+02:00', [night, day]), 'night')
  t.equal(bandAt('2026-06-01T23:00:00+02:00', [day, night]), 'day')
  t.equal(bandAt('2026-06-01T23:00:00+02:00', [{ ...night, band: 'gone' }, day]), 'day')
  t.end()
})

test('rates - an hour that daylight saving skips never comes, the clock goes on after it', (t) => {
  // In Berlin, 2026-03-29 has no 02:00 to 02:59.
  const skipped: ScheduleEntry = { band: 'night', start_time: '02:00', end_time: '03:00' }
  t.equal(bandAt('2026-03-29T00:59:59Z', [skipped]), null)
  t.equal(bandAt('2026-03-29T01:00:00Z', [skipped]), null)
  t.equal(bandAt('2026-03-29T01:00:00Z', [{ ...skipped, end_time: '04:00' }]), 'night')
  t.end()
})

test('rates - an hour that daylight saving repeats comes twice', (t) => {
  // In Berlin, 2026-10-25 has 02:00 to 02:59 twice: from 00:00 and from 01:00 UTC.
  const repeated: ScheduleEntry = { band: 'night', start_time: '02:00', end_time: '03:00' }
  t.equal(bandAt('2026-10-24T23:59:59Z', [repeated]), null)
  t.equal(bandAt('2026-10-25T00:30:00Z', [repeated]), 'night')
  t.equal(bandAt('2026-10-25T01:30:00Z', [repeated]), 'night')
  t.equal(bandAt('2026-10-25T02:00:00Z', [repeated]), null)
  t.end()
})

test('rates - the zone decides which day it is, also with half hours; an unknown zone is UTC', (t) => {
  const monday: ScheduleEntry = { band: 'day', days: ['mon'], start_time: '00:00', end_time: '01:00' }
  t.equal(bandAt('2026-05-31T18:30:00Z', [monday], 'Asia/Kolkata'), 'day')
  t.equal(bandAt('2026-06-01T02:30:00Z', [monday], 'America/St_Johns'), 'day')
  t.equal(bandAt('2026-06-01T00:30:00Z', [monday], 'Nowhere/At_All'), 'day')
  t.end()
})

test('rates - an entry with times that cannot be never holds', (t) => {
  t.equal(bandAt('2026-06-01T12:00:00Z', [{ band: 'day', start_time: 'noon', end_time: 'late' }]), null)
  t.end()
})
