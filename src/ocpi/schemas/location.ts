// Locations with their EVSEs and connectors (OCPI 2.2.1, 8).

import { type Static, Type } from 'typebox'
import { patternOf } from '../../runtime/fault-words.js'
import {
  businessDetailsSchema,
  ciString,
  connectorFormats,
  connectorStandards,
  countryCode,
  countryName,
  dateTime,
  displayTextSchema,
  energyMixSchema,
  filledListOf,
  geoLocationSchema,
  imageSchema,
  integer,
  latitude,
  listOf,
  longitude,
  object,
  oneOf,
  optional,
  partyId,
  powerTypes,
  text,
  timeOfDay,
  tokenType,
  url,
} from './common.js'

export const evseStatuses = [
  'AVAILABLE',
  'BLOCKED',
  'CHARGING',
  'INOPERATIVE',
  'OUTOFORDER',
  'PLANNED',
  'REMOVED',
  'RESERVED',
  'UNKNOWN',
] as const
export type EvseStatus = (typeof evseStatuses)[number]

export const capabilities = [
  'CHARGING_PROFILE_CAPABLE',
  'CHARGING_PREFERENCES_CAPABLE',
  'CHIP_CARD_SUPPORT',
  'CONTACTLESS_CARD_SUPPORT',
  'CREDIT_CARD_PAYABLE',
  'DEBIT_CARD_PAYABLE',
  'PED_TERMINAL',
  'REMOTE_START_STOP_CAPABLE',
  'RESERVABLE',
  'RFID_READER',
  'START_SESSION_CONNECTOR_REQUIRED',
  'TOKEN_GROUP_CAPABLE',
  'UNLOCK_CAPABLE',
] as const
export type Capability = (typeof capabilities)[number]

export const parkingTypes = [
  'ALONG_MOTORWAY',
  'PARKING_GARAGE',
  'PARKING_LOT',
  'ON_DRIVEWAY',
  'ON_STREET',
  'UNDERGROUND_GARAGE',
] as const
export type ParkingType = (typeof parkingTypes)[number]

export const parkingRestrictions = ['EV_ONLY', 'PLUGGED', 'DISABLED', 'CUSTOMERS', 'MOTORCYCLES'] as const
export type ParkingRestriction = (typeof parkingRestrictions)[number]

export const facilities = [
  'HOTEL',
  'RESTAURANT',
  'CAFE',
  'MALL',
  'SUPERMARKET',
  'SPORT',
  'RECREATION_AREA',
  'NATURE',
  'MUSEUM',
  'BIKE_SHARING',
  'BUS_STOP',
  'TAXI_STAND',
  'TRAM_STOP',
  'METRO_STATION',
  'TRAIN_STATION',
  'AIRPORT',
  'PARKING_LOT',
  'CARPOOL_PARKING',
  'FUEL_STATION',
  'WIFI',
] as const
export type Facility = (typeof facilities)[number]

const exceptionalPeriod = object('ExceptionalPeriod', { period_begin: dateTime(), period_end: dateTime() })

export const hoursSchema = object('Hours', {
  twentyfourseven: Type.Boolean(),
  regular_hours: listOf(
    object('RegularHours', {
      weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday.' }),
      period_begin: timeOfDay(),
      period_end: timeOfDay(),
    }),
  ),
  exceptional_openings: listOf(exceptionalPeriod),
  exceptional_closings: listOf(exceptionalPeriod),
})
export type Hours = Static<typeof hoursSchema>

export const connectorSchema = object('Connector', {
  id: ciString(36),
  standard: oneOf(connectorStandards),
  format: oneOf(connectorFormats),
  power_type: oneOf(powerTypes),
  max_voltage: integer(0, 'Volts; between a line and the neutral for AC_3_PHASE.'),
  max_amperage: integer(0, 'Amperes.'),
  max_electric_power: optional(integer(0, 'Watts, where it is less than voltage and amperage allow.')),
  tariff_ids: listOf(ciString(36)),
  terms_and_conditions: optional(url()),
  last_updated: dateTime(),
})
export type Connector = Static<typeof connectorSchema>

export const evseSchema = object('Evse', {
  uid: ciString(36),
  evse_id: optional(ciString(48)),
  status: oneOf(evseStatuses),
  status_schedule: listOf(
    object('StatusSchedule', {
      period_begin: dateTime(),
      period_end: optional(dateTime()),
      status: oneOf(evseStatuses),
    }),
  ),
  capabilities: listOf(oneOf(capabilities)),
  connectors: filledListOf(connectorSchema),
  floor_level: optional(text(4)),
  coordinates: optional(geoLocationSchema),
  physical_reference: optional(text(16)),
  directions: listOf(displayTextSchema),
  parking_restrictions: listOf(oneOf(parkingRestrictions)),
  images: listOf(imageSchema),
  last_updated: dateTime(),
})
export type Evse = Static<typeof evseSchema>

export const locationSchema = object('Location', {
  country_code: countryCode(),
  party_id: partyId(),
  id: ciString(36),
  publish: Type.Boolean(),
  publish_allowed_to: listOf(
    object('PublishTokenType', {
      uid: optional(ciString(36)),
      type: optional(tokenType()),
      visual_number: optional(text(64)),
      issuer: optional(text(64)),
      group_id: optional(ciString(36)),
    }),
  ),
  name: optional(text(255)),
  address: text(255),
  city: text(45),
  postal_code: optional(text(10)),
  state: optional(text(45)),
  country: countryName(),
  coordinates: geoLocationSchema,
  related_locations: listOf(
    object('AdditionalGeoLocation', {
      latitude: latitude(),
      longitude: longitude(),
      name: optional(displayTextSchema),
    }),
  ),
  parking_type: optional(oneOf(parkingTypes)),
  evses: listOf(evseSchema),
  directions: listOf(displayTextSchema),
  operator: optional(businessDetailsSchema),
  suboperator: optional(businessDetailsSchema),
  owner: optional(businessDetailsSchema),
  facilities: listOf(oneOf(facilities)),
  time_zone: Type.String({
    maxLength: 255,
    ...patternOf('^[A-Za-z][A-Za-z0-9_+/-]*$', 'the IANA name of a time zone, such as Europe/Amsterdam'),
  }),
  opening_times: optional(hoursSchema),
  charging_when_closed: optional(Type.Boolean()),
  images: listOf(imageSchema),
  energy_mix: optional(energyMixSchema),
  last_updated: dateTime(),
})
export type Location = Static<typeof locationSchema>

/** What is sent of an EVSE whose status has changed. */
export const evseStatusPatchSchema = Type.Object({ status: oneOf(evseStatuses), last_updated: dateTime() })
export type EvseStatusPatch = Static<typeof evseStatusPatchSchema>
