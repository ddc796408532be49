// A few well-behaved charge points of another organization, with a reader of its API and guests who pay, in a process of their own: what they
// feel while the service is fuzzed stays within the order of magnitude of a busy day.

import { registerAll } from '../chaos/fleet.js'
import { sellEverywhere } from '../chaos/hostile/ground.js'
import { kinds, startNeighbours } from '../chaos/hostile/neighbours.js'
import { tenantOf } from '../support/organization.js'
import type { Service, Teardowns } from '../support/service.js'

export interface Neighbourhood {
  /** Names what they should not have felt. Returns their Heartbeats' p50, p90 and longest. */
  leave(wrong: (what: string) => void): Promise<string>
}

const chargePoints = 8
const everyMs = 100
/** On processors that the fuzzer and other tests use as well. What a flood stops is not answered for as long as it goes on. */
const answeredWithinMs = 5_000

export async function watchNeighbours(service: Service, teardowns: Teardowns, name: string): Promise<Neighbourhood> {
  const tenant = await tenantOf(service)
  const chargePointIds = Array.from({ length: chargePoints }, (_, index) => `NEIGHBOUR-${name}-${index}`)
  await registerAll(tenant, chargePointIds)
  await sellEverywhere(tenant)
  const neighbours = startNeighbours()
  teardowns.teardown(() => neighbours.end())
  const { port } = service
  await neighbours.ask({ type: 'begin', neighbourhood: { port, key: tenant.key, chargePointIds, everyMs } })
  return {
    async leave(wrong) {
      const { latencies, wrongs } = await neighbours.ask({ type: 'take' })
      await neighbours.end()
      for (const kind of kinds) {
        const { count, p90Ms } = latencies[kind]
        if (count === 0) wrong(`${kind} was never answered`)
        else if (p90Ms > answeredWithinMs) wrong(`a tenth of ${kind} took ${Math.round(p90Ms)} ms and more`)
      }
      for (const [what, count] of Object.entries(wrongs)) wrong(`${count} times: ${what}`)
      const { p50Ms, p90Ms, mostMs } = latencies.heartbeat
      return [p50Ms, p90Ms, mostMs].map((ms) => ms.toFixed(1)).join(' / ')
    },
  }
}
