// Sessions (OCPI 2.2.1, 9).

import { type Static, Type } from 'typebox'
import { cdrTokenSchema, chargingPeriodSchema } from './charging-period.js'
import {
  authMethods,
  ciString,
  countryCode,
  currency,
  dateTime,
  listOf,
  number,
  object,
  oneOf,
  optional,
  partyId,
  priceSchema,
  profileType,
  text,
} from './common.js'

/** The prose of 2.2.1 also says RESERVED; the enumeration has RESERVATION. */
export const sessionStatuses = ['ACTIVE', 'COMPLETED', 'INVALID', 'PENDING', 'RESERVATION'] as const
export type SessionStatus = (typeof sessionStatuses)[number]

export const sessionSchema = object('Session', {
  country_code: countryCode(),
  party_id: partyId(),
  id: ciString(36),
  start_date_time: dateTime(),
  end_date_time: optional(dateTime()),
  kwh: number(),
  cdr_token: cdrTokenSchema,
  auth_method: oneOf(authMethods),
  authorization_reference: optional(ciString(36)),
  location_id: ciString(36),
  evse_uid: ciString(36),
  connector_id: ciString(36),
  meter_id: optional(text(255)),
  currency: currency(),
  charging_periods: listOf(chargingPeriodSchema),
  total_cost: optional(priceSchema),
  status: oneOf(sessionStatuses),
  last_updated: dateTime(),
})
export type Session = Static<typeof sessionSchema>

/** What is sent of a session that goes on; its charging periods are appended. */
export const sessionPatchSchema = Type.Object({
  ...Type.Partial(sessionSchema).properties,
  last_updated: dateTime(),
})
export type SessionPatch = Static<typeof sessionPatchSchema>

export const chargingPreferencesSchema = object('ChargingPreferences', {
  profile_type: profileType(),
  departure_time: optional(dateTime()),
  energy_need: optional(number('kWh.')),
  discharge_allowed: optional(Type.Boolean()),
})
export type ChargingPreferences = Static<typeof chargingPreferencesSchema>

export const chargingPreferencesResponses = [
  'ACCEPTED',
  'DEPARTURE_REQUIRED',
  'ENERGY_NEED_REQUIRED',
  'NOT_POSSIBLE',
  'PROFILE_TYPE_NOT_SUPPORTED',
] as const
