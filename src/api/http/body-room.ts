// Memory for the bodies of requests: bounded, of all parties together and of each. Where it is full, the party that holds most gives up the body
// that it began first, of those that are still being received: whoever lets many drip in takes the room of nobody else.

import { createHolders } from './holders.js'

export interface BodyRoomOptions {
  readonly bytes: number
  readonly bytesPerParty: number
}

export interface BodyRoom {
  /** False where there is none, or it has been given up for this. */
  take(tenant: Tenant, bytes: number): boolean
  /** It comes no longer: it is whole, or is not wanted any more. It keeps what it holds until it is given back. */
  received(tenant: Tenant): void
  giveBack(tenant: Tenant, bytes: number): void
  /** Held now. */
  readonly bytes: number
}

/** A body that is being received. */
export interface Tenant {
  readonly party: string
  /** Ends it, and gives back what it holds. */
  giveUp(): void
}

export function createBodyRoom({ bytes: most, bytesPerParty }: BodyRoomOptions): BodyRoom {
  const ofParty = new Map<string, number>()
  let sum = 0
  const held = (party: string): number => ofParty.get(party) ?? 0
  const coming = createHolders<Tenant>(held)

  function hold(party: string, bytes: number): void {
    const own = held(party) + bytes
    if (own > 0) ofParty.set(party, own)
    else ofParty.delete(party)
    sum += bytes
  }

  return {
    take(tenant, bytes) {
      const { party } = tenant
      if (held(party) + bytes > bytesPerParty) return false
      coming.add(party, tenant)
      while (sum + bytes > most) {
        const oldest = coming.oldestOfGreediest()
        if (oldest === undefined || oldest === tenant) return false
        oldest.giveUp()
      }
      hold(party, bytes)
      return true
    },
    received(tenant) {
      coming.remove(tenant.party, tenant)
    },
    giveBack({ party }, bytes) {
      hold(party, -bytes)
    },
    get bytes() {
      return sum
    },
  }
}
