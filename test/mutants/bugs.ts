// All planted bugs, by area.

import type { Bug } from './bug.js'
import { chargePoint } from './charge-point.js'
import { console } from './console.js'
import { edge } from './edge.js'
import { ocpi } from './ocpi.js'
import { pricing } from './pricing.js'
import { routes } from './routes.js'
import { sites } from './sites.js'
import { store } from './store.js'
import { tenancy } from './tenancy.js'
import { webhooks } from './webhooks.js'

export const bugs: readonly Bug[] = [
  ...routes,
  ...pricing,
  ...ocpi,
  ...sites,
  ...console,
  ...tenancy,
  ...store,
  ...edge,
  ...chargePoint,
  ...webhooks,
]
