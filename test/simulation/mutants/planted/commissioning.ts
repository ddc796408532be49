// Bugs of commissionings, and of the configuration that they apply.

import type { Mutant } from '../mutant.js'
import { worlds } from '../worlds.js'

export const commissioning: readonly Mutant[] = [
  {
    name: 'test-asked-for-twice',
    bug: 'a test transaction is asked for again when the answer to its remote start was lost',
    file: 'src/actors/commissioning/steps.ts',
    find: "if (start.outcome === 'unsent') {",
    replace: 'if (isLost(start)) {',
    caughtBy: 'commissioning-once',
    world: worlds.installers,
    seed: 1,
  },
  {
    name: 'test-runs-on',
    bug: 'a commissioning that ends, or is paused, leaves its test transaction running where the charge point has answered the remote start',
    file: 'src/actors/commissioning/progress.ts',
    find: 'const mayBegin = isUnderWay || hasBegun ||',
    replace: 'const mayBegin = isUnderWay || hasBegun && false &&',
    caughtBy: 'commissioning-ends',
    world: worlds.installers,
    seed: 1,
  },
  {
    name: 'commissioning-in-memory',
    bug: 'that a commissioning goes on is known to its shard alone, and forgotten with it',
    file: 'src/actors/commissioning/advance.ts',
    find: 'const wake = isChanged || isWoken ?',
    replace: 'const wake = false ?',
    caughtBy: 'commissioning-ends',
    world: worlds.installers,
    seed: 4,
  },
  {
    name: 'lost-answer-is-consent',
    bug: 'a call whose connection was lost counts as accepted',
    file: 'src/actors/commissioning/calls.ts',
    find: "return { outcome: 'unknown', answer: 'the connection was lost' }",
    replace: "return { outcome: 'answered', answer: 'Accepted' }",
    caughtBy: 'commissioning-honest',
    world: worlds.installers,
    seed: 2,
  },
  {
    name: 'newest-by-the-clock',
    bug: 'the newest commissioning of a charge point is the one with the latest time, also where the clock has gone back since',
    file: 'src/records/commissioning.ts',
    find: 'order: [row.sequence]',
    replace: 'order: [Date.parse(row.started_at)]',
    caughtBy: 'commissioning-kept',
    world: worlds.installersClocks,
    seed: 1,
  },
  {
    name: 'change-sent-again-unseen',
    bug: 'a key whose change was under way when its shard ended is changed again before anybody has looked at it',
    file: 'src/actors/charge-point/configuration-steps.ts',
    find: "return step?.type === 'change' ? replaced(application, step.key, unsure) : application",
    replace: 'return application',
    caughtBy: 'commissioning-once',
    world: worlds.installers,
    seed: 1,
  },
]
