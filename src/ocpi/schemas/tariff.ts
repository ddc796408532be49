// Tariffs (OCPI 2.2.1, 11).

import { type Static, Type } from 'typebox'
import { patternOf } from '../../runtime/fault-words.js'
import {
  ciString,
  countryCode,
  currency,
  dateTime,
  displayTextSchema,
  energyMixSchema,
  filledListOf,
  integer,
  listOf,
  number,
  object,
  oneOf,
  optional,
  partyId,
  priceSchema,
  timeOfDay,
  url,
} from './common.js'

export const daysOfWeek = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
export type DayOfWeek = (typeof daysOfWeek)[number]

export const tariffDimensionTypes = ['ENERGY', 'FLAT', 'PARKING_TIME', 'TIME'] as const
export type TariffDimensionType = (typeof tariffDimensionTypes)[number]

export const tariffTypes = ['AD_HOC_PAYMENT', 'PROFILE_CHEAP', 'PROFILE_FAST', 'PROFILE_GREEN', 'REGULAR'] as const
export type TariffType = (typeof tariffTypes)[number]

const date = () =>
  Type.String({
    ...patternOf('^[0-9]{4}-[0-1][0-9]-[0-3][0-9]$', 'a date such as 2026-12-31'),
    examples: ['2026-12-31'],
  })

export const priceComponentSchema = object('PriceComponent', {
  type: oneOf(tariffDimensionTypes),
  price: number('Without VAT: for a kWh, for the session, or for an hour.'),
  vat: optional(number('Percent; left out where no VAT applies.')),
  step_size: integer(0, 'Wh or seconds.'),
})
export type PriceComponent = Static<typeof priceComponentSchema>

export const tariffRestrictionsSchema = object('TariffRestrictions', {
  start_time: optional(timeOfDay()),
  end_time: optional(timeOfDay()),
  start_date: optional(date()),
  end_date: optional(date()),
  min_kwh: optional(number()),
  max_kwh: optional(number()),
  min_current: optional(number()),
  max_current: optional(number()),
  min_power: optional(number()),
  max_power: optional(number()),
  min_duration: optional(integer(0, 'Seconds.')),
  max_duration: optional(integer(0, 'Seconds.')),
  day_of_week: listOf(oneOf(daysOfWeek)),
  reservation: optional(oneOf(['RESERVATION', 'RESERVATION_EXPIRES'])),
})
export type TariffRestrictions = Static<typeof tariffRestrictionsSchema>

export const tariffElementSchema = object('TariffElement', {
  price_components: filledListOf(priceComponentSchema),
  restrictions: optional(tariffRestrictionsSchema),
})
export type TariffElement = Static<typeof tariffElementSchema>

export const tariffSchema = object('Tariff', {
  country_code: countryCode(),
  party_id: partyId(),
  id: ciString(36),
  currency: currency(),
  type: optional(oneOf(tariffTypes)),
  tariff_alt_text: listOf(displayTextSchema),
  tariff_alt_url: optional(url()),
  min_price: optional(priceSchema),
  max_price: optional(priceSchema),
  elements: filledListOf(tariffElementSchema),
  start_date_time: optional(dateTime()),
  end_date_time: optional(dateTime()),
  energy_mix: optional(energyMixSchema),
  last_updated: dateTime(),
})
export type Tariff = Static<typeof tariffSchema>
