// The data types that several OCPI objects share (OCPI 2.2.1, 16 and 17), each written once.

import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { line, patternOf } from '../../runtime/fault-words.js'

/** An object with a name of its own in the OpenAPI document: the standard's, behind `Ocpi`. */
export const object = <Properties extends TProperties>(name: string, properties: Properties) =>
  Type.Object(properties, { title: `Ocpi${name}` })

export const optional = Type.Optional

const described = (description: string | undefined) => (description === undefined ? {} : { description })

/** Printable ASCII, compared without regard to case. */
export const ciString = (maxLength: number, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    ...patternOf('^[\\x20-\\x7e]*$', 'printable ASCII'),
    ...described(description),
  })

/** Printable text, compared with regard to case. */
export const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...line, ...described(description) })

export const url = (description?: string) => Type.String({ format: 'uri', maxLength: 255, ...described(description) })

/** RFC 3339 in UTC, with `Z` or with no designator. */
export const dateTime = (description?: string) => Type.String({ format: 'date-time', ...described(description) })

/** Four decimals. */
export const number = (description?: string) => Type.Number({ multipleOf: 0.0001, ...described(description) })

export const integer = (minimum: number = Number.MIN_SAFE_INTEGER, description?: string) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, ...described(description) })

export const oneOf = <const Values extends string[]>(values: readonly [...Values]) => Type.Enum(values)

/** One that may be left out when it is empty. */
export const listOf = <Item extends TSchema>(item: Item) => Type.Optional(Type.Array(item))

export const filledListOf = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1 })

export const countryCode = () => ciString(2, 'ISO 3166-1 alpha-2.')
export const partyId = () => ciString(3, 'The id of the party (ISO 15118).')
export const currency = () => text(3, 'ISO 4217.')
export const countryName = () => text(3, 'ISO 3166-1 alpha-3.')

/** What a string is that is required and cannot exist. */
export const notApplicable = '#NA'

export const roles = ['CPO', 'EMSP', 'HUB', 'NAP', 'NSP', 'OTHER', 'SCSP'] as const
export type Role = (typeof roles)[number]
export const role = () => oneOf(roles)

export const displayTextSchema = object('DisplayText', { language: text(2, 'ISO 639-1.'), text: text(512) })
export type DisplayText = Static<typeof displayTextSchema>

export const priceSchema = object('Price', { excl_vat: number(), incl_vat: optional(number()) })
export type Price = Static<typeof priceSchema>

export const imageSchema = object('Image', {
  url: url(),
  thumbnail: optional(url()),
  category: oneOf(['CHARGER', 'ENTRANCE', 'LOCATION', 'NETWORK', 'OPERATOR', 'OTHER', 'OWNER']),
  type: ciString(4, 'Such as gif, jpeg, png or svg.'),
  width: optional(integer(0)),
  height: optional(integer(0)),
})
export type Image = Static<typeof imageSchema>

export const businessDetailsSchema = object('BusinessDetails', {
  name: text(100),
  website: optional(url()),
  logo: optional(imageSchema),
})
export type BusinessDetails = Static<typeof businessDetailsSchema>

export const latitude = () =>
  Type.String({
    maxLength: 10,
    ...patternOf('^-?[0-9]{1,2}\\.[0-9]{5,7}$', 'degrees such as 51.047599'),
    examples: ['51.047599'],
  })
export const longitude = () =>
  Type.String({
    maxLength: 11,
    ...patternOf('^-?[0-9]{1,3}\\.[0-9]{5,7}$', 'degrees such as 3.729944'),
    examples: ['3.729944'],
  })

export const geoLocationSchema = object('GeoLocation', { latitude: latitude(), longitude: longitude() })
export type GeoLocation = Static<typeof geoLocationSchema>

export const timeOfDay = () =>
  Type.String({ ...patternOf('^([0-1][0-9]|2[0-3]):[0-5][0-9]$', 'a time from 00:00 to 23:59'), examples: ['08:00'] })

export const energyMixSchema = object('EnergyMix', {
  is_green_energy: Type.Boolean(),
  energy_sources: listOf(
    object('EnergySource', {
      source: oneOf(['NUCLEAR', 'GENERAL_FOSSIL', 'COAL', 'GAS', 'GENERAL_GREEN', 'SOLAR', 'WIND', 'WATER']),
      percentage: number(),
    }),
  ),
  environ_impact: listOf(
    object('EnvironmentalImpact', { category: oneOf(['NUCLEAR_WASTE', 'CARBON_DIOXIDE']), amount: number() }),
  ),
  supplier_name: optional(text(64)),
  energy_product_name: optional(text(64)),
})
export type EnergyMix = Static<typeof energyMixSchema>

export const tokenTypes = ['AD_HOC_USER', 'APP_USER', 'OTHER', 'RFID'] as const
export type TokenType = (typeof tokenTypes)[number]
export const tokenType = () => oneOf(tokenTypes)

export const authMethods = ['AUTH_REQUEST', 'COMMAND', 'WHITELIST'] as const
export type AuthMethod = (typeof authMethods)[number]

export const profileTypes = ['CHEAP', 'FAST', 'GREEN', 'REGULAR'] as const
export const profileType = () => oneOf(profileTypes)

export const connectorFormats = ['SOCKET', 'CABLE'] as const
export type ConnectorFormat = (typeof connectorFormats)[number]

export const powerTypes = ['AC_1_PHASE', 'AC_2_PHASE', 'AC_2_PHASE_SPLIT', 'AC_3_PHASE', 'DC'] as const
export type PowerType = (typeof powerTypes)[number]

/** Standards of connectors: ConnectorType of OCPI 2.2.1, 8.4.5. */
export const connectorStandards = [
  'CHADEMO',
  'CHAOJI',
  'DOMESTIC_A',
  'DOMESTIC_B',
  'DOMESTIC_C',
  'DOMESTIC_D',
  'DOMESTIC_E',
  'DOMESTIC_F',
  'DOMESTIC_G',
  'DOMESTIC_H',
  'DOMESTIC_I',
  'DOMESTIC_J',
  'DOMESTIC_K',
  'DOMESTIC_L',
  'DOMESTIC_M',
  'DOMESTIC_N',
  'DOMESTIC_O',
  'GBT_AC',
  'GBT_DC',
  'IEC_60309_2_single_16',
  'IEC_60309_2_three_16',
  'IEC_60309_2_three_32',
  'IEC_60309_2_three_64',
  'IEC_62196_T1',
  'IEC_62196_T1_COMBO',
  'IEC_62196_T2',
  'IEC_62196_T2_COMBO',
  'IEC_62196_T3A',
  'IEC_62196_T3C',
  'NEMA_5_20',
  'NEMA_6_30',
  'NEMA_6_50',
  'NEMA_10_30',
  'NEMA_10_50',
  'NEMA_14_30',
  'NEMA_14_50',
  'PANTOGRAPH_BOTTOM_UP',
  'PANTOGRAPH_TOP_DOWN',
  'TESLA_R',
  'TESLA_S',
] as const
export type ConnectorStandard = (typeof connectorStandards)[number]
