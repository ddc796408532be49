// Bugs of webhook endpoints.

import type { Mutant } from '../mutant.js'
import { worlds } from '../worlds.js'

export const webhooks: readonly Mutant[] = [
  {
    name: 'endpoint-passes-what-is-under-way',
    bug: 'the place of a webhook endpoint moves past events that are still being delivered',
    file: 'src/actors/webhook-endpoint/progress.ts',
    find: 'return item.after',
    replace: 'break',
    caughtBy: 'delivery-kept',
    seed: 5,
  },
  {
    name: 'two-deliveries-of-a-charge-point',
    bug: 'the next event of a charge point is delivered while one is under way',
    file: 'src/actors/webhook-endpoint/attempts.ts',
    find: ' || state.busySubjects.has(item.event.subject)',
    replace: '',
    caughtBy: 'delivery-order',
    seed: 5,
  },
  {
    name: 'retry-not-noted',
    bug: 'a webhook endpoint looks for the retry of a failed delivery only after the next start',
    file: 'src/actors/webhook-endpoint/reading.ts',
    find: 'if (at !== undefined && at < (state.nextRetryAt ?? Number.POSITIVE_INFINITY))',
    replace: 'if (false)',
    caughtBy: 'settled',
    world: worlds.webhooks,
    seed: 20,
  },
  {
    name: 'refusal-is-success',
    bug: 'a receiver that answers with a server error has taken the delivery',
    file: 'src/actors/webhook-endpoint/result.ts',
    find: 'status >= 200 && status < 300',
    replace: 'status >= 200',
    caughtBy: 'delivery-honest',
    seed: 5,
  },
]
