// The tariffs of each organization with their marks, read once for all of its partners on this shard. To read them costs a look at each tariff: they are
// good for a second, or for longer where that took long, so that it never takes more than a small part of the time.

import type { Clock } from '../../runtime/clock.js'
import type { ReadView } from '../../runtime/store/store.js'
import { limits } from './limits.js'
import type { PushSource } from './source.js'

export interface OfferedTariffs {
  /** Marks by id. */
  of(view: ReadView, organizationId: string, clock: Pick<Clock, 'now' | 'monotonic'>): ReadonlyMap<string, string>
}

interface Offer {
  readonly marks: ReadonlyMap<string, string>
  /** Monotonic ms. */
  readonly until: number
}

const leastMs = 1_000
/** One part in so many of the time may go into reading them. */
const part = 20

export function createOfferedTariffs(source: Pick<PushSource, 'tariffs'>): OfferedTariffs {
  /** In the order in which they were read. */
  const offers = new Map<string, Offer>()
  return {
    of(view, organizationId, clock) {
      const begun = clock.monotonic()
      const known = offers.get(organizationId)
      if (known !== undefined && begun < known.until) return known.marks
      const marks = source.tariffs(view, organizationId, clock.now())
      const ended = clock.monotonic()
      offers.delete(organizationId)
      offers.set(organizationId, { marks, until: ended + Math.max(leastMs, (ended - begun) * part) })
      if (offers.size > limits.ocpiRecentOrganizations) offers.delete(offers.keys().next().value as string)
      return marks
    },
  }
}
