// What a front owes to repeats over other fronts: claims whose end the store did not take. They wait for the front that holds one, so
// it lets go of them as soon as the store takes writes again. A restart settles those that are in memory no more.

import type { Change, Condition } from '../../../runtime/store/store.js'
import { limits } from '../limits.js'
import type { Services } from '../services.js'

const retryEveryMs = 1_000

export interface UnsettledClaims {
  /** Commits `change` unless `condition` fails: then somebody else has settled the claim. */
  add(change: Change, condition: Condition): void
}

export function createUnsettledClaims(services: Pick<Services, 'commit'>): UnsettledClaims {
  const unsettled: (readonly [Change, Condition])[] = []

  async function settle(): Promise<void> {
    for (let [first] = unsettled; first !== undefined; [first] = unsettled) {
      const [change, condition] = first
      const result = await services.commit([change], [condition])
      if (!result.ok && result.reason === 'storage_unavailable') break
      unsettled.shift()
    }
    if (unsettled.length > 0) settleLater()
  }

  function settleLater(): void {
    setTimeout(() => void settle(), retryEveryMs).unref()
  }

  return {
    add(change, condition) {
      if (unsettled.length >= limits.unsettledClaims) return
      unsettled.push([change, condition])
      if (unsettled.length === 1) settleLater()
    },
  }
}
