// How a guest session's actor is reached by those who only send it word of a charge.

import type { Address } from '../../runtime/actor/actor.js'

export const guestSessionKind = 'guest-session'

/** Begins the reason of a wake-up for a guest whose start was refused because the connector has been reserved meanwhile. */
export const placeReservedReason = 'place-reserved/'

export function guestSessionAddress(guestSessionId: string): Address {
  return { kind: guestSessionKind, id: guestSessionId }
}
