import { test } from 'tap'
import type { TObject } from 'typebox'
import { messages } from '../../src/ocpp16/index.js'
import { fastValidator } from '../../src/ocpp16/validators.js'
import { payloadOf, samples } from './every-message.js'
import { enumerations, longestTexts, requiredFields, standardSamples } from './samples.js'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Path = readonly (string | number)[]

/** Every message's two schemas with their samples, by `Action.request` and `Action.response`. */
const payloads = payloadsOf(samples)
const standardPayloads = payloadsOf(standardSamples)

function payloadsOf(of: typeof samples) {
  return Object.entries(of).flatMap(([action, sample]) => {
    const definition = messages.get(action)
    if (definition === undefined) throw new Error(`${action} has no definition`)
    return [
      { name: `${action}.request`, schema: definition.request, sample: sample.request },
      { name: `${action}.response`, schema: definition.response, sample: sample.response },
    ]
  })
}

function fits(schema: TObject, payload: unknown): boolean {
  return fastValidator(schema)(payload)
}

/** The places of all values in a payload, its own first. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key]))]
}

/** A copy with the value at the path replaced; undefined takes it out. */
function replaced(payload: unknown, path: Path, change: (value: Json) => Json | undefined): Json | undefined {
  const copy = structuredClone(payload) as Json
  const [key, ...rest] = path
  if (key === undefined) return change(copy)
  const holder = copy as { [key: string]: Json }
  const inner = replaced(holder[key], rest, change)
  if (inner === undefined) delete holder[key]
  else holder[key] = inner
  return copy
}

test('schemas - all 28 actions of OCPP 1.6 and the 11 of the security extension are there', async (t) => {
  const definitions = Object.keys(standardSamples).map((action) => messages.get(action))
  t.equal(definitions.length, 39)
  t.notOk(definitions.includes(undefined))
  t.equal(definitions.filter((definition) => definition?.profile === 'Security').length, 11)
  for (const [action, definition] of messages) t.equal(definition.action, action)
})

test('schemas - who sends a message is as in the standard', async (t) => {
  const from = (sender: string) =>
    Object.keys(standardSamples).filter((action) => messages.get(action)?.from === sender)
  t.strictSame(from('both'), ['DataTransfer'])
  t.strictSame(from('charge-point').sort(), [
    'Authorize',
    'BootNotification',
    'DiagnosticsStatusNotification',
    'FirmwareStatusNotification',
    'Heartbeat',
    'LogStatusNotification',
    'MeterValues',
    'SecurityEventNotification',
    'SignCertificate',
    'SignedFirmwareStatusNotification',
    'StartTransaction',
    'StatusNotification',
    'StopTransaction',
  ])
})

test('schemas - a payload with every field of the standard is valid', async (t) => {
  for (const { name, schema, sample } of payloads) t.ok(fits(schema, sample), name)
})

test('schemas - a payload that is made of a schema is valid', async (t) => {
  // A sampled value has a rule of its own: its text is a number, unless it is signed.
  for (const { name, schema } of payloads)
    if (!JSON.stringify(schema).includes('decimalUnlessSigned')) t.ok(fits(schema, payloadOf(schema)), name)
})

test('schemas - an unknown field anywhere is invalid', async (t) => {
  for (const { name, schema, sample } of payloads) {
    for (const path of placesOf(sample)) {
      let isObject = false
      const mutated = replaced(sample, path, (value) => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
        isObject = true
        return { ...value, unknownField: 1 }
      })
      if (isObject) t.notOk(fits(schema, mutated), `${name}/${path.join('/')}`)
    }
  }
})

test('schemas - a value of another type anywhere is invalid', async (t) => {
  for (const { name, schema, sample } of payloads) {
    for (const path of placesOf(sample)) {
      const wrong = (value: Json): Json =>
        typeof value === 'string' ? 7 : typeof value === 'object' ? 'x' : `${value}`
      t.notOk(fits(schema, replaced(sample, path, wrong)), `${name}/${path.join('/')} of another type`)
      t.notOk(
        fits(
          schema,
          replaced(sample, path, () => null),
        ),
        `${name}/${path.join('/')} null`,
      )
    }
  }
})

test('schemas - the fields that the standard requires are required, and no others', async (t) => {
  for (const { name, schema, sample } of standardPayloads) {
    const expected =
      requiredFields[name] ??
      Object.keys(sample)
        .filter((key) => key === 'status')
        .join(' ')
    const required = Object.keys(sample).filter(
      (key) =>
        !fits(
          schema,
          replaced(sample, [key], () => undefined),
        ),
    )
    t.strictSame(required.sort(), expected.split(' ').filter(Boolean).sort(), name)
  }
})

test('schemas - texts are as long as the standard lets them, and not longer', async (t) => {
  for (const [place, maxLength] of longestTexts) {
    const [action = '', direction = '', ...path] = place.split('.')
    const payload = standardPayloads.find(({ name }) => name === `${action}.${direction}`)
    if (payload === undefined) throw new Error(`${place} is in no sample`)
    const fitsWith = (length: number) =>
      fits(
        payload.schema,
        replaced(payload.sample, path, () => 'ü'.repeat(length)),
      )
    t.ok(fitsWith(maxLength), `${place} of ${maxLength}`)
    t.notOk(fitsWith(maxLength + 1), `${place} of ${maxLength + 1}`)
  }
})

test('schemas - enumerations take every value of the standard', async (t) => {
  for (const [place, values] of Object.entries(enumerations)) {
    const [action = '', direction = '', ...path] = place.split('.')
    const payload = standardPayloads.find(({ name }) => name === `${action}.${direction}`)
    if (payload === undefined) throw new Error(`${place} is in no sample`)
    for (const value of values.split(/\s+/)) {
      t.ok(
        fits(
          payload.schema,
          replaced(payload.sample, path, () => value),
        ),
        `${place} ${value}`,
      )
    }
  }
})

test('schemas - enumerations, times and addresses take no other text', async (t) => {
  const freeTexts = new Set(longestTexts.map(([place]) => place))
  const freeFields = new Set(['idTag', 'parentIdTag', 'value', 'data'])
  let places = 0
  for (const { name, schema, sample } of standardPayloads) {
    for (const path of placesOf(sample)) {
      const place = [name, ...path].join('.')
      if (freeTexts.has(place) || freeFields.has(String(path.at(-1)))) continue
      let isText = false
      const mutated = replaced(sample, path, (value) => {
        isText = typeof value === 'string'
        return isText ? 'x' : value
      })
      if (!isText) continue
      places++
      t.notOk(fits(schema, mutated), place)
    }
  }
  t.ok(places > 90, `${places} places`)
})

test('schemas - limits have at most one decimal, whatever their binary form', async (t) => {
  const definition = messages.get('SetChargingProfile')
  const sample = standardSamples.SetChargingProfile?.request
  if (definition === undefined) throw new Error('SetChargingProfile has no definition')
  const path = ['csChargingProfiles', 'chargingSchedule', 'chargingSchedulePeriod', '0', 'limit']
  for (let tenths = 0; tenths <= 1_000; tenths++) {
    if (
      !fits(
        definition.request,
        replaced(sample, path, () => tenths / 10),
      )
    )
      t.fail(`${tenths / 10} is refused`)
  }
  for (const limit of [15.94, 0.05, 21.45])
    t.notOk(
      fits(
        definition.request,
        replaced(sample, path, () => limit),
      ),
      `${limit}`,
    )
})

test('schemas - a raw sampled value is a decimal number, a signed one any text', async (t) => {
  const { request } = messages.get('MeterValues') ?? {}
  if (request === undefined) throw new Error('MeterValues has no definition')
  const withSample = (sample: Json) => ({
    connectorId: 1,
    meterValue: [{ timestamp: '2026-01-02T03:04:05Z', sampledValue: [sample] }],
  })
  for (const value of ['0', '-1', '12.5', '1e3', '1.5E-3']) t.ok(fits(request, withSample({ value })), value)
  for (const value of ['', 'NaN', '1,5', ' 1', '1.', '.5', '+1', '0x10', '1e999', 'Infinity', '9'.repeat(65)]) {
    t.notOk(fits(request, withSample({ value })), `"${value}"`)
  }
  t.ok(fits(request, withSample({ value: 'OCMF|{}', format: 'SignedData' })))
})

test('schemas - both spellings of Celsius, and Hertz, are units', async (t) => {
  const { request } = messages.get('MeterValues') ?? {}
  if (request === undefined) throw new Error('MeterValues has no definition')
  for (const unit of ['Celsius', 'Celcius', 'Hertz']) {
    const sampledValue = [{ value: '1', unit }]
    t.ok(fits(request, { connectorId: 1, meterValue: [{ timestamp: '2026-01-02T03:04:05Z', sampledValue }] }), unit)
  }
})
