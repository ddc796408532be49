import fc from 'fast-check'
import { test } from 'tap'
import { duePeriod, type Period, periodAfter, periodAround, settlingMs } from '../../../src/actors/billing/periods.js'

const at = (text: string): number => Date.parse(text)
const closedBy = ({ month, to }: Period) => ({ through: month, until: to })
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'America/Asuncion', 'Pacific/Apia']

test('billing periods - a month is that of the wall clock, across daylight saving', (t) => {
  t.same(periodAround(at('2026-10-31T23:30:00Z'), 'Europe/Berlin'), {
    month: '2026-11',
    from: at('2026-10-31T23:00:00Z'),
    to: at('2026-11-30T23:00:00Z'),
  })
  t.same(periodAround(at('2026-10-25T00:30:00Z'), 'Europe/Berlin'), {
    month: '2026-10',
    from: at('2026-09-30T22:00:00Z'),
    to: at('2026-10-31T23:00:00Z'),
  })
  t.end()
})

test('billing periods - a month is due an hour after its end, and not before', (t) => {
  const first = at('2026-10-12T12:00:00Z')
  const end = at('2026-10-31T23:00:00Z')
  t.equal(duePeriod(undefined, first, 'Europe/Berlin', end + settlingMs - 1), undefined)
  t.match(duePeriod(undefined, first, 'Europe/Berlin', end + settlingMs), { month: '2026-10', to: end })
  t.equal(duePeriod({ through: '2026-10', until: end }, first, 'Europe/Berlin', end + settlingMs), undefined)
  t.equal(duePeriod(undefined, undefined, 'UTC', end), undefined, 'without a session there is no month')
  t.end()
})

test('billing periods - after a time without the service every month is due, in order, and once', (t) => {
  const now = at('2027-02-01T01:00:00Z')
  const months: string[] = []
  let closed: { through: string; until: number } | undefined
  for (let due: Period | undefined; ; months.push(due.month)) {
    due = duePeriod(closed, at('2026-09-30T23:59:00Z'), 'UTC', now)
    if (due === undefined) break
    closed = closedBy(due)
  }
  t.same(months, ['2026-09', '2026-10', '2026-11', '2026-12', '2027-01'])
  t.end()
})

test('billing periods - months have neither gap nor overlap, whatever becomes of the time zone', (t) => {
  const zone = fc.constantFrom(...zones, 'Nowhere/Atall')
  const start = fc.integer({ min: at('1995-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z') })
  fc.assert(
    fc.property(start, fc.array(zone, { minLength: 2, maxLength: 30 }), (first, changed) => {
      let period = periodAround(first, changed[0] as string)
      if (period.from > first || period.to <= first) return false
      for (const next of changed) {
        const after = periodAfter(closedBy(period), next)
        if (after.from !== period.to || after.to <= after.from || after.month <= period.month) return false
        period = after
      }
      return true
    }),
  )
  t.end()
})
