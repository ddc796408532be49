// Charge detail records (OCPI 2.2.1, 10), with the ids of location, EVSE and connector that 2.2.1 has in `cdr_location` also on top.

import { type Static, Type } from 'typebox'
import { cdrTokenSchema, chargingPeriodSchema } from './charging-period.js'
import {
  authMethods,
  ciString,
  connectorFormats,
  connectorStandards,
  countryCode,
  countryName,
  currency,
  dateTime,
  filledListOf,
  geoLocationSchema,
  integer,
  listOf,
  number,
  object,
  oneOf,
  optional,
  partyId,
  powerTypes,
  priceSchema,
  text,
} from './common.js'
import { tariffSchema } from './tariff.js'

/** Its address has at most 45 characters, that of a Location 255. */
export const cdrLocationSchema = object('CdrLocation', {
  id: ciString(36),
  name: optional(text(255)),
  address: text(45),
  city: text(45),
  postal_code: optional(text(10)),
  state: optional(text(20)),
  country: countryName(),
  coordinates: geoLocationSchema,
  evse_uid: ciString(36),
  evse_id: ciString(48),
  connector_id: ciString(36),
  connector_standard: oneOf(connectorStandards),
  connector_format: oneOf(connectorFormats),
  connector_power_type: oneOf(powerTypes),
})
export type CdrLocation = Static<typeof cdrLocationSchema>

export const signedDataSchema = object('SignedData', {
  encoding_method: ciString(36),
  encoding_method_version: optional(integer()),
  public_key: optional(ciString(512)),
  signed_values: filledListOf(
    object('SignedValue', { nature: ciString(32), plain_data: text(5_000), signed_data: ciString(5_000) }),
  ),
  url: optional(text(512)),
})
export type SignedData = Static<typeof signedDataSchema>

export const cdrSchema = object('Cdr', {
  country_code: countryCode(),
  party_id: partyId(),
  id: ciString(39),
  start_date_time: dateTime(),
  end_date_time: dateTime(),
  session_id: optional(ciString(36)),
  cdr_token: cdrTokenSchema,
  auth_method: oneOf(authMethods),
  authorization_reference: optional(ciString(36)),
  cdr_location: cdrLocationSchema,
  location_id: optional(ciString(36)),
  evse_uid: optional(ciString(36)),
  connector_id: optional(ciString(36)),
  meter_id: optional(text(255)),
  currency: currency(),
  tariffs: listOf(tariffSchema),
  charging_periods: filledListOf(chargingPeriodSchema),
  signed_data: optional(signedDataSchema),
  total_cost: priceSchema,
  total_fixed_cost: optional(priceSchema),
  total_energy: number('kWh.'),
  total_energy_cost: optional(priceSchema),
  total_time: number('Hours, those of parking included.'),
  total_time_cost: optional(priceSchema),
  total_parking_time: optional(number('Hours.')),
  total_parking_cost: optional(priceSchema),
  total_reservation_cost: optional(priceSchema),
  remark: optional(text(255)),
  invoice_reference_id: optional(ciString(39)),
  credit: optional(Type.Boolean()),
  credit_reference_id: optional(ciString(39)),
  home_charging_compensation: optional(Type.Boolean()),
  last_updated: dateTime(),
})
export type Cdr = Static<typeof cdrSchema>
