// A scenario in its small size, as a test: the faults of the full one, under a load that leaves the processors to others. The seed is in the output; AMPSHARD_CHAOS_SEED gives it again.

import { test } from 'tap'
import { runScenario, type Scenario } from './scenario.js'

export function testSmall(scenario: Scenario): void {
  test(`${scenario.name} - ${scenario.promise}`, async (t) => {
    const seed = Number(process.env.AMPSHARD_CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))
    const { figures, violations, directory } = await runScenario(scenario, { size: 'small', seed })
    t.comment(`seed ${seed}`, figures, directory ?? '')
    t.same(violations, [])
  })
}
