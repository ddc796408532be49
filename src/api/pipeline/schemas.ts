// The shapes that several areas' requests and answers share, as TypeBox schemas.

import { type TProperties, type TSchema, Type } from 'typebox'
import { assignedCountry } from '../../runtime/countries.js'
import { filledLine, line, patternOf } from '../../runtime/fault-words.js'

/** An object with a name of its own in the OpenAPI document: a client that is generated from it has a type of that name. */
export const named = <Properties extends TProperties>(title: string, properties: Properties) =>
  Type.Object(properties, { title })

export const chargePointId = (description = 'Letters, digits and hyphens; at most 48 characters.') =>
  Type.String({ ...patternOf('^[A-Za-z0-9-]{1,48}$', '1 to 48 letters, digits and hyphens'), description })

/** On a wall clock. */
export const timeOfDay = (description: string) =>
  Type.String({
    ...patternOf('^(?:[01][0-9]|2[0-3]):[0-5][0-9]$', 'a time from 00:00 to 23:59'),
    description: `${description} Format: HH:MM.`,
  })

export const chargePointParams = Type.Object({ charge_point_id: chargePointId() })

const described = (description: string | undefined) => (description === undefined ? {} : { description })

/** Marks what nobody may read in a record: a parameter of a path, or a field of a body at any depth. */
export const secret = { 'x-secret': true } as const

export const timestamp = (description?: string) => Type.String({ format: 'date-time', ...described(description) })

/** Of requests: answers have also what older versions took. */
export const country = () =>
  Type.String({ ...assignedCountry, description: 'A country code of ISO 3166-1 alpha-2, such as NL.' })

/** One address that mail can go to. */
export const emailAddress = (description?: string) =>
  Type.String({ format: 'email', maxLength: 320, ...described(description) })

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const connectorId = (minimum: number, description?: string) =>
  Type.Integer({ minimum, maximum: 1_000, ...described(description) })

export const idTagText = (description?: string) =>
  Type.String({ minLength: 1, maxLength: 20, ...filledLine, ...described(description) })

/** One that is there already: charge points send any characters, and earlier versions registered them. */
export const givenIdTag = (description?: string) =>
  Type.String({ minLength: 1, maxLength: 20, ...described(description) })

/** The name of a thing, as its owner calls it. */
export const nameText = () => Type.String({ minLength: 1, maxLength: 200, ...line })

export const integer32 = () => Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 })

/** Parameters and raw OCPP payloads: any JSON object. */
export const anyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })
