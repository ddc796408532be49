import fc from 'fast-check'
import { test } from 'tap'
import {
  authorize,
  bootNotification,
  dataTransfer,
  getConfiguration,
  heartbeat,
  logStatusNotification,
  messages,
  type Reading,
  readRequest,
  readResponse,
  reset,
  securityEventNotification,
  startTransaction,
  statusNotification,
  stopTransaction,
  unknownMeterStart,
  type Violation,
} from '../../src/ocpp16/index.js'
import { limits } from '../../src/ocpp16/limits.js'
import { fastValidator } from '../../src/ocpp16/validators.js'
import { samples } from './every-message.js'

const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const nowText = '2026-01-02T03:04:05.000Z'
const at = '2026-01-02T03:04:05Z'

function accepted<Value>(reading: Reading<Value>): { value: Value; violations: readonly Violation[] } {
  if (!reading.ok) throw new Error(reading.description)
  return reading
}

function rulesOf(violations: readonly Violation[]): string[] {
  return violations.map(({ rule, path }) => `${rule} ${path}`)
}

const start = { connectorId: 1, idTag: 'A', meterStart: 100, timestamp: at }
const stop = { transactionId: 7, meterStop: 200, timestamp: at }
const status = { connectorId: 1, errorCode: 'NoError', status: 'Available' }

test('reader - a valid payload is given back as it is', async (t) => {
  for (const [action, definition] of messages) {
    const { request, response } = samples[action] ?? { request: {}, response: {} }
    const reading = accepted(readRequest(definition, request, now))
    t.equal(reading.value, request, action)
    t.strictSame(reading.violations, [])
    t.equal(accepted(readResponse(definition, response, now)).value, response)
  }
})

test('reader - a payload that is no object is a FormationViolation', async (t) => {
  for (const payload of [[], 'x', 7, true, null, undefined]) {
    t.match(readRequest(heartbeat, payload, now), { ok: false, code: 'FormationViolation' })
  }
})

test('reader - a missing field that has no stand-in is an OccurenceConstraintViolation', async (t) => {
  t.match(readRequest(statusNotification, { ...status, connectorId: undefined }, now), {
    ok: false,
    code: 'OccurenceConstraintViolation',
    description: '/connectorId is missing',
  })
})

test('reader - a value of a type that cannot be converted is a TypeConstraintViolation', async (t) => {
  t.match(readRequest(statusNotification, { ...status, connectorId: {} }, now), {
    ok: false,
    code: 'TypeConstraintViolation',
    description: '/connectorId is not an integer',
  })
})

test('reader - a value that means nothing is a PropertyConstraintViolation', async (t) => {
  t.match(readRequest(statusNotification, { ...status, status: 'Dancing' }, now), {
    ok: false,
    code: 'PropertyConstraintViolation',
  })
  t.match(readRequest(statusNotification, { ...status, connectorId: -1 }, now), {
    ok: false,
    code: 'PropertyConstraintViolation',
  })
})

test('reader - text that is too long is cut, by characters and not within one', async (t) => {
  const { value, violations } = accepted(
    readRequest(
      bootNotification,
      { chargePointVendor: 'V', chargePointModel: 'M'.repeat(21), chargePointSerialNumber: '😀'.repeat(26) },
      now,
    ),
  )
  t.equal(value.chargePointModel, 'M'.repeat(20))
  t.equal(value.chargePointSerialNumber, '😀'.repeat(25))
  t.strictSame(violations[0], { rule: 'text-too-long', path: '/chargePointModel', received: 'M'.repeat(21) })
  t.strictSame(rulesOf(violations).slice(1), ['text-too-long /chargePointSerialNumber'])
})

test('reader - unknown fields are dropped, and what was sent is not changed', async (t) => {
  const sent = JSON.parse('{"idTag":"A","__proto__":{"idTag":"B"},"a/b":1,"constructor":2}')
  const copy = structuredClone(sent)
  const { value, violations } = accepted(readRequest(authorize, sent, now))
  t.strictSame(value, { idTag: 'A' })
  t.equal(Object.getPrototypeOf(value), Object.prototype)
  t.strictSame(rulesOf(violations), ['unknown-field /__proto__', 'unknown-field /a~1b', 'unknown-field /constructor'])
  t.strictSame(sent, copy)
})

test('reader - numbers and text are converted into each other', async (t) => {
  const { value, violations } = accepted(
    readRequest(startTransaction, { ...start, connectorId: '1', idTag: 1234, meterStart: ' 100,6 ' }, now),
  )
  t.strictSame(value, { connectorId: 1, idTag: '1234', meterStart: 101, timestamp: at })
  t.strictSame(violations, [
    { rule: 'wrong-type', path: '/connectorId', received: '1' },
    { rule: 'wrong-type', path: '/idTag', received: 1234 },
    { rule: 'wrong-type', path: '/meterStart', received: ' 100,6 ' },
  ])
  t.equal(accepted(readRequest(startTransaction, { ...start, meterStart: 99.5 }, now)).value.meterStart, 100)
  for (const meterStart of ['0x10', '', 'NaN', '1e999', '12 kWh']) {
    const reading = accepted(readRequest(startTransaction, { ...start, meterStart }, now))
    t.equal(reading.value.meterStart, unknownMeterStart, meterStart)
  }
})

test('reader - an enumeration is read in any case', async (t) => {
  const { value, violations } = accepted(readRequest(statusNotification, { ...status, status: ' suspendedevse' }, now))
  t.equal(value.status, 'SuspendedEVSE')
  t.strictSame(violations, [{ rule: 'enumeration-spelling', path: '/status', received: ' suspendedevse' }])
  t.equal(accepted(readResponse(reset, { status: 'ACCEPTED' }, now)).value.status, 'Accepted')
})

test('reader - Occupied is Preparing, and what was sent is told', async (t) => {
  const { value, violations } = accepted(readRequest(statusNotification, { ...status, status: 'Occupied' }, now))
  t.equal(value.status, 'Preparing')
  t.strictSame(violations, [{ rule: 'enumeration-spelling', path: '/status', received: 'Occupied' }])
})

test('reader - an unknown errorCode is OtherError, a missing one NoError', async (t) => {
  const unknown = accepted(readRequest(statusNotification, { ...status, errorCode: 'Error' }, now))
  t.equal(unknown.value.errorCode, 'OtherError')
  t.strictSame(unknown.violations, [{ rule: 'enumeration-unknown', path: '/errorCode', received: 'Error' }])
  const missing = accepted(readRequest(statusNotification, { connectorId: 1, status: 'Faulted' }, now))
  t.equal(missing.value.errorCode, 'NoError')
  t.strictSame(rulesOf(missing.violations), ['missing-field /errorCode'])
})

test('reader - an unknown stop reason is Other', async (t) => {
  const { value, violations } = accepted(readRequest(stopTransaction, { ...stop, reason: 'Bored' }, now))
  t.equal(value.reason, 'Other')
  t.strictSame(violations, [{ rule: 'enumeration-unknown', path: '/reason', received: 'Bored' }])
})

test('reader - an optional field that is null or unreadable is left out', async (t) => {
  const sent = { ...status, info: null, timestamp: 'yesterday', vendorId: {} }
  const { value, violations } = accepted(readRequest(statusNotification, sent, now))
  t.strictSame(value, status)
  t.strictSame(rulesOf(violations), ['null-field /info', 'unreadable-field /timestamp', 'unreadable-field /vendorId'])
})

test('reader - a missing or unreadable timestamp is the time of receipt', async (t) => {
  for (const timestamp of [undefined, null, 'yesterday', 7]) {
    const { value, violations } = accepted(readRequest(startTransaction, { ...start, timestamp }, now))
    t.equal(value.timestamp, nowText)
    t.equal(violations.length, 1)
  }
})

test('reader - a lenient timestamp is written in full, a well-formed one stays', async (t) => {
  const { value, violations } = accepted(
    readRequest(startTransaction, { ...start, timestamp: '2026-1-2 5:04:05+02' }, now),
  )
  t.equal(value.timestamp, nowText)
  t.strictSame(violations, [{ rule: 'timestamp-format', path: '/timestamp', received: '2026-1-2 5:04:05+02' }])
  const withOffset = '2026-01-02T05:04:05.123456+02:00'
  const mixed = accepted(readRequest(startTransaction, { ...start, idTag: 5, timestamp: withOffset }, now))
  t.equal(mixed.value.timestamp, withOffset)
})

test('reader - an id tag may be empty, missing or too long', async (t) => {
  t.equal(accepted(readRequest(authorize, { idTag: '' }, now)).value.idTag, '')
  t.equal(accepted(readRequest(authorize, {}, now)).value.idTag, '')
  t.equal(accepted(readRequest(startTransaction, { ...start, idTag: null }, now)).value.idTag, '')
  t.equal(accepted(readRequest(authorize, { idTag: 'x'.repeat(30) }, now)).value.idTag, 'x'.repeat(21), 'not another’s')
})

test('reader - a BootNotification is refused only if it is no object', async (t) => {
  const empty = accepted(readRequest(bootNotification, {}, now))
  t.strictSame(empty.value, { chargePointVendor: '', chargePointModel: '' })
  t.strictSame(rulesOf(empty.violations), ['missing-field /chargePointVendor', 'missing-field /chargePointModel'])
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (extra) => readRequest(bootNotification, extra, now).ok),
  )
  const field = fc.constantFrom(...Object.keys(samples.BootNotification?.request ?? {}))
  fc.assert(
    fc.property(fc.dictionary(field, fc.jsonValue()), (payload) => {
      const reading = accepted(readRequest(bootNotification, payload, now))
      return fastValidator(bootNotification.request)(reading.value)
    }),
  )
})

test('reader - StartTransaction on connector 0 is taken', async (t) => {
  const { value, violations } = accepted(readRequest(startTransaction, { ...start, connectorId: 0 }, now))
  t.equal(value.connectorId, 0)
  t.strictSame(violations, [{ rule: 'out-of-range', path: '/connectorId', received: 0 }])
})

test('reader - a StartTransaction without a reading of the meter, or without a connector, is taken', async (t) => {
  const { connectorId, meterStart, ...others } = start
  const { value, violations } = accepted(readRequest(startTransaction, { ...others, meterStart: null }, now))
  t.match(value, { connectorId: 0, meterStart: unknownMeterStart })
  t.same(
    violations.map(({ path }) => path),
    ['/connectorId', '/meterStart'],
  )
})

test('reader - a reservation id of -1, 0 or null is none', async (t) => {
  for (const reservationId of [-1, 0, null]) {
    const { value, violations } = accepted(readRequest(startTransaction, { ...start, reservationId }, now))
    t.notOk('reservationId' in value)
    t.equal(violations.length, 1)
  }
})

test('reader - a transaction id that means none is -1 in StopTransaction', async (t) => {
  t.strictSame(accepted(readRequest(stopTransaction, { ...stop, transactionId: -1 }, now)).violations, [])
  for (const text of ['null', '0', '9223372036854775807', '"x"', '"9223372036854775807"', '{}', '9007199254740993']) {
    const payload = JSON.parse(`{"transactionId":${text},"meterStop":200,"timestamp":"${at}"}`)
    const { value, violations } = accepted(readRequest(stopTransaction, payload, now))
    t.equal(value.transactionId, -1, text)
    t.equal(violations.length, 1)
  }
  t.equal(accepted(readRequest(stopTransaction, { ...stop, transactionId: undefined }, now)).value.transactionId, -1)
})

test('reader - a transaction id as text or with a fraction of nothing is read', async (t) => {
  t.equal(accepted(readRequest(stopTransaction, { ...stop, transactionId: '7' }, now)).value.transactionId, 7)
  t.equal(accepted(readRequest(stopTransaction, { ...stop, transactionId: '7.0' }, now)).value.transactionId, 7)
  t.equal(accepted(readRequest(stopTransaction, { ...stop, transactionId: 7.0 }, now)).value.transactionId, 7)
})

test('reader - a transaction id with a real fraction is none, not the nearest one', async (t) => {
  for (const transactionId of [7.4, '7.6']) {
    const { value, violations } = accepted(readRequest(stopTransaction, { ...stop, transactionId }, now))
    t.equal(value.transactionId, -1)
    t.strictSame(rulesOf(violations), ['unreadable-field /transactionId'])
  }
})

test('reader - StopTransaction is refused only if it is no object', async () => {
  const field = fc.constantFrom(...Object.keys(samples.StopTransaction?.request ?? {}))
  fc.assert(
    fc.property(fc.dictionary(field, fc.jsonValue()), (payload) => readRequest(stopTransaction, payload, now).ok),
  )
})

test('reader - a SecurityEventNotification is refused only if it is no object', async (t) => {
  t.strictSame(accepted(readRequest(securityEventNotification, {}, now)).value, { type: '', timestamp: nowText })
})

test('reader - LogStatusNotification UploadFailed is UploadFailure', async (t) => {
  t.equal(accepted(readRequest(logStatusNotification, { status: 'UploadFailed' }, now)).value.status, 'UploadFailure')
})

test('reader - the data of a DataTransfer may be any JSON', async (t) => {
  const { value } = accepted(readRequest(dataTransfer, { vendorId: 'v', data: { a: [1] } }, now))
  t.equal(value.data, '{"a":[1]}')
  t.equal(accepted(readRequest(dataTransfer, { data: 5 }, now)).value.data, '5')
  const deep = JSON.parse('['.repeat(30_000) + ']'.repeat(30_000))
  t.ok(readRequest(dataTransfer, { vendorId: 'v', data: deep }, now).ok)
})

test('reader - the answer to GetConfiguration loses only the keys that cannot be read', async (t) => {
  const { value, violations } = accepted(
    readResponse(
      getConfiguration,
      {
        configurationKey: [
          { key: 'A', readonly: 'true', value: 300 },
          { readonly: true },
          null,
          { key: 'B', readonly: 0, value: null },
          { key: 'C', readonly: false, value: 'x'.repeat(600) },
        ],
        unknownKey: 'D',
      },
      now,
    ),
  )
  t.strictSame(value, {
    configurationKey: [
      { key: 'A', readonly: true, value: '300' },
      { key: 'B', readonly: false },
      { key: 'C', readonly: false, value: 'x'.repeat(500) },
    ],
    unknownKey: ['D'],
  })
  t.strictSame(rulesOf(violations), [
    'wrong-type /configurationKey/0/readonly',
    'wrong-type /configurationKey/0/value',
    'unreadable-item /configurationKey/1',
    'unreadable-item /configurationKey/2',
    'wrong-type /configurationKey/3/readonly',
    'null-field /configurationKey/3/value',
    'text-too-long /configurationKey/4/value',
    'not-an-array /unknownKey',
  ])
  const long = violations.find((violation) => violation.rule === 'text-too-long')
  t.equal(String(long?.received).length, limits.violationReceivedLength)
})

test('reader - an answer whose status no one knows is refused', async (t) => {
  t.match(readResponse(reset, { status: 'Maybe' }, now), { ok: false, code: 'PropertyConstraintViolation' })
  t.match(readResponse(reset, {}, now), { ok: false, code: 'OccurenceConstraintViolation' })
})

test('reader - the violations of one payload are bounded', async (t) => {
  const payload = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, index]))
  t.equal(accepted(readRequest(heartbeat, payload, now)).violations.length, limits.violationsPerPayload)
})

/** All that comes in: the requests of charge points, and their responses to ours. */
const inbound = [...messages.values()].flatMap((definition) => {
  const sample = samples[definition.action]
  const read = { request: readRequest, response: readResponse }
  const directions = {
    'charge-point': ['request'],
    'central-system': ['response'],
    both: ['request', 'response'],
  } as const
  return directions[definition.from].map((direction) => ({
    schema: definition[direction],
    sample: sample?.[direction],
    read: (payload: unknown) => read[direction](definition, payload, now),
  }))
})

test('reader - no payload makes it throw, and every faulty one that is taken has a violation', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(null, -1, 0, '', '1', 1.5, 2 ** 60))
  const cases = fc.constantFrom(...inbound).chain(({ schema, sample, read }) => {
    const fields = Object.keys(schema.properties)
    const key = fields.length === 0 ? fc.string() : fc.oneof(fc.constantFrom(...fields), fc.string())
    return fc.record({
      schema: fc.constant(schema),
      read: fc.constant(read),
      payload: fc.dictionary(key, value).map((changes) => ({ ...sample, ...changes })),
    })
  })
  fc.assert(
    fc.property(cases, ({ schema, read, payload }) => {
      const reading = read(payload)
      if (!reading.ok) return reading.description.length > 0
      return fastValidator(schema)(payload) ? reading.value === payload : reading.violations.length > 0
    }),
    { numRuns: 2_000 },
  )
})
