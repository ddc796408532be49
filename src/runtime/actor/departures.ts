// Actors whose partitions another owner is to have: each leaves the memory once what its turn in hand has decided is on disk, and what it had
// not handled is given back. actor-host.ts says what leaving is.

import type { Delivery, Unhandled } from './actor-host-ports.js'
import type { Actor } from './hosted-actor.js'

interface Departure {
  readonly unhandled: Unhandled[]
  waitsFor: number
  done(): void
}

export interface Departures {
  /** Resolves when all of them have left. */
  begin(actors: readonly Actor[]): Promise<readonly Unhandled[]>
  /** The commit of the actor has been answered, and it has no other on its way. */
  settled(actor: Actor): void
}

export function createDepartures(leave: (actor: Actor) => readonly Delivery[]): Departures {
  const leaving = new Map<Actor, Departure>()

  function go(actor: Actor, { unhandled }: Departure): void {
    for (const delivery of leave(actor)) unhandled.push({ to: actor.address, delivery })
  }

  return {
    begin: (actors) =>
      new Promise((resolve) => {
        const unhandled: Unhandled[] = []
        const departure = { unhandled, waitsFor: 0, done: () => resolve(unhandled) }
        for (const actor of actors) {
          if (!actor.committing) go(actor, departure)
          else {
            leaving.set(actor, departure)
            departure.waitsFor++
          }
        }
        if (departure.waitsFor === 0) departure.done()
      }),
    settled(actor) {
      const departure = leaving.get(actor)
      if (departure === undefined) return
      leaving.delete(actor)
      go(actor, departure)
      if (--departure.waitsFor === 0) departure.done()
    },
  }
}
