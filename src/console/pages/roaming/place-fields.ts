// What roaming partners may be told of a place, as fields of a form, and as the request has it. The request replaces everything, so what the form has no
// field for is sent back as it was.

import type { Schema } from '../../client/api.js'
import { type FormField, type FormValues, textOrNull, wordsIn } from '../../parts/form.js'

type Site = Schema<'SiteRoamingDetails'>
export type ChargePointPlace = Schema<'ChargePointRoamingDetails'>
export type Place = Site | ChargePointPlace

const named = (values: readonly string[]) =>
  values.map((value) => {
    const words = value.replaceAll('_', ' ').toLowerCase()
    return { value, name: words.charAt(0).toUpperCase() + words.slice(1) }
  })

const choice = (nothing: string, ...options: readonly (readonly [string, string])[]) => [
  { value: '', name: nothing },
  ...options.map(([value, name]) => ({ value, name })),
]

const parkingTypes = [
  'ALONG_MOTORWAY',
  'PARKING_GARAGE',
  'PARKING_LOT',
  'ON_DRIVEWAY',
  'ON_STREET',
  'UNDERGROUND_GARAGE',
]

export const placeFields: readonly FormField[] = [
  {
    name: 'publish',
    label: 'Partners see it',
    optional: true,
    options: choice('As your party says', ['true', 'Yes, once nothing is missing'], ['false', 'No']),
  },
  {
    name: 'country',
    label: 'Country',
    optional: true,
    placeholder: 'NL',
    hint: 'Two letters. Empty: that of your organization.',
  },
  { name: 'city', label: 'City', optional: true, hint: 'Empty: the one in the address.' },
  { name: 'postal_code', label: 'Postal code', optional: true },
  { name: 'state', label: 'State or province', optional: true },
  { name: 'time_zone', label: 'Time zone', optional: true, placeholder: 'Europe/Amsterdam' },
  {
    name: 'parking_type',
    label: 'Kind of parking',
    optional: true,
    options: [{ value: '', name: 'Not said' }, ...named(parkingTypes)],
  },
  {
    name: 'facilities',
    label: 'What is there besides',
    optional: true,
    mono: true,
    hint: 'Words of OCPI 2.2.1 (8.4.12), such as HOTEL, RESTAURANT, TRAIN_STATION.',
  },
  {
    name: 'open',
    label: 'Opening times',
    optional: true,
    options: choice('As they are now', ['always', 'Always open'], ['none', 'Not said']),
  },
  {
    name: 'charging_when_closed',
    label: 'Cars charge while it is closed',
    optional: true,
    options: choice('Not said', ['true', 'Yes'], ['false', 'No']),
  },
]

export const evseFields: readonly FormField[] = [
  {
    name: 'capabilities',
    label: 'What each connector can do',
    optional: true,
    mono: true,
    hint: 'Words of OCPI 2.2.1 (8.4.3), such as RFID_READER, CREDIT_CARD_PAYABLE. Empty: what the charge point is known to do.',
  },
  {
    name: 'parking_restrictions',
    label: 'Who may park there',
    optional: true,
    mono: true,
    hint: 'EV_ONLY, PLUGGED, DISABLED, CUSTOMERS or MOTORCYCLES.',
  },
  { name: 'floor_level', label: 'Floor', optional: true, placeholder: '-1' },
]

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const listed = (value: readonly string[] | null | undefined): string => value?.join(', ') ?? ''

export function valuesOf(place: Place): FormValues {
  return {
    publish: textOf(place.publish),
    country: textOf(place.country),
    city: textOf(place.city),
    postal_code: textOf(place.postal_code),
    state: textOf(place.state),
    time_zone: textOf(place.time_zone),
    parking_type: textOf(place.parking_type),
    facilities: listed(place.facilities),
    open: '',
    charging_when_closed: textOf(place.charging_when_closed),
    ...('capabilities' in place && {
      capabilities: listed(place.capabilities),
      parking_restrictions: listed(place.parking_restrictions),
      floor_level: textOf(place.floor_level),
    }),
  }
}

const flag = (text: string | undefined): boolean | null => (text === undefined || text === '' ? null : text === 'true')
const words = (text: string | undefined): readonly string[] | null => {
  const found = wordsIn(text).map((word) => word.toUpperCase())
  return found.length === 0 ? null : found
}

/** Without what the service says of it: the rest can be sent back. */
export function detailsOf<Of extends Place>(place: Of) {
  const {
    location_id: _,
    publishable: __,
    published: ___,
    missing: ____,
    assumed: _____,
    location: ______,
    ...details
  } = place
  return details
}

export function changedBy<Of extends Place>(place: Of, values: FormValues) {
  const opening_times =
    values.open === 'always' ? { twentyfourseven: true } : values.open === 'none' ? null : place.opening_times
  return {
    ...detailsOf(place),
    publish: flag(values.publish),
    country: textOrNull(values.country)?.toUpperCase() ?? null,
    city: textOrNull(values.city),
    postal_code: textOrNull(values.postal_code),
    state: textOrNull(values.state),
    time_zone: textOrNull(values.time_zone),
    parking_type: textOrNull(values.parking_type),
    facilities: words(values.facilities),
    opening_times,
    charging_when_closed: flag(values.charging_when_closed),
    ...('capabilities' in place && {
      capabilities: words(values.capabilities),
      parking_restrictions: words(values.parking_restrictions),
      floor_level: textOrNull(values.floor_level),
    }),
    // The service says what of it is wrong, by its path.
  } as never
}
