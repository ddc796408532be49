// Tariffs as partners see them: that the price at any moment is the one that a session which starts then is charged, and why some are not offered.

import fc from 'fast-check'
import { test } from 'tap'
import { priceCdr, rounded } from '../../src/emsp/price-cdr.js'
import { tariffSchema } from '../../src/ocpi/schemas/tariff.js'
import { makeTariff, type TariffFacts } from '../../src/ocpi/tariff/make-tariff.js'
import { tariffMarker } from '../../src/ocpi/tariff/read-tariff.js'
import { faultsOfSent } from '../../src/ocpi/validators.js'
import type { RuleTerms } from '../../src/pricing/rule-terms.js'
import { selectRates } from '../../src/pricing/select-rates.js'
import { snapshotOf } from '../../src/pricing/tariff-snapshot.js'
import {
  componentTypes,
  daysOfWeek,
  type PriceComponent,
  type RateBand,
  type ScheduleEntry,
} from '../../src/pricing/tariff-terms.js'
import { type BillingRule, billingRulesTable } from '../../src/records/billing-rule.js'
import { organizationsTable } from '../../src/records/organization.js'
import {
  type TariffRates,
  type TariffSchedule,
  tariffRatesTable,
  tariffSchedulesTable,
} from '../../src/records/tariff-rates.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { commit, put } from '../contract/store-stage.js'
import { minute, rule, tariff } from '../pricing/examples.js'
import { cdrOf, endedSession, party } from './roaming.js'

const zone = 'Europe/Amsterdam'
const updated_at = '2026-02-01T00:00:00.000Z'

interface Given {
  readonly components?: readonly PriceComponent[]
  readonly tax_percentage?: number
  readonly bands?: readonly RateBand[]
  readonly entries?: readonly ScheduleEntry[]
  readonly rules?: readonly BillingRule[]
}

function facts({ components = [], tax_percentage = 20, bands = [], entries = [], rules = [] }: Given): TariffFacts {
  const row = { tariff_id: 'trf_1', organization_id: 'org_1', version: 1, updated_at }
  return {
    party,
    tariff: tariff({ components, tax_percentage }),
    rates: { ...row, bands },
    schedule: { ...row, entries },
    rules,
    timeZone: zone,
  }
}

/** 2026-02-04 is a Wednesday; 10:00 in Amsterdam. */
const morning = Date.parse('2026-02-04T09:00:00Z')

function offered(given: Given, now = morning) {
  const made = makeTariff(facts(given), now)
  if (!made.ok) throw new Error(made.reason)
  return made
}

function reasonOf(given: Given): string | undefined {
  const made = makeTariff(facts(given), morning)
  return made.ok ? undefined : made.reason
}

test('OCPI tariff - energy, a fee and idle time are components with the VAT of the tariff', (t) => {
  const { tariff: made } = offered({
    components: [
      { type: 'flat', price: 0.5, step_size: 7 },
      { type: 'energy', price: 0.25, step_size: 100 },
      { type: 'time', price: null },
      { type: 'idle', price: 2, step_size: 900, grace_minutes: null },
    ],
  })
  t.same(made, {
    ...party,
    id: 'trf_1',
    currency: 'EUR',
    elements: [
      {
        price_components: [
          { type: 'FLAT', price: 0.5, vat: 20, step_size: 1 },
          { type: 'ENERGY', price: 0.25, vat: 20, step_size: 100 },
          { type: 'TIME', price: 0, vat: 20, step_size: 1 },
          { type: 'PARKING_TIME', price: 2, vat: 20, step_size: 900 },
        ],
      },
    ],
    last_updated: updated_at,
  })
  t.same(faultsOfSent(tariffSchema, made), [])
  t.end()
})

test('OCPI tariff - without an idle price, time and parking cost the same', (t) => {
  const { tariff: made } = offered({ components: [{ type: 'time', price: 3, step_size: 60 }] })
  t.same(made.elements, [
    {
      price_components: [
        { type: 'TIME', price: 3, vat: 20, step_size: 60 },
        { type: 'PARKING_TIME', price: 3, vat: 20, step_size: 60 },
      ],
    },
  ])
  t.end()
})

test('OCPI tariff - without any component it is free', (t) => {
  t.same(offered({ tax_percentage: 0 }).tariff.elements, [
    { price_components: [{ type: 'FLAT', price: 0, vat: 0, step_size: 1 }] },
  ])
  t.end()
})

const bands: RateBand[] = [
  { band: 'night', components: [{ type: 'energy', price: 0.2 }] },
  { band: 'weekend', components: [{ type: 'energy', price: 0.3 }] },
]
const day: PriceComponent[] = [
  { type: 'energy', price: 0.4 },
  { type: 'flat', price: 1 },
]

test('OCPI tariff - a schedule gives the prices of a session that starts now, and the tariff is another at each switch', (t) => {
  const given: Given = {
    components: day,
    bands,
    entries: [
      { band: 'gone', start_time: '00:00', end_time: '00:00' },
      { band: 'night', start_time: '22:00', end_time: '06:00' },
      { band: 'weekend', days: ['sat', 'sun'], start_time: '06:00', end_time: '22:00' },
    ],
  }
  const at = (time: string) => offered(given, Date.parse(time)).tariff
  const energy = { type: 'ENERGY', price: 0.4, vat: 20, step_size: 1 }
  const fee = { type: 'FLAT', price: 1, vat: 20, step_size: 1 }
  t.same(at('2026-02-04T20:59:59Z').elements, [{ price_components: [energy, fee] }])
  t.same(at('2026-02-04T21:00:00Z').elements, [{ price_components: [{ ...energy, price: 0.2 }] }])
  t.same(at('2026-02-07T12:00:00Z').elements, [{ price_components: [{ ...energy, price: 0.3 }] }])
  t.equal(at('2026-02-04T21:30:00Z').tariff_alt_text, undefined)
  t.same(faultsOfSent(tariffSchema, at('2026-02-04T21:00:00Z')), [])
  const changed: Readonly<Record<string, string>> = {
    '2026-02-04T20:59:59Z': '2026-02-04T05:00:00.000Z',
    '2026-02-04T21:00:00Z': '2026-02-04T21:00:00.000Z',
    '2026-02-04T22:30:00Z': '2026-02-04T21:00:00.000Z',
    '2026-02-05T00:30:00Z': '2026-02-04T23:00:00.000Z',
    // The clocks are put forward at 01:00 UTC, and back.
    '2026-03-29T01:30:00Z': '2026-03-28T23:00:00.000Z',
    '2026-10-25T02:00:00Z': '2026-10-24T22:00:00.000Z',
  }
  for (const [now, last] of Object.entries(changed)) t.equal(Date.parse(at(now).last_updated), Date.parse(last), now)
  const edited = facts(given)
  const made = makeTariff({ ...edited, tariff: { ...edited.tariff, updated_at: '2026-02-04T08:00:00.000Z' } }, morning)
  t.match(made, { tariff: { last_updated: '2026-02-04T08:00:00' } })
  t.end()
})

test('OCPI tariff - its mark is another while another band holds, so that it is published again', async (t) => {
  const {
    rates,
    schedule,
    tariff: row,
  } = facts({
    components: day,
    bands,
    entries: [{ band: 'night', start_time: '22:00', end_time: '06:00' }],
  })
  const store = openMemoryStore([billingRulesTable, organizationsTable, tariffRatesTable, tariffSchedulesTable])
  const rows = [put(tariffRatesTable, rates as TariffRates), put(tariffSchedulesTable, schedule as TariffSchedule)]
  await commit(store, rows)
  const markAt = (time: string) => tariffMarker(store.view(), 'org_1', Date.parse(time))(row)
  const byDay = markAt('2026-02-04T12:00:00Z')
  t.equal(markAt('2026-02-04T20:59:59Z'), byDay)
  t.not(markAt('2026-02-04T22:00:00Z'), byDay)
  t.equal(markAt('2026-02-05T12:00:00Z'), byDay)
})

test('OCPI tariff - what comes after a window that is always open does not matter', (t) => {
  const grace: PriceComponent[] = [{ type: 'idle', price: 5, grace_minutes: 10 }]
  const open: ScheduleEntry = { band: 'night', days: [...daysOfWeek], start_time: '07:00', end_time: '07:00' }
  t.equal(reasonOf({ components: grace, bands, entries: [open] }), undefined)
  t.match(reasonOf({ components: grace, bands, entries: [{ ...open, days: ['mon'] }] }), /leaves 10 minutes free/)
  t.end()
})

const clock = fc
  .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.constantFrom('00', '30', '59') })
  .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${minute}`)
const date = fc.integer({ min: 0, max: 28 }).map((days) => new Date(Date.parse('2026-10-12') + days * 86_400_000))

const entries: fc.Arbitrary<ScheduleEntry[]> = fc.array(
  fc
    .record(
      {
        band: fc.constantFrom('A', 'B', 'gone'),
        days: fc.uniqueArray(fc.constantFrom(...daysOfWeek)),
        start_time: clock,
        end_time: clock,
        dates: fc.tuple(date, date),
      },
      { requiredKeys: ['band', 'start_time', 'end_time'] },
    )
    .map(({ dates, ...entry }) => {
      const [from_date, to_date] = (dates ?? []).map((one) => one.toISOString().slice(0, 10)).sort()
      return { ...entry, ...(from_date !== undefined && to_date !== undefined && { from_date, to_date }) }
    }),
  { maxLength: 6 },
)

const components: fc.Arbitrary<PriceComponent[]> = fc.uniqueArray(
  fc.record({
    type: fc.constantFrom(...componentTypes),
    price: fc.integer({ min: 0, max: 9_999 }).map((parts) => parts / 10_000),
    step_size: fc.constantFrom(null, 1, 60, 100, 900),
  }),
  { selector: ({ type }) => type },
)

test('OCPI tariff - a session costs what the tariff says at its start, however long it is and whatever the schedule', (t) => {
  const given = fc.record({
    components,
    bands: fc.tuple(components, components).map(([a, b]) => [
      { band: 'A', components: a },
      { band: 'B', components: b },
    ]),
    entries,
    // Four weeks in which the clock is put back.
    hours: fc.constantFrom(0, 1, 9),
    at: fc.integer({ min: 0, max: 40_320 }).map((minutes) => Date.parse('2026-10-11T22:00:00Z') + minutes * minute),
  })
  fc.assert(
    fc.property(given, ({ at, hours, ...rest }) => {
      const { tariff: made } = offered(rest, at)
      const end = at + 40_500 + hours * 60 * minute
      const session = endedSession(3, 0, 0, {
        started_at: new Date(at).toISOString(),
        ended_at: new Date(end).toISOString(),
        statuses: [
          { at, status: 'Charging' },
          { at: at + 20_250, status: 'SuspendedEV' },
          { at: at + 20_750, status: 'Charging' },
        ],
      })
      const selected = selectRates(tariff(rest), rest.bands, rest.entries, at, zone)
      const snapshot = snapshotOf(tariff({ ...rest, tax_percentage: 20 }), selected, zone)
      const cdr = cdrOf(session, snapshot)
      t.same(faultsOfSent(tariffSchema, made), [])
      t.same(rounded(priceCdr({ ...cdr, tariffs: [made] }, zone).total), cdr.total_cost)
      return t.passing()
    }),
    {
      numRuns: 1_000,
      // Energy, time and idle time together are exactly 2.57945 with tax, and the two times go on behind the point.
      examples: [
        [
          {
            components: [
              { type: 'flat', price: 0.4245, step_size: null },
              { type: 'idle', price: 0.3419, step_size: 100 },
              { type: 'energy', price: 0.4741, step_size: 900 },
              { type: 'time', price: 0.7906, step_size: 900 },
            ],
            bands: [],
            entries: [],
            hours: 0,
            at: Date.parse('2026-10-17T00:37:00Z'),
          },
        ],
      ],
    },
  )
  t.end()
})

test('OCPI tariff - what OCPI cannot say is not offered, and the reason is given', (t) => {
  const grace: PriceComponent[] = [{ type: 'idle', price: 5, grace_minutes: 10 }]
  t.match(reasonOf({ components: grace }), /^The idle price of the tariff leaves 10 minutes free .*grace_minutes/)
  t.match(
    reasonOf({
      components: day,
      bands: [{ band: 'night', components: grace }],
      entries: [{ band: 'night', start_time: '22:00', end_time: '06:00' }],
    }),
    /^The idle price of the rate band "night" leaves 10 minutes free/,
  )
  t.match(reasonOf({ components: [{ type: 'energy', price: 0.12345 }] }), /energy price .*0\.12345.* four decimals/)
  t.match(reasonOf({ components: day, tax_percentage: 20.00001 }), /tax .*20\.00001 percent.* four decimals/)
  t.end()
})

test('OCPI tariff - free idle minutes do not matter where neither idle time nor time costs anything', (t) => {
  t.equal(reasonOf({ components: [{ type: 'idle', price: 0, grace_minutes: 10 }] }), undefined)
  t.match(
    reasonOf({
      components: [
        { type: 'idle', price: 0, grace_minutes: 10 },
        { type: 'time', price: 1 },
      ],
    }),
    /leaves 10 minutes free/,
  )
  t.end()
})

test('OCPI tariff - a band that no entry names does not matter', (t) => {
  const components: PriceComponent[] = [{ type: 'idle', price: 5, grace_minutes: 10 }]
  t.equal(reasonOf({ components: day, bands: [{ band: 'old', components }] }), undefined)
  t.end()
})

const always = (type: RuleTerms['actions'][number]['type'], value: number) => rule({ actions: [{ type, value }] })
const atNight = { conditions: [{ field: 'start_hour', operator: 'gte', value: 22 }] } as const

test('OCPI tariff - a minimum and a maximum cost of every session are its minimum and maximum price', (t) => {
  const rules = [always('minimum_cost', 0.55), always('maximum_cost', 10)]
  t.match(offered({ components: day, tax_percentage: 5.5, rules }).tariff, {
    min_price: { excl_vat: 0.55, incl_vat: 0.58 },
    max_price: { excl_vat: 10, incl_vat: 10.55 },
  })
  const below = [always('minimum_cost', 5), { ...always('maximum_cost', 3), priority: 2 }]
  t.match(offered({ components: day, rules: below }).tariff, { min_price: { excl_vat: 3 }, max_price: { excl_vat: 3 } })
  t.end()
})

test('OCPI tariff - billing rules that make sessions cost more than it says keep it from being offered', (t) => {
  const of = (...rules: BillingRule[]) => reasonOf({ components: day, rules })
  t.match(
    of({ ...always('surcharge_percent', 10), name: 'Peak' }),
    /^The billing rule "Peak" changes the price of every session/,
  )
  t.match(of(always('discount_fixed', 1)), /changes the price of every session/)
  t.match(
    of({ ...always('surcharge_fixed', 1), ...atNight, name: 'Night' }),
    /^The billing rule "Night" can raise the price/,
  )
  t.match(of({ ...always('minimum_cost', 1), ...atNight }), /can raise the price/)
  t.match(of({ ...always('set_total', 1), ...atNight }), /can raise the price/)
  t.end()
})

test('OCPI tariff - billing rules that lower the price of some sessions, do nothing, or are of others, do not matter', (t) => {
  const of = (...rules: BillingRule[]) => reasonOf({ components: day, rules })
  t.equal(of({ ...always('discount_percent', 10), ...atNight }), undefined)
  t.equal(of({ ...always('maximum_cost', 5), ...atNight }), undefined)
  t.equal(of(always('surcharge_percent', 0)), undefined)
  t.equal(of({ ...always('surcharge_percent', 5), active: false }), undefined)
  const guests = { conditions: [{ field: 'auth_method', operator: 'eq', value: 'guest' }] } as const
  t.equal(of({ ...always('surcharge_percent', 5), ...guests }), undefined)
  t.end()
})
