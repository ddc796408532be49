import { readdirSync } from 'node:fs'
import { test } from 'tap'
import type { TSchema } from 'typebox'
import { faultsOfSent, readObject } from '../../src/ocpi/validators.js'
import { shapeNames, strictFaults } from '../support/strict-ocpi.js'
import { requiredFields, samples } from './samples.js'

const folder = new URL('../../src/ocpi/schemas/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
const modules: Record<string, unknown>[] = await Promise.all(files.map((name) => import(new URL(name, folder).href)))
const schemas = new Map(
  modules
    .flatMap((module) => Object.entries(module))
    .filter(([name]) => name.endsWith('Schema'))
    .map(([name, schema]) => [name.replace(/Schema$/, ''), schema as TSchema]),
)

function schemaOf(name: string): TSchema {
  const schema = schemas.get(name)
  if (schema === undefined) throw new Error(`there is no ${name}Schema`)
  return schema
}

const camelCase = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)
const sampleOf = (name: string): object => structuredClone(samples[name] as object)

test('OCPI schemas - each has a sample, which may be sent and is read as it is', async (t) => {
  const objects = [...schemas].filter(([, schema]) => 'properties' in schema).map(([name]) => name)
  t.same(objects.sort(), Object.keys(samples).sort())
  for (const name of objects) {
    t.same(faultsOfSent(schemaOf(name), sampleOf(name)), [], name)
    t.same(readObject(schemaOf(name), sampleOf(name)), { ok: true, value: sampleOf(name) }, name)
  }
})

test('OCPI schemas - what the standard requires is required, and nothing else', async (t) => {
  for (const [name, required] of Object.entries(requiredFields)) {
    const sample = sampleOf(name)
    for (const field of Object.keys(sample)) {
      const { [field]: _, ...rest } = sample as Record<string, unknown>
      const faults = required.split(' ').includes(field) ? [{ path: `/${field}`, message: 'is required' }] : []
      t.same(faultsOfSent(schemaOf(name), rest), faults, `${name} without ${field}`)
    }
  }
})

test('OCPI schemas - what a strict partner misses is what may not be missing, by a second reading of the standard', async (t) => {
  // The interface has fields of its own beside those of the standard.
  const beyond: Readonly<Record<string, readonly string[]>> = {
    Credentials: ['business_details', 'party_id', 'country_code'],
  }
  const compared = shapeNames.filter((shape) => schemas.has(camelCase(shape)))
  t.ok(compared.length > 20)
  for (const shape of compared) {
    const sample = sampleOf(camelCase(shape)) as Record<string, unknown>
    t.same(strictFaults(shape, sample), [], shape)
    for (const field of Object.keys(sample)) {
      if (beyond[shape]?.includes(field) === true) continue
      const { [field]: _, ...rest } = sample
      const isMissed = strictFaults(shape, rest).length > 0
      const isRequired = faultsOfSent(schemaOf(camelCase(shape)), rest).length > 0
      t.equal(isRequired, isMissed, `${shape} without ${field}`)
    }
  }
})

test('OCPI schemas - fields that the standard does not have are not sent, at any depth, and are dropped where they come in', async (t) => {
  const location = sampleOf('location') as { evses: { connectors: object[] }[] }
  const strange = structuredClone(location) as { evses: { connectors: Record<string, unknown>[] }[] }
  const [connector] = strange.evses[0]?.connectors ?? []
  if (connector !== undefined) connector.status = 'AVAILABLE'
  t.same(faultsOfSent(schemaOf('location'), strange), [
    { path: '/evses/0/connectors/0/status', message: 'is not a field of OCPI 2.2.1' },
  ])
  t.same(readObject(schemaOf('location'), strange), { ok: true, value: location })
})

test('OCPI schemas - a field that is null stands for an absent one, and a required one is missing then', async (t) => {
  const read = readObject(schemaOf('token'), { ...sampleOf('token'), visual_number: null, energy_contract: null })
  t.ok(read.ok)
  t.notOk(read.ok && 'visual_number' in (read.value as object))
  t.same(readObject(schemaOf('token'), { ...sampleOf('token'), uid: null }), {
    ok: false,
    faults: [{ path: '/uid', message: 'is required' }],
  })
})

test('OCPI schemas - times come in with any designator or none, and leave in UTC with at most 25 characters', async (t) => {
  const price = (last_updated: string) => ({ status: 'CHARGING', last_updated })
  const schema = schemaOf('evseStatusPatch')
  for (const time of ['2015-06-29T20:39:09Z', '2015-06-29T20:39:09', '2016-12-29T17:45:09.2Z'])
    t.same([readObject(schema, price(time)).ok, faultsOfSent(schema, price(time))], [true, []], time)
  for (const time of ['2015-06-29T20:39:09+00:00', '2015-06-29T22:39:09+02:00', '2015-06-29T20:39:09.1234567Z'])
    t.same([readObject(schema, price(time)).ok, faultsOfSent(schema, price(time)).length], [true, 1], time)
  for (const time of ['yesterday', '2015-13-29T20:39:09Z', ''])
    t.same([readObject(schema, price(time)).ok, faultsOfSent(schema, price(time)).length], [false, 1], time)
})

test('OCPI schemas - numbers leave with four decimals, and come in with any', async (t) => {
  const schema = schemaOf('price')
  for (const excl_vat of [0, 0.1, 21.4, 0.0001, 12_345.6789, -4]) t.same(faultsOfSent(schema, { excl_vat }), [])
  t.equal(faultsOfSent(schema, { excl_vat: 0.00001 }).length, 1)
  t.ok(readObject(schema, { excl_vat: 1 / 3 }).ok)
})
