// Roaming details as operators send and see them: of a site, or of a charge point.

import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import {
  businessDetailsSchema,
  connectorFormats,
  connectorStandards,
  displayTextSchema,
  imageSchema,
  powerTypes,
} from '../../../ocpi/schemas/common.js'
import {
  capabilities,
  facilities,
  hoursSchema,
  parkingRestrictions,
  parkingTypes,
} from '../../../ocpi/schemas/location.js'
import type { OcpiConnectorDetails, OcpiPlace } from '../../../records/ocpi-place.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { filledLine, patternOf } from '../../../runtime/fault-words.js'
import { connectorId, country, nullable } from '../../pipeline/schemas.js'
import { timezoneFaults, timezoneName } from '../../pipeline/timezone.js'
import { limits } from './limits.js'

const words = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, ...filledLine, description })
const listOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { maxItems: limits.listedDetails, description })

const placeFields = {
  country: country(),
  city: words(45, 'The city. null means the one that stands in the address.'),
  postal_code: words(10, 'The postal code.'),
  state: words(20, 'The state or province.'),
  time_zone: timezoneName(),
  parking_type: Type.Enum([...parkingTypes]),
  facilities: listOf(Type.Enum([...facilities]), 'What is there besides.'),
  directions: listOf(displayTextSchema, 'How drivers find the location.'),
  opening_times: hoursSchema,
  charging_when_closed: Type.Boolean({ description: 'Whether cars charge while the location is closed.' }),
  images: listOf(imageSchema, 'Pictures of the location.'),
  owner: businessDetailsSchema,
}

const evseFields = {
  capabilities: listOf(
    Type.Enum([...capabilities]),
    'What each connector can do. null means REMOTE_START_STOP_CAPABLE, RFID_READER and UNLOCK_CAPABLE, and RESERVABLE where the charge point has reported that it takes reservations.',
  ),
  parking_restrictions: listOf(Type.Enum([...parkingRestrictions]), 'Who may park there.'),
  floor_level: words(4, 'The floor, such as -1.'),
}

const connectorFields = {
  evse_id: Type.String({
    ...patternOf('^[A-Za-z]{2}\\*?[A-Za-z0-9]{3}\\*?[Ee][A-Za-z0-9*]{1,31}$', 'an EVSE id such as NL*TNM*E12345*1'),
    examples: ['NL*AMP*ECP*0001*1'],
    description:
      'The EVSE id (eMI3). null means one that is made of your party, the id of the charge point and the connector.',
  }),
  physical_reference: words(16, 'What is written on it, such as 12B.'),
  standard: Type.Enum([...connectorStandards]),
  format: Type.Enum([...connectorFormats]),
  power_type: Type.Enum([...powerTypes]),
  max_voltage: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'Volts; between a line and the neutral for AC.',
  }),
  max_amperage: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Amperes.' }),
  max_electric_power: Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Watts.' }),
  terms_and_conditions: Type.String({ format: 'uri', maxLength: 255 }),
}

type Optionals<Fields extends TProperties> = {
  [Name in keyof Fields]: ReturnType<typeof Type.Optional<ReturnType<typeof nullable<Fields[Name]>>>>
}
type Nullables<Fields extends TProperties> = { [Name in keyof Fields]: ReturnType<typeof nullable<Fields[Name]>> }

const mapped = (fields: TProperties, change: (field: TSchema) => TSchema): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]))
/** What may be left out, or be null. */
const optionals = <Fields extends TProperties>(fields: Fields) =>
  mapped(fields, (field) => Type.Optional(nullable(field))) as Optionals<Fields>
/** The same in an answer. */
const nullables = <Fields extends TProperties>(fields: Fields) => mapped(fields, nullable) as Nullables<Fields>

const published = 'Whether roaming partners see the location. null means: as `publish_by_default` of your party says.'
const publishedOfChargePoint =
  'Whether roaming partners see the charge point. null means: where it is in a site, as the site; otherwise, as `publish_by_default` of your party says. ' +
  'false takes a charge point out of the location of its site.'

export const siteDetailsBody = Type.Object({
  publish: Type.Optional(nullable(Type.Boolean({ description: published }))),
  ...optionals(placeFields),
})

export const chargePointDetailsBody = Type.Object({
  publish: Type.Optional(nullable(Type.Boolean({ description: publishedOfChargePoint }))),
  ...optionals(placeFields),
  ...optionals(evseFields),
  connectors: Type.Optional(
    Type.Array(Type.Object({ connector_id: connectorId(1), ...optionals(connectorFields) }), {
      maxItems: limits.describedConnectors,
      description:
        'What is known of single connectors. What you leave out follows from the power and the phases of the charge point, and from what is usual in its country.',
    }),
  ),
})

export const siteDetailsFields = {
  publish: nullable(Type.Boolean({ description: published })),
  ...nullables(placeFields),
}

export const chargePointDetailsFields = {
  publish: nullable(Type.Boolean({ description: publishedOfChargePoint })),
  ...nullables(placeFields),
  ...nullables(evseFields),
  connectors: Type.Array(Type.Object({ connector_id: Type.Integer(), ...nullables(connectorFields) })),
}

type Body = Static<typeof siteDetailsBody> | Static<typeof chargePointDetailsBody>

/** What the schema of a body cannot say. */
export function detailsFaults(body: Body): ErrorDetail[] {
  const connectors = 'connectors' in body ? (body.connectors ?? []) : []
  const ids = connectors.map(({ connector_id }) => connector_id)
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  return [
    ...timezoneFaults(body.time_zone ?? undefined, '/time_zone'),
    ...(twice < 0 ? [] : [{ path: `/connectors/${twice}/connector_id`, message: 'is named twice' }]),
  ]
}

/** As it is stored: without what is null. */
export function storedDetails(
  body: Body,
): Omit<OcpiPlace, 'kind' | 'id' | 'organization_id' | 'version' | 'updated_at'> {
  const { connectors, ...said } = body as Static<typeof chargePointDetailsBody>
  return {
    ...filled(said),
    ...(connectors !== undefined && {
      connectors: connectors.map(filled) as unknown as readonly OcpiConnectorDetails[],
    }),
  }
}

function filled(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

const namesOf = (fields: TProperties): readonly string[] => Object.keys(fields)

function shown(names: readonly string[], row: object | undefined): object {
  const said = (row ?? {}) as Readonly<Record<string, unknown>>
  return Object.fromEntries(names.map((name) => [name, said[name] ?? null]))
}

export function siteDetailsView(row: OcpiPlace | undefined): object {
  return { ...shown(namesOf(placeFields), row), publish: row?.publish ?? null }
}

export function chargePointDetailsView(row: OcpiPlace | undefined): object {
  const connectors = (row?.connectors ?? []).map((connector) =>
    shown(['connector_id', ...namesOf(connectorFields)], connector),
  )
  return { ...shown(['publish', ...namesOf(placeFields), ...namesOf(evseFields)], row), connectors }
}
