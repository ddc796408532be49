// Bugs of prices.

import type { Bug } from './bug.js'

export const pricing: readonly Bug[] = [
  {
    name: 'tax-rounded-down',
    breaks: 'A driver pays a cent less tax than the law asks for.',
    file: 'src/pricing/price-session.ts',
    find: 'roundedTo(exactTax, 0).toNumber()',
    replace: 'exactTax.floor().toNumber()',
    tests: ['pricing/price-session'],
  },
  {
    name: 'half-cents-to-even',
    breaks: 'Half a cent is rounded down on every second bill.',
    file: 'src/pricing/money.ts',
    find: 'rounding: Decimal.ROUND_HALF_UP',
    replace: 'rounding: Decimal.ROUND_HALF_EVEN',
    tests: ['pricing/price-session'],
  },
  {
    name: 'steps-rounded-down',
    breaks: 'Energy is billed to the step below the metered energy.',
    file: 'src/pricing/billed-quantities.ts',
    find: 'quantity + step - over',
    replace: 'quantity - over',
    tests: ['pricing/price-session'],
  },
  {
    name: 'grace-is-billed',
    breaks: 'The idle minutes that are free are billed.',
    file: 'src/pricing/billed-quantities.ts',
    find: 'roundedUp(measured - grace, step)',
    replace: 'roundedUp(measured, step)',
    tests: ['pricing/price-session'],
  },
  {
    name: 'idle-time-twice',
    breaks: 'Idle time is billed as idle time and as charging time.',
    file: 'src/pricing/billed-quantities.ts',
    find: '(idle.isPriced ? session.idleMs : 0)',
    replace: '0',
    tests: ['pricing/price-session'],
  },
  {
    name: 'minimum-lowers',
    breaks: 'A rule with a minimum cost lowers the bill to it.',
    file: 'src/pricing/evaluate-rule.ts',
    find: 'return Math.max(before, minorOf(value, minorUnits))',
    replace: 'return Math.min(before, minorOf(value, minorUnits))',
    tests: ['pricing/evaluate-rule'],
  },
  {
    name: 'rule-energy-in-wh',
    breaks: 'A rule on kWh compares Wh, so it matches nearly every session.',
    file: 'src/pricing/price-session.ts',
    find: 'energy_kwh: session.energy.milliwattHours / 1_000_000',
    replace: 'energy_kwh: session.energy.milliwattHours / 1_000',
    tests: ['pricing/price-session'],
  },
]
