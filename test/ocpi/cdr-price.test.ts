// What a partner computes from a CDR of ours is what we charge: by the worked examples of the standard, and for sessions and tariffs at random.

import fc from 'fast-check'
import { test } from 'tap'
import { compare, dividedBy, type Fraction, fraction, fractionOf, sumOf, times } from '../../src/emsp/fraction.js'
import { invoiced, priceCdr, rounded } from '../../src/emsp/price-cdr.js'
import { type Cdr, cdrSchema } from '../../src/ocpi/schemas/cdr.js'
import { faultsOfSent } from '../../src/ocpi/validators.js'
import { minorOf } from '../../src/pricing/money.js'
import type { PricedSession } from '../../src/pricing/price-session.js'
import type { RuleTerms } from '../../src/pricing/rule-terms.js'
import { sumStatuses } from '../../src/pricing/status-spans.js'
import { componentTypes, type SnapshotComponent, type TariffSnapshot } from '../../src/pricing/tariff-terms.js'
import type { Session, SessionStatusChange } from '../../src/records/session.js'
import { rules as someRules } from '../pricing/arbitraries.js'
import { component, minute, rule, snapshot, start } from '../pricing/examples.js'
import { cdrOf, endedSession, roaming } from './roaming.js'

const zone = 'Europe/Amsterdam'
const fee = component('flat', 0.5)
const energy = component('energy', 0.25)
const bound = (type: 'minimum_cost' | 'maximum_cost', value: number) => [rule({ actions: [{ type, value }] })]

/** One percentage of tax is all that our tariffs have: examples with two are held to their amounts before tax, and taxed at 10 percent. */
const examples: readonly (readonly [string, Session, TariffSnapshot, readonly RuleTerms[], number, number])[] = [
  ['V1', endedSession(20), snapshot([energy], 10), [], 5, 5.5],
  ['V2', endedSession(20), snapshot([fee, energy], 10), [], 5.5, 6.05],
  ['V3', endedSession(20), snapshot([energy], 10), bound('minimum_cost', 0.5), 5, 5.5],
  ['V3, the minimum', endedSession(1.2), snapshot([energy], 10), bound('minimum_cost', 0.5), 0.5, 0.55],
  ['V4', endedSession(20, 60, 40), snapshot([fee, energy, component('idle', 2, 900)], 10), [], 7, 7.7],
  ['V5, the maximum', endedSession(50), snapshot([fee, energy], 10), bound('maximum_cost', 10), 10, 11],
  ['V5', endedSession(30), snapshot([fee, energy], 10), bound('maximum_cost', 10), 8, 8.8],
  ['V6', endedSession(0, 150), snapshot([component('time', 2, 60)], 10), [], 5, 5.5],
  [
    'V7',
    endedSession(0, 150, 42),
    snapshot([component('time', 3, 60), component('idle', 5, 300)], 10),
    [],
    11.25,
    12.375,
  ],
  ['V8', endedSession(0, 150), snapshot([component('time', 1.9, 300)], 5.2), [], 4.75, 4.997],
  ['V9', endedSession(20.45), snapshot([fee, component('energy', 0.25, 100)], 10), [], 5.625, 6.1875],
  [
    'V11, at one side of the threshold of current',
    endedSession(0, 165, 42),
    snapshot([component('flat', 2.5), component('time', 1, 900), component('idle', 5, 300)], 10),
    [],
    9,
    9.9,
  ],
  [
    'V13, at the other',
    endedSession(0, 114, 71),
    snapshot([component('flat', 2.5), component('time', 1.25, 600), component('idle', 6, 300)], 10),
    [],
    12.375,
    13.6125,
  ],
]

for (const [name, session, tariff, rules, excl_vat, incl_vat] of examples)
  test(`CDR - ${name} costs what the standard says, by our own tariff, session and price`, (t) => {
    const cdr = cdrOf(session, tariff, { rules })
    t.same(cdr.total_cost, { excl_vat, incl_vat })
    t.same(rounded(priceCdr(cdr, zone).total), { excl_vat, incl_vat })
    t.same(faultsOfSent(cdrSchema, cdr), [])
    t.end()
  })

/** As the standard writes prices: four decimals. */
const price = fc.oneof(
  fc.integer({ min: 0, max: 200 }).map((cents) => cents / 100),
  fc.integer({ min: 0, max: 100_000 }).map((parts) => parts / 10_000),
)

const components: fc.Arbitrary<SnapshotComponent[]> = fc.uniqueArray(
  fc.record({
    type: fc.constantFrom(...componentTypes),
    price,
    step_size: fc.oneof(fc.constantFrom(1, 60, 300, 900), fc.integer({ min: 1, max: 5_000 })),
    grace_minutes: fc.constant(0),
  }),
  { selector: ({ type }) => type, minLength: 1 },
)

const tariffs: fc.Arbitrary<TariffSnapshot> = fc
  .tuple(components, fc.constantFrom(0, 5.2, 7, 19, 20, 25.5, 100), fc.constantFrom('EUR', 'JPY', 'KWD'))
  .map(([list, tax, currency]) => snapshot(list, tax, currency))

const statuses = fc
  .array(
    fc.record({
      after: fc.oneof(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 120 }).map((n) => n * minute),
      ),
      status: fc.constantFrom('Charging', 'SuspendedEV', 'SuspendedEVSE', 'Finishing', 'Preparing'),
    }),
    { maxLength: 12 },
  )
  .map((changes): SessionStatusChange[] => {
    let at = start
    return changes.map(({ after, status }) => {
      at += after
      return { at, status }
    })
  })

const sessions = fc
  .record({
    statuses,
    ms: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 86_400_000 })),
    energyWh: fc.oneof(
      fc.integer({ min: 0, max: 90_000 }),
      fc.integer({ min: 0, max: 90_000_000 }).map((mwh) => mwh / 1_000),
    ),
    readings: fc.array(fc.record({ at: fc.integer({ min: 0, max: 86_400_000 }), wh: fc.integer({ max: 90_000 }) }), {
      maxLength: 5,
    }),
    summed: fc.nat({ max: 12 }),
  })
  .map(({ statuses: all, ms, energyWh, readings, summed }) => {
    const kept = all.slice(summed)
    const until = kept[0]?.at ?? all.at(-1)?.at ?? start
    const session = endedSession(0, 0, 0, {
      ended_at: new Date(start + ms).toISOString(),
      energy_wh: energyWh,
      meter_stop: 1_000 + energyWh,
      statuses: kept,
      ...(summed > 0 && { earlier_statuses: sumStatuses(all.slice(0, summed), start, until) }),
    })
    const meterValues = readings
      .map(({ at, wh }) => ({ owner: session.session_id, at: start + at, context: '', samples: [], energy_wh: wh }))
      .sort((a, b) => a.at - b.at)
    return { session, meterValues }
  })

const units = { Wh: fraction(1_000n), s: fraction(3_600n), session: fraction(1n) }

/** Before any rounding. */
function exactNet({ trace }: PricedSession): Fraction {
  return sumOf(
    trace.lines.map(({ price, billed, unit }) => dividedBy(times(fractionOf(price), fractionOf(billed)), units[unit])),
  )
}

function chargedOf({ total, tax, trace }: PricedSession) {
  const { minor_units } = trace.rounding
  const net = minorOf(total, minor_units) - minorOf(tax, minor_units)
  return { excl_vat: net / 10 ** minor_units, incl_vat: total }
}

const sumOfVolumes = ({ charging_periods }: Cdr, type: string): number =>
  Math.round(
    charging_periods
      .flatMap(({ dimensions }) => dimensions)
      .filter((dimension) => dimension.type === type)
      .reduce((sum, { volume }) => sum + volume, 0) * 1e4,
  ) / 1e4

test('CDR - of 1,000 sessions at random, what a partner computes is what is charged, exactly before rounding and to the cent after it', (t) => {
  fc.assert(
    fc.property(sessions, tariffs, ({ session, meterValues }, tariff) => {
      const material = { meterValues }
      const priced = roaming(session, tariff, { material }).charged?.priced as PricedSession
      const cdr = cdrOf(session, tariff, { material })
      const computed = priceCdr(cdr, zone)
      const dimensions = [
        [computed.fixed, cdr.total_fixed_cost],
        [computed.energy, cdr.total_energy_cost],
        [computed.time, cdr.total_time_cost],
        [computed.parking, cdr.total_parking_cost],
      ] as const
      t.same(faultsOfSent(cdrSchema, cdr), [])
      t.same(rounded(computed.total), cdr.total_cost)
      t.same(invoiced(computed, priced.trace.rounding.minor_units), chargedOf(priced))
      t.ok(compare(computed.total.excl, exactNet(priced)) === 0)
      for (const [one, said = { excl_vat: 0, incl_vat: 0 }] of dimensions) t.same(rounded(one), said)
      t.equal(sumOfVolumes(cdr, 'ENERGY'), cdr.total_energy)
      t.equal(sumOfVolumes(cdr, 'PARKING_TIME'), cdr.total_parking_time ?? 0)
      return t.passing()
    }),
    { numRuns: 1_000 },
  )
  t.end()
})

test('CDR - also where billing rules and disputes have changed the price', (t) => {
  const agreed = fc.option(fc.double({ min: 0, max: 1.1, noNaN: true }))
  fc.assert(
    fc.property(sessions, tariffs, someRules, agreed, ({ session }, tariff, rules, share) => {
      const before = roaming(session, tariff, { rules }).charged?.priced as PricedSession
      const { minor_units } = before.trace.rounding
      const total = Math.round(minorOf(before.total, minor_units) * (share ?? 1)) / 10 ** minor_units
      const more = { rules, ...(share !== null && { agreed: { dispute_id: 'dsp_1', total } }) }
      const priced = roaming(session, tariff, more).charged?.priced as PricedSession
      const cdr = cdrOf(session, tariff, more)
      const computed = priceCdr(cdr, zone)
      t.same(faultsOfSent(cdrSchema, cdr), [])
      t.same(rounded(computed.total), cdr.total_cost)
      t.same(invoiced(computed, minor_units), chargedOf(priced))
      return t.passing()
    }),
    { numRuns: 300 },
  )
  t.end()
})
