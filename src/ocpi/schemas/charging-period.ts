// What sessions and CDRs share: whose token it was, and what happened when (OCPI 2.2.1, 10.4).

import type { Static } from 'typebox'
import {
  ciString,
  countryCode,
  dateTime,
  filledListOf,
  number,
  object,
  oneOf,
  optional,
  partyId,
  tokenType,
} from './common.js'

export const cdrTokenSchema = object('CdrToken', {
  country_code: countryCode(),
  party_id: partyId(),
  uid: ciString(36),
  type: tokenType(),
  contract_id: ciString(36),
})
export type CdrToken = Static<typeof cdrTokenSchema>

export const cdrDimensionTypes = [
  'CURRENT',
  'ENERGY',
  'ENERGY_EXPORT',
  'ENERGY_IMPORT',
  'MAX_CURRENT',
  'MIN_CURRENT',
  'MAX_POWER',
  'MIN_POWER',
  'PARKING_TIME',
  'POWER',
  'RESERVATION_TIME',
  'STATE_OF_CHARGE',
  'TIME',
] as const
export type CdrDimensionType = (typeof cdrDimensionTypes)[number]

export const cdrDimensionSchema = object('CdrDimension', { type: oneOf(cdrDimensionTypes), volume: number() })
export type CdrDimension = Static<typeof cdrDimensionSchema>

/** It lasts until the next one starts, or to the end of the session. */
export const chargingPeriodSchema = object('ChargingPeriod', {
  start_date_time: dateTime(),
  dimensions: filledListOf(cdrDimensionSchema),
  tariff_id: optional(ciString(36)),
})
export type ChargingPeriod = Static<typeof chargingPeriodSchema>
