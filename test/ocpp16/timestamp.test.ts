import fc from 'fast-check'
import { test } from 'tap'
import { readTimestamp, writeTimestamp } from '../../src/ocpp16/index.js'
import { isTimestamp } from '../../src/ocpp16/timestamp.js'

const noon = Date.UTC(2026, 0, 2, 12, 0, 0)

test('timestamp - ISO 8601 is read with its fraction and offset', async (t) => {
  t.equal(readTimestamp('2026-01-02T12:00:00Z'), noon)
  t.equal(readTimestamp('2026-01-02T12:00:00.5Z'), noon + 500)
  t.equal(readTimestamp('2026-01-02T12:00:00.123456789Z'), noon + 123)
  t.equal(readTimestamp('2026-01-02T14:00:00+02:00'), noon)
  t.equal(readTimestamp('2026-01-02T06:30:00-05:30'), noon)
})

test('timestamp - no zone is UTC', async (t) => {
  t.equal(readTimestamp('2026-01-02T12:00:00'), noon)
  t.equal(readTimestamp('2026-08-04T13:35:45.377'), Date.UTC(2026, 7, 4, 13, 35, 45, 377))
})

test('timestamp - short offsets and dates, blanks and commas are read', async (t) => {
  t.equal(readTimestamp('2026-01-02T14:00:00+02'), noon)
  t.equal(readTimestamp('2026-01-02T14:00:00+0200'), noon)
  t.equal(readTimestamp('2026-1-2T12:00:00Z'), noon)
  t.equal(readTimestamp('2026-1-2'), Date.UTC(2026, 0, 2))
  t.equal(readTimestamp(' 2026-01-02 12:00:00,25z '), noon + 250)
  t.equal(readTimestamp('2026-01-02T12:00Z'), noon)
})

test('timestamp - a leap second is the first of the next minute', async (t) => {
  t.equal(readTimestamp('2016-12-31T23:59:60Z'), Date.UTC(2017, 0, 1))
})

test('timestamp - leap years are those of the calendar', async (t) => {
  for (const year of ['2000', '2024']) t.type(readTimestamp(`${year}-02-29T00:00:00Z`), 'number', year)
  for (const year of ['1900', '2100', '2026']) t.equal(readTimestamp(`${year}-02-29T00:00:00Z`), undefined, year)
})

test('timestamp - what is no time is undefined', async (t) => {
  const wrong = ['', 'now', '0', '2026', '2026-13-01T00:00:00Z', '2026-02-29T00:00:00Z', '2026-01-02T24:00:00Z']
  wrong.push('2026-01-02T12:00:00+24:00', '2026-01-02T12:60:00Z', '26-01-02T12:00:00Z', '9'.repeat(10_000))
  for (const text of wrong) t.equal(readTimestamp(text), undefined, text.slice(0, 40))
})

test('timestamp - is written in UTC without a fraction', async (t) => {
  t.equal(writeTimestamp(noon + 999), '2026-01-02T12:00:00Z')
})

const someMs = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) })

test('timestamp - what is written is read back to the second', async () => {
  fc.assert(fc.property(someMs, (ms) => readTimestamp(writeTimestamp(ms)) === Math.floor(ms / 1000) * 1000))
})

test('timestamp - what the schemas take can be read', async () => {
  const piece = fc.constantFrom('2026-01-02T', '0001-01-01T', '9998-12-31T', '23:59:60', '00:00:00', '.5', 'Z', '0')
  const offset = fc.constantFrom('+23:59', '-23:59', '+24:00', '+02', '')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), offset, (pieces, zone) => {
      const text = pieces.join('') + zone
      return !isTimestamp(text) || readTimestamp(text) !== undefined
    }),
    { numRuns: 5_000 },
  )
})
