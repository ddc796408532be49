// Objects of an operator, held to the schemas of OCPI 2.2.1: what is required is there, everything that the standard names has its form, and what it
// does not name may be there as well. A null is no value of OCPI.

import { Ajv, type ValidateFunction } from 'ajv'
import { type TSchema, Type } from 'typebox'
import { type Cdr, cdrSchema } from '../../src/ocpi/schemas/cdr.js'
import { commandResponseSchema, commandResultSchema } from '../../src/ocpi/schemas/command.js'
import { filledListOf } from '../../src/ocpi/schemas/common.js'
import { credentialsRoleSchema, receivedCredentialsSchema } from '../../src/ocpi/schemas/credentials.js'
import { connectorSchema, evseSchema, type Location, locationSchema } from '../../src/ocpi/schemas/location.js'
import { type Session, sessionSchema } from '../../src/ocpi/schemas/session.js'
import { type Tariff, tariffSchema } from '../../src/ocpi/schemas/tariff.js'
import { locationReferencesSchema } from '../../src/ocpi/schemas/token.js'
import { versionDetailsSchema, versionsSchema } from '../../src/ocpi/schemas/version.js'
import { faultsOf } from '../../src/runtime/fault-words.js'
import { parseUrl } from '../../src/runtime/parse-url.js'
import { instantOf } from './times.js'

/** What an operator tells a partner of. */
export interface Objects {
  locations: Location
  sessions: Session
  tariffs: Tariff
  cdrs: Cdr
}
export type Kind = keyof Objects
export type ObjectOf<Of extends Kind> = Objects[Of]
export const kinds: readonly Kind[] = ['locations', 'tariffs', 'sessions', 'cdrs']

/** A part of an object that has changed (OCPI 2.2.1, 4.1.3): it says when. */
const partOf = (schema: TSchema): TSchema => ({ ...schema, required: ['last_updated'] })

const schemas = {
  versions: versionsSchema,
  details: versionDetailsSchema,
  // Its fields of 2.1.1 are no part of 2.2.1.
  credentials: Type.Object({
    ...receivedCredentialsSchema.properties,
    roles: filledListOf(credentialsRoleSchema),
  }),
  locations: locationSchema,
  location: partOf(locationSchema),
  evse: evseSchema,
  evsePart: partOf(evseSchema),
  connector: connectorSchema,
  connectorPart: partOf(connectorSchema),
  sessions: sessionSchema,
  sessionPart: partOf(sessionSchema),
  tariffs: tariffSchema,
  cdrs: cdrSchema,
  response: commandResponseSchema,
  result: commandResultSchema,
  references: locationReferencesSchema,
} satisfies Readonly<Record<string, TSchema>>
export type SchemaName = keyof typeof schemas

// 21.4 is no exact multiple of 0.1 in binary.
const ajv = new Ajv({ strict: false, verbose: true, validateSchema: false, multipleOfPrecision: 6, allErrors: true })
ajv.addFormat('date-time', { type: 'string', validate: (text: string) => instantOf(text) !== undefined })
ajv.addFormat('uri', { type: 'string', validate: (text: string) => /^https?:$/.test(parseUrl(text)?.protocol ?? '') })

const validators = new Map<SchemaName, ValidateFunction>()
const mostFaults = 10

/** What is wrong with it, each as a sentence; none where it is what the standard says. */
export function faultsIn(name: SchemaName, value: unknown): readonly string[] {
  const validate = validators.get(name) ?? ajv.compile(schemas[name])
  validators.set(name, validate)
  if (validate(value)) return []
  return faultsOf((validate.errors ?? []).slice(0, mostFaults)).map(({ error, message }) => {
    if (error.keyword === 'required') return `${error.instancePath}/${error.params.missingProperty} is missing`
    return `${error.instancePath || 'it'} ${message}`
  })
}

/** Text that is equal for equal values, whatever the order of their fields. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
