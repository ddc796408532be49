// Credentials: the token and the address by which a party is called, and who it is (OCPI 2.2.1, 7). Sent with the fields of 2.2.1 and those that
// 2.1.1 had on top; taken with either.

import { type Static, Type } from 'typebox'
import { patternOf } from '../../runtime/fault-words.js'
import {
  businessDetailsSchema,
  countryCode,
  filledListOf,
  imageSchema,
  object,
  optional,
  partyId,
  role,
  url,
} from './common.js'
import { limits } from './limits.js'

export const credentialsToken = () =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    ...patternOf('^[\\x21-\\x7e]*$', 'printable ASCII without blanks'),
    'x-secret': true,
  })

/** Some send an empty address for none. */
const addressOrEmpty = () => Type.Union([url(), Type.Literal('')])

const receivedBusinessDetailsSchema = object('ReceivedBusinessDetails', {
  ...businessDetailsSchema.properties,
  website: optional(addressOrEmpty()),
  logo: optional(object('ReceivedImage', { ...imageSchema.properties, thumbnail: optional(addressOrEmpty()) })),
})

export const credentialsRoleSchema = object('CredentialsRole', {
  role: role(),
  business_details: businessDetailsSchema,
  party_id: partyId(),
  country_code: countryCode(),
})
const receivedRoleSchema = object('ReceivedRole', {
  ...credentialsRoleSchema.properties,
  business_details: receivedBusinessDetailsSchema,
})
export type CredentialsRole = Static<typeof receivedRoleSchema>

export const credentialsSchema = object('Credentials', {
  token: credentialsToken(),
  url: url('The address of the versions of the party.'),
  roles: filledListOf(credentialsRoleSchema),
  business_details: businessDetailsSchema,
  party_id: partyId(),
  country_code: countryCode(),
})
export type Credentials = Static<typeof credentialsSchema>

/** As they come in: `rolesOf` says whose they are. */
export const receivedCredentialsSchema = object('ReceivedCredentials', {
  token: credentialsToken(),
  url: url('The address of your versions.'),
  roles: Type.Optional(Type.Array(receivedRoleSchema, { maxItems: limits.ocpiRoles })),
  business_details: optional(receivedBusinessDetailsSchema),
  party_id: optional(partyId()),
  country_code: optional(countryCode()),
})
export type ReceivedCredentials = Static<typeof receivedCredentialsSchema>

/**
 * The roles of the party, of an eMSP where it has only said who it is (the form of 2.1.1); undefined if the credentials say neither.
 */
export function rolesOf(
  credentials: Omit<ReceivedCredentials, 'token' | 'url'>,
): readonly CredentialsRole[] | undefined {
  const { roles, business_details, party_id, country_code } = credentials
  if (roles !== undefined && roles.length > 0) return roles
  if (business_details === undefined || party_id === undefined || country_code === undefined) return undefined
  return [{ role: 'EMSP', business_details, party_id, country_code }]
}
