// How the actor of an organization's locations hears of what has changed there: by wake-ups alone, stored in the commit of the change, so that
// none is lost and many at once are one message a second each.

import type { OcpiPlaceKind } from '../../records/ocpi-place.js'
import type { Address } from '../../runtime/actor/actor.js'
import { type WakeUp, wakeUpAfter } from '../../runtime/actor/wake-ups.js'
import type { ServiceClock } from '../../runtime/steady-time.js'

export const ocpiLocationsKind = 'ocpi-locations'

export function ocpiLocationsAddress(organizationId: string): Address {
  return { kind: ocpiLocationsKind, id: organizationId }
}

const placeReason = 'place/'
export const everyPlaceReason = 'every-place'

/** How the reasons of a place begin, and of no other. */
export function reasonsOfPlace({ kind, id }: { readonly kind: OcpiPlaceKind; readonly id: string }): string {
  return `${placeReason}${kind}/${id}/`
}

/**
 * That a place may be another to partners, `afterMs` from now on. `change` tells this change from all others: what is removed once the place has been
 * looked at is the word of this change alone.
 */
export function placeWakeUp(
  organizationId: string,
  place: { readonly kind: OcpiPlaceKind; readonly id: string },
  change: string,
  clock: Pick<ServiceClock, 'steady'>,
  afterMs = 0,
): WakeUp {
  return wakeUpAfter(ocpiLocationsAddress(organizationId), `${reasonsOfPlace(place)}${change}`, afterMs, clock)
}

/** That all of them may: the party, the organization or a tariff has changed. */
export function everyPlaceWakeUp(
  organizationId: string,
  change: string,
  clock: Pick<ServiceClock, 'steady'>,
  afterMs: number,
): WakeUp {
  return wakeUpAfter(ocpiLocationsAddress(organizationId), `${everyPlaceReason}/${change}`, afterMs, clock)
}

/** Undefined for another reason. */
export function placeOfReason(reason: string): { readonly kind: OcpiPlaceKind; readonly id: string } | undefined {
  const [, kind, id] = /^place\/(site|charge_point)\/([^/]+)\/[^/]*$/.exec(reason) ?? []
  return kind === undefined || id === undefined ? undefined : { kind: kind as OcpiPlaceKind, id }
}
