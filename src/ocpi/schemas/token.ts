// Tokens of partners' drivers, and what an eMSP answers about one (OCPI 2.2.1, 12).

import { type Static, Type } from 'typebox'
import {
  ciString,
  countryCode,
  dateTime,
  displayTextSchema,
  listOf,
  object,
  oneOf,
  optional,
  partyId,
  profileType,
  text,
  tokenType,
} from './common.js'

export const whitelists = ['ALWAYS', 'ALLOWED', 'ALLOWED_OFFLINE', 'NEVER'] as const
export type Whitelist = (typeof whitelists)[number]

const fields = {
  uid: ciString(36),
  type: tokenType(),
  contract_id: ciString(36),
  visual_number: optional(text(64)),
  issuer: text(64),
  group_id: optional(ciString(36)),
  valid: Type.Boolean(),
  whitelist: oneOf(whitelists),
  language: optional(text(2)),
  default_profile_type: optional(profileType()),
  energy_contract: optional(object('EnergyContract', { supplier_name: text(64), contract_id: optional(text(64)) })),
  last_updated: dateTime(),
}

export const tokenSchema = object('Token', { country_code: countryCode(), party_id: partyId(), ...fields })
export type Token = Static<typeof tokenSchema>

const partyOfPath = {
  country_code: optional(countryCode()),
  party_id: optional(partyId()),
}

/** As it comes in: the path says whose it is. */
export const receivedTokenSchema = object('ReceivedToken', { ...partyOfPath, ...fields })
export type ReceivedToken = Static<typeof receivedTokenSchema>

export const tokenPatchSchema = object('TokenPatch', {
  ...Type.Partial(receivedTokenSchema).properties,
  last_updated: dateTime(),
})
export type TokenPatch = Static<typeof tokenPatchSchema>

/** In a command: the eMSP has authorized it, so that its identity is all that is needed. */
export const commandTokenSchema = object('CommandToken', {
  ...Type.Partial(receivedTokenSchema).properties,
  uid: fields.uid,
  type: fields.type,
  contract_id: fields.contract_id,
})
export type CommandToken = Static<typeof commandTokenSchema>

export const locationReferencesSchema = object('LocationReferences', {
  location_id: ciString(36),
  evse_uids: listOf(ciString(36)),
})
export type LocationReferences = Static<typeof locationReferencesSchema>

export const allowedTypes = ['ALLOWED', 'BLOCKED', 'EXPIRED', 'NO_CREDIT', 'NOT_ALLOWED'] as const
export type Allowed = (typeof allowedTypes)[number]

/** Its location has also the form of other versions: `id`, and EVSEs as objects. */
export const authorizationInfoSchema = object('AuthorizationInfo', {
  allowed: oneOf(allowedTypes),
  token: tokenSchema,
  location: optional(
    object('AuthorizedLocation', {
      location_id: ciString(36),
      evse_uids: listOf(ciString(36)),
      id: optional(ciString(36)),
      evses: listOf(object('AuthorizedEvse', { uid: ciString(36) })),
    }),
  ),
  authorization_reference: optional(ciString(36)),
  info: optional(displayTextSchema),
})
export type AuthorizationInfo = Static<typeof authorizationInfoSchema>

/** As partners answer: what is allowed decides; the rest helps where it is there. */
export const receivedAuthorizationInfoSchema = Type.Object({
  allowed: oneOf(allowedTypes),
  token: optional(receivedTokenSchema),
  location: optional(Type.Partial(locationReferencesSchema)),
  authorization_reference: optional(ciString(36)),
  info: optional(displayTextSchema),
})
export type ReceivedAuthorizationInfo = Static<typeof receivedAuthorizationInfoSchema>
