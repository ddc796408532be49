import fc from 'fast-check'
import { test } from 'tap'
import {
  type MeterValuesRequest,
  meterValues,
  readRequest,
  stopTransaction,
  type Violation,
} from '../../src/ocpp16/index.js'

const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const nowText = '2026-01-02T03:04:05.000Z'
const at = '2026-01-02T03:04:05Z'

function read(payload: object): { value: MeterValuesRequest; violations: readonly Violation[] } {
  const reading = readRequest(meterValues, payload, now)
  if (!reading.ok) throw new Error(reading.description)
  return reading
}

/** What becomes of samples that come in one meter value. */
function readSamples(...sampledValue: readonly unknown[]) {
  const { value, violations } = read({ connectorId: 1, meterValue: [{ timestamp: at, sampledValue }] })
  return { samples: value.meterValue[0]?.sampledValue, rules: violations.map(({ rule, path }) => `${rule} ${path}`) }
}

const sample = '/meterValue/0/sampledValue/0'

test('meter values - an object in the place of an array is taken for its only element', async (t) => {
  const { value, violations } = read({ connectorId: 1, meterValue: { timestamp: at, sampledValue: { value: '1' } } })
  t.strictSame(value.meterValue, [{ timestamp: at, sampledValue: [{ value: '1' }] }])
  t.strictSame(
    violations.map(({ rule, path }) => `${rule} ${path}`),
    ['not-an-array /meterValue', 'not-an-array /meterValue/0/sampledValue'],
  )
})

test('meter values - a bad sample is dropped alone', async (t) => {
  const { samples, rules } = readSamples({ value: '1' }, null, { value: 'NaN' }, { value: '' }, {}, 7, { value: '2' })
  t.strictSame(samples, [{ value: '1' }, { value: '2' }])
  t.strictSame(
    rules,
    [1, 2, 3, 4, 5].map((index) => `unreadable-item /meterValue/0/sampledValue/${index}`),
  )
})

test('meter values - a bad meter value is dropped alone', async (t) => {
  const { value } = read({ connectorId: 1, meterValue: [null, { timestamp: at, sampledValue: [{ value: '1' }] }, 'x'] })
  t.strictSame(value.meterValue, [{ timestamp: at, sampledValue: [{ value: '1' }] }])
})

test('meter values - of more elements than a frame of meter values can hold, the first are read', async (t) => {
  const { value, violations } = read({ connectorId: 1, meterValue: Array.from({ length: 20_480 }, () => ({})) })
  t.equal(value.meterValue.length, 2_000)
  t.equal(violations.length, 50)
  const nothing = read({
    connectorId: 1,
    meterValue: Array.from({ length: 2_001 }, () => ({ timestamp: at, sampledValue: [] })),
  })
  t.equal(nothing.value.meterValue.length, 2_000)
})

test('meter values - an empty or missing list is taken', async (t) => {
  const { samples, rules } = readSamples()
  t.strictSame(samples, [])
  t.strictSame(rules, ['empty-array /meterValue/0/sampledValue'])
  t.strictSame(read({ connectorId: 1, meterValue: [] }).value.meterValue, [])
  t.strictSame(read({ connectorId: 1, meterValue: [{ timestamp: at }] }).value.meterValue[0]?.sampledValue, [])
  t.strictSame(read({}).value, { connectorId: 0, meterValue: [] })
})

test('meter values - a value may be a number, have blanks or a comma', async (t) => {
  const values = [1234.5, ' 1234,5 ', '1 234.5', '+5', '.5', '5.']
  t.strictSame(
    readSamples(...values.map((value) => ({ value }))).samples?.map(({ value }) => value),
    ['1234.5', '1234.5', '1234.5', '5', '0.5', '5'],
  )
  t.strictSame(readSamples({ value: 1 }).rules, [`wrong-type ${sample}/value`])
  t.strictSame(readSamples({ value: '1,5' }).rules, [`decimal-format ${sample}/value`])
  t.strictSame(readSamples({ value: '1,234.5' }).samples, [], 'it could be either')
})

test('meter values - signed data is any text, and is kept verbatim', async (t) => {
  const value = ` OCMF|{"RV":"1,5"}|${'f'.repeat(5_000)}`
  t.strictSame(readSamples({ value, format: 'signeddata' }).samples, [{ value, format: 'SignedData' }])
})

test('meter values - units are read in the spellings that are used', async (t) => {
  const units = ['Hz', 'kwh', 'WH', 'celcius', 'Volts', '%']
  t.strictSame(
    readSamples(...units.map((unit) => ({ value: '1', unit }))).samples?.map(({ unit }) => unit),
    ['Hertz', 'kWh', 'Wh', 'Celcius', 'V', 'Percent'],
  )
})

test('meter values - phases are read in lower case and without the hyphen', async (t) => {
  t.strictSame(
    readSamples({ value: '1', phase: 'l1-n' }, { value: '1', phase: 'L1L2' }).samples?.map(({ phase }) => phase),
    ['L1-N', 'L1-L2'],
  )
})

test('meter values - a sample of an unknown kind is dropped, for its number could be anything', async (t) => {
  for (const field of ['measurand', 'unit', 'phase', 'format']) {
    const { samples, rules } = readSamples({ value: '1', [field]: 'Request.Energy' }, { value: '2' })
    t.strictSame(samples, [{ value: '2' }], field)
    t.strictSame(rules, [`unreadable-field ${sample}/${field}`, `unreadable-item ${sample}`])
  }
})

test('meter values - an unknown context is Other, an unknown location none', async (t) => {
  const { samples, rules } = readSamples({ value: '1', context: 'Sample.Vendor', location: 'Cellar' })
  t.strictSame(samples, [{ value: '1', context: 'Other' }])
  t.strictSame(rules, [`enumeration-unknown ${sample}/context`, `unreadable-field ${sample}/location`])
})

test('meter values - a null measurand is the default one', async (t) => {
  t.strictSame(readSamples({ value: '1', measurand: null }).samples, [{ value: '1' }])
})

test('meter values - a missing timestamp is the time of receipt', async (t) => {
  const { value, violations } = read({ connectorId: 1, meterValue: [{ sampledValue: [{ value: '1' }] }] })
  t.equal(value.meterValue[0]?.timestamp, nowText)
  t.strictSame(violations, [{ rule: 'missing-field', path: '/meterValue/0/timestamp' }])
})

test('meter values - a transaction id that means none is left out', async (t) => {
  for (const text of ['null', '0', '-1', '9223372036854775807', '"x"', '7.4']) {
    const { value, violations } = read(JSON.parse(`{"connectorId":1,"transactionId":${text},"meterValue":[]}`))
    t.notOk('transactionId' in value, text)
    t.ok(violations.some(({ path }) => path === '/transactionId'))
  }
  t.equal(read({ connectorId: 1, transactionId: '7', meterValue: [] }).value.transactionId, 7)
})

test('meter values - the data of a StopTransaction is read in the same way', async (t) => {
  const reading = readRequest(
    stopTransaction,
    {
      transactionId: 7,
      meterStop: 1,
      timestamp: at,
      transactionData: { timestamp: at, sampledValue: [{ value: 'x' }, { value: 1 }] },
    },
    now,
  )
  t.match(reading, { ok: true, value: { transactionData: [{ timestamp: at, sampledValue: [{ value: '1' }] }] } })
})

test('meter values - no list of samples makes the message refused', async () => {
  const nearSample = fc.record(
    { value: fc.jsonValue(), unit: fc.jsonValue(), phase: fc.jsonValue(), format: fc.constantFrom('Raw', 'x', null) },
    { requiredKeys: [] },
  )
  const nearValue = fc.record({
    timestamp: fc.jsonValue(),
    sampledValue: fc.array(fc.oneof(nearSample, fc.jsonValue())),
  })
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.oneof(nearValue, fc.jsonValue())), fc.jsonValue()),
      (meterValue) => readRequest(meterValues, { connectorId: 1, meterValue }, now).ok,
    ),
    { numRuns: 1_000 },
  )
})
