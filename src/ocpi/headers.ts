// The headers by which OCPI requests are told apart and routed (OCPI 2.2.1, 4.1 and 4.3), with their names in lower case.

import { keyOfParty } from '../records/ocpi-party.js'

export { keyOfParty }

export const requestIdHeader = 'x-request-id'
export const correlationIdHeader = 'x-correlation-id'
export const toPartyIdHeader = 'ocpi-to-party-id'
export const toCountryCodeHeader = 'ocpi-to-country-code'
export const fromPartyIdHeader = 'ocpi-from-party-id'
export const fromCountryCodeHeader = 'ocpi-from-country-code'

/** A party, by the two codes that name it everywhere. */
export interface Party {
  readonly country_code: string
  readonly party_id: string
}

export type Headers = Readonly<Record<string, string | undefined>>

/** Whether two names are of the same party: they have no case. */
export function isSameParty(one: Party, other: Party): boolean {
  return keyOfParty(one) === keyOfParty(other)
}

/** Whom a request is for; undefined where it does not say it whole. */
export function receiverOf(headers: Headers): Party | undefined {
  return partyOf(headers[toCountryCodeHeader], headers[toPartyIdHeader])
}

/** From whom it is; undefined where it does not say it whole. */
export function senderOf(headers: Headers): Party | undefined {
  return partyOf(headers[fromCountryCodeHeader], headers[fromPartyIdHeader])
}

function partyOf(country_code: string | undefined, party_id: string | undefined): Party | undefined {
  if (country_code === undefined || party_id === undefined || country_code === '' || party_id === '') return undefined
  return { country_code, party_id }
}

/** The headers of a request, or of an answer, from one party to another. Never of the modules credentials, versions and hubclientinfo. */
export function routingHeaders(from: Party, to: Party | undefined): Record<string, string> {
  return {
    [fromCountryCodeHeader]: from.country_code,
    [fromPartyIdHeader]: from.party_id,
    ...(to !== undefined && { [toCountryCodeHeader]: to.country_code, [toPartyIdHeader]: to.party_id }),
  }
}
