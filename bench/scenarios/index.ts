// Every scenario, in the order in which they run.

import type { Scenario } from '../scenario.js'
import { allocatePowerScenario } from './allocate-power.js'
import { certificates } from './certificates.js'
import { coldStart } from './cold-start.js'
import { commands } from './commands.js'
import { commissionings } from './commissionings.js'
import { connectStorm } from './connect-storm.js'
import { consoleInBrowser } from './console.js'
import { costAt15k } from './cost-at-15k.js'
import { eventFeed } from './event-feed.js'
import { eventStore } from './event-store.js'
import { fleet } from './fleet.js'
import { heartbeat } from './heartbeat.js'
import { idleMemory } from './idle-memory.js'
import { lists } from './lists.js'
import { logins } from './logins.js'
import { meterValues } from './meter-values.js'
import { ocpiAuthorize } from './ocpi-authorize.js'
import { ocpiLocations } from './ocpi-locations.js'
import { ocpiPush } from './ocpi-push.js'
import { powerHistory } from './power-history.js'
import { pricing } from './pricing.js'
import { receipts } from './receipts.js'
import { sessionCost } from './session-cost.js'
import { sites } from './sites.js'
import { startTransaction } from './start-transaction.js'
import { webhooks } from './webhooks.js'

export const scenarios: readonly Scenario[] = [
  heartbeat,
  meterValues,
  startTransaction,
  pricing,
  sessionCost,
  allocatePowerScenario,
  sites,
  powerHistory,
  idleMemory,
  connectStorm,
  costAt15k,
  commands,
  webhooks,
  ocpiPush,
  ocpiAuthorize,
  eventStore,
  eventFeed,
  fleet,
  consoleInBrowser,
  lists,
  ocpiLocations,
  receipts,
  logins,
  certificates,
  commissionings,
  coldStart,
]
