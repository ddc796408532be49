// For which of its parties a partner calls (OCPI 2.2.1, 4.3). A hub calls for many with one token: OCPI-from of a request names one of them, which
// reads and changes nothing of the others. The hub itself, and a request that names no party, act for all.

import { Type } from 'typebox'
import { isSameParty } from '../../ocpi/headers.js'
import type { OcpiCredentialsRole } from '../../records/ocpi-partner.js'
import { speaksFor } from '../../records/ocpi-partner.js'
import type { OcpiPartyId } from '../../records/ocpi-party.js'
import type { RequestHead } from '../pipeline/message.js'
import type { OcpiPrincipal } from './ocpi-token.js'

/** Of functional modules alone (OCPI 2.2.1, 4.1.5); undefined where the request does not name it whole. */
export function partyIn({ headers }: RequestHead, direction: 'to' | 'from'): OcpiPartyId | undefined {
  const party_id = headers[`ocpi-${direction}-party-id`]
  const country_code = headers[`ocpi-${direction}-country-code`]
  return party_id === undefined || country_code === undefined ? undefined : { party_id, country_code }
}

/** The caller of this request. */
export function sentBy(principal: OcpiPrincipal, request: RequestHead): OcpiPrincipal {
  const { partner } = principal
  const from = partyIn(request, 'from')
  if (from === undefined || speaksFor(partner, from, 'HUB')) return principal
  const isOnlyOne = partner.roles.every((role) => isSameParty(role, from))
  return isOnlyOne ? principal : { ...principal, sender: from }
}

type Sender = Pick<OcpiPrincipal, 'partner' | 'sender'>

function mayActFor({ sender }: Sender, party: OcpiPartyId): boolean {
  return sender === undefined || isSameParty(sender, party)
}

/** Whether the caller speaks for a party, in any role or in this one. */
export function callsFor(caller: Sender, party: OcpiPartyId, role?: OcpiCredentialsRole['role']): boolean {
  return mayActFor(caller, party) && speaksFor(caller.partner, party, role)
}

/** The parties of the caller, each as often as it has roles. */
export function partiesOf(caller: Sender): readonly OcpiPartyId[] {
  return caller.partner.roles.filter((one) => mayActFor(caller, one))
}

/** The parties of the caller that have drivers. */
export function emspsOf(caller: Sender): readonly OcpiPartyId[] {
  return caller.partner.roles.filter((one) => one.role === 'EMSP' && mayActFor(caller, one))
}

/** Whether a session, or a reservation, is of a driver of the caller. */
export function isOwnDriver(
  caller: Sender,
  roaming: (OcpiPartyId & { readonly partner_id: string }) | undefined,
): boolean {
  return roaming?.partner_id === caller.partner.partner_id && mayActFor(caller, roaming)
}

const code = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }))

/** Of routes to which it matters for which of its parties a partner calls. */
export const senderHeaders = {
  'OCPI-from-country-code': code(
    2,
    'With `OCPI-from-party-id`: for which of your parties you call. Drivers of your other parties are unknown then, unless it is the party of your role HUB.',
  ),
  'OCPI-from-party-id': code(3, 'With `OCPI-from-country-code`: for which of your parties you call.'),
}
