// The versions that a party offers, and the addresses of its modules (OCPI 2.2.1, 6).

import { type Static, Type } from 'typebox'
import { ciString, filledListOf, object, oneOf, optional, text, url } from './common.js'
import { limits } from './limits.js'

export const ocpiVersion = '2.2.1'

export const moduleIds = [
  'cdrs',
  'chargingprofiles',
  'commands',
  'credentials',
  'hubclientinfo',
  'locations',
  'sessions',
  'tariffs',
  'tokens',
] as const
export type ModuleId = (typeof moduleIds)[number]

export const interfaceRoles = ['SENDER', 'RECEIVER'] as const
export type InterfaceRole = (typeof interfaceRoles)[number]

export const versionSchema = object('Version', { version: text(16), url: url() })
export type Version = Static<typeof versionSchema>

export const versionsSchema = Type.Array(versionSchema)

export const receivedVersionsSchema = Type.Array(versionSchema, { maxItems: limits.ocpiVersions })

export const endpointSchema = object('Endpoint', {
  identifier: oneOf(moduleIds),
  role: oneOf(interfaceRoles),
  url: url(),
})
export type Endpoint = Static<typeof endpointSchema>

export const versionDetailsSchema = object('VersionDetails', {
  version: text(16),
  endpoints: filledListOf(endpointSchema),
})
export type VersionDetails = Static<typeof versionDetailsSchema>

/** Of what partners answer: they may have modules of their own, and leave out the role of `credentials`, which says nothing. */
export const receivedVersionDetailsSchema = Type.Object({
  version: optional(Type.String()),
  endpoints: Type.Array(Type.Object({ identifier: ciString(255), role: optional(oneOf(interfaceRoles)), url: url() }), {
    minItems: 1,
    maxItems: limits.ocpiEndpoints,
  }),
})
export type ReceivedVersionDetails = Static<typeof receivedVersionDetailsSchema>
