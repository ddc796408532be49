// Random sessions, tariffs and rules: sane ones for what must hold of money, and any at all for what must never throw.

import fc from 'fast-check'
import { actionTypes, conditionFields, conditionOperators, type RuleCondition } from '../../src/pricing/rule-terms.js'
import type { SessionFacts } from '../../src/pricing/session-facts.js'
import type { SnapshotComponent, TariffSnapshot } from '../../src/pricing/tariff-terms.js'
import { componentTypes } from '../../src/pricing/tariff-terms.js'
import type { BillingRule } from '../../src/records/billing-rule.js'
import { minute, rule, snapshot, start } from './examples.js'

/** Prices as people write them, and ones with more decimals than the currency has. */
const price = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
  fc.double({ min: 0, max: 1_000, noNaN: true }),
)

export const components: fc.Arbitrary<SnapshotComponent[]> = fc.uniqueArray(
  fc.record({
    type: fc.constantFrom(...componentTypes),
    price,
    step_size: fc.constantFrom(1, 60, 100, 900, 3_600),
    grace_minutes: fc.constantFrom(0, 10, 0.5),
  }),
  { selector: ({ type }) => type },
)

export const tariffs: fc.Arbitrary<TariffSnapshot> = fc
  .tuple(components, fc.constantFrom(0, 5.2, 19, 20, 100), fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'))
  .map(([list, tax, currency]) => snapshot(list, tax, currency))

const offset = fc.integer({ min: -60, max: 2_000 }).map((minutes) => start + minutes * minute)

export const sessions: fc.Arbitrary<SessionFacts> = fc
  .record({
    energyWh: fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.double({ min: 0, max: 200_000, noNaN: true })),
    seconds: fc.integer({ min: 0, max: 200_000 }),
    spans: fc.array(
      fc.record({
        state: fc.constantFrom('charging', 'suspended-ev', 'suspended-evse', 'idle'),
        from: offset,
        to: offset,
      }),
      { maxLength: 6 },
    ),
    idTag: fc.constantFrom('A', 'B'),
  })
  .map(({ seconds, ...facts }) => ({
    ...facts,
    sessionId: 'ses_1',
    startedAt: start,
    endedAt: start + seconds * 1000,
    samples: [],
    connectorId: 1,
    chargePointId: 'CP-1',
  }))

const scalar = fc.oneof(fc.integer({ min: -5, max: 200 }), fc.constantFrom('A', 'mon', '12', ''))

const conditions: fc.Arbitrary<RuleCondition> = fc.record({
  field: fc.constantFrom(...conditionFields),
  operator: fc.constantFrom(...conditionOperators),
  value: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
})

export const rules: fc.Arbitrary<BillingRule[]> = fc.array(
  fc
    .record({
      rule_id: fc.constantFrom('rul_1', 'rul_2', 'rul_3', 'rul_4'),
      priority: fc.integer({ min: 1, max: 3 }),
      active: fc.boolean(),
      conditions: fc.array(conditions, { maxLength: 2 }),
      actions: fc.array(
        fc.record({
          type: fc.constantFrom(...actionTypes),
          value: fc.oneof(fc.integer({ min: -10, max: 150 }), fc.double()),
        }),
        { maxLength: 3 },
      ),
    })
    .map((fields) => rule(fields)),
  { maxLength: 5 },
)

const anyNumber = fc.oneof(fc.double(), fc.maxSafeInteger(), fc.constantFrom(0, -0, 1, 1e308, -1e308))

export const wildSessions: fc.Arbitrary<SessionFacts> = fc.record(
  {
    sessionId: fc.string(),
    startedAt: anyNumber,
    endedAt: anyNumber,
    asOf: anyNumber,
    energyWh: anyNumber,
    samples: fc.array(fc.record({ at: anyNumber, registerWh: anyNumber }), { maxLength: 5 }),
    spans: fc.array(
      fc.record({ state: fc.constantFrom('charging' as const, 'idle' as const), from: anyNumber, to: anyNumber }),
      { maxLength: 5 },
    ),
    stopReason: fc.string(),
    idTag: fc.string(),
    connectorId: anyNumber,
    chargePointId: fc.string(),
    siteId: fc.string(),
    authMethod: fc.string(),
  },
  { requiredKeys: ['sessionId', 'startedAt', 'samples', 'spans', 'idTag', 'connectorId', 'chargePointId'] },
)

export const wildTariffs: fc.Arbitrary<TariffSnapshot> = fc.record({
  tariff_id: fc.string(),
  name: fc.string(),
  currency: fc.string(),
  minor_units: anyNumber,
  tax_percentage: anyNumber,
  band: fc.option(fc.string()),
  components: fc.array(
    fc.record({
      type: fc.constantFrom(...componentTypes),
      price: anyNumber,
      step_size: anyNumber,
      grace_minutes: anyNumber,
    }),
    { maxLength: 6 },
  ),
  time_zone: fc.oneof(fc.string(), fc.constantFrom('Europe/Berlin', 'America/St_Johns')),
})
