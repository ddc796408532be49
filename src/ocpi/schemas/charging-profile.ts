// Charging profiles that an eMSP or a smart charging provider sets for a session (OCPI 2.2.1, 14).

import { type Static, Type } from 'typebox'
import { dateTime, integer, listOf, object, oneOf, optional, url } from './common.js'

const oneDecimal = () => Type.Number({ minimum: 0, maximum: 10_000_000, multipleOf: 0.1 })

export const chargingProfileSchema = object('ChargingProfile', {
  start_date_time: optional(dateTime()),
  duration: optional(integer(0, 'Seconds.')),
  charging_rate_unit: oneOf(['W', 'A']),
  min_charging_rate: optional(oneDecimal()),
  charging_profile_period: listOf(
    object('ChargingProfilePeriod', { start_period: integer(0, 'Seconds from the start.'), limit: oneDecimal() }),
  ),
})
export type ChargingProfile = Static<typeof chargingProfileSchema>

export const setChargingProfileSchema = object('SetChargingProfile', {
  charging_profile: chargingProfileSchema,
  response_url: url(),
})
export type SetChargingProfile = Static<typeof setChargingProfileSchema>

export const chargingProfileResponseTypes = [
  'ACCEPTED',
  'NOT_SUPPORTED',
  'REJECTED',
  'TOO_OFTEN',
  'UNKNOWN_SESSION',
] as const
export type ChargingProfileResponseType = (typeof chargingProfileResponseTypes)[number]

export const chargingProfileResponseSchema = object('ChargingProfileResponse', {
  result: oneOf(chargingProfileResponseTypes),
  timeout: integer(0, 'Seconds.'),
})
export type ChargingProfileResponse = Static<typeof chargingProfileResponseSchema>

export const chargingProfileResultTypes = ['ACCEPTED', 'REJECTED', 'UNKNOWN'] as const
export type ChargingProfileResultType = (typeof chargingProfileResultTypes)[number]

/** What follows a PUT, posted to its `response_url`. */
export const chargingProfileResultSchema = object('ChargingProfileResult', {
  result: oneOf(chargingProfileResultTypes),
})
export type ChargingProfileResult = Static<typeof chargingProfileResultSchema>

/** The same after a DELETE. */
export const clearProfileResultSchema = object('ClearProfileResult', { result: oneOf(chargingProfileResultTypes) })
export type ClearProfileResult = Static<typeof clearProfileResultSchema>

export const activeChargingProfileSchema = object('ActiveChargingProfile', {
  start_date_time: dateTime(),
  charging_profile: chargingProfileSchema,
})
export type ActiveChargingProfile = Static<typeof activeChargingProfileSchema>

/** The same after a GET. */
export const activeChargingProfileResultSchema = object('ActiveChargingProfileResult', {
  result: oneOf(chargingProfileResultTypes),
  profile: optional(activeChargingProfileSchema),
})
export type ActiveChargingProfileResult = Static<typeof activeChargingProfileResultSchema>
