// What pricing costs by itself: a typical session, priced again and again in this process.

import { minorUnitsOf } from '../../src/pricing/money.js'
import { priceSession } from '../../src/pricing/price-session.js'
import type { SessionFacts } from '../../src/pricing/session-facts.js'
import type { TariffSnapshot } from '../../src/pricing/tariff-terms.js'
import type { Scenario } from '../scenario.js'
import { typicalComponents, typicalRules } from './typical-tariff.js'

const samples = 60
const minuteMs = 60_000
const startedAt = Date.UTC(2026, 5, 1, 9)

const facts: SessionFacts = {
  sessionId: 'ses_bench',
  startedAt,
  endedAt: startedAt + (samples + 20) * minuteMs,
  energyWh: samples * 180,
  samples: Array.from({ length: samples }, (_, at) => ({ at: startedAt + at * minuteMs, registerWh: at * 180 })),
  spans: [
    { state: 'charging', from: startedAt, to: startedAt + samples * minuteMs },
    { state: 'idle', from: startedAt + samples * minuteMs },
  ],
  stopReason: 'Local',
  idTag: 'TAG1',
  connectorId: 1,
  chargePointId: 'CP-1',
  authMethod: 'rfid',
}

const snapshot: TariffSnapshot = {
  tariff_id: 'trf_bench',
  name: 'Bench',
  currency: 'EUR',
  minor_units: minorUnitsOf('EUR'),
  tax_percentage: 20,
  band: null,
  components: typicalComponents.map((component) => ({ grace_minutes: 0, ...component })),
  time_zone: 'Europe/Amsterdam',
}

export const pricing: Scenario = {
  name: 'pricing',
  title: 'A session of 60 samples, 4 components and 5 rules, priced in one thread',
  subjects: ['ampshard'],
  parameters: (quick) => ({ times: quick ? 2_000 : 100_000 }),
  targets: [{ metric: 'CPU per session', is: 'at most', value: 50 }],
  async run(_bench, _subject, { times = 0 }) {
    for (let time = 0; time < times / 10; time++) priceSession(facts, snapshot, typicalRules)
    const before = process.cpuUsage()
    let total = 0
    for (let time = 0; time < times; time++) total += priceSession(facts, snapshot, typicalRules).total
    const { user, system } = process.cpuUsage(before)
    return [
      { metric: 'CPU per session', value: (user + system) / times, unit: 'us' },
      { metric: 'its total', value: total / times, unit: 'EUR' },
    ]
  },
}
