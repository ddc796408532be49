import { test } from 'tap'
import { ocppErrorCodes, readErrorCode } from '../../src/ocpp16/index.js'

test('error codes - the spellings of the standard are sent, its typos included', async (t) => {
  t.ok(ocppErrorCodes.includes('FormationViolation'))
  t.ok(ocppErrorCodes.includes('OccurenceConstraintViolation'))
  t.equal(ocppErrorCodes.length, 10)
})

test('error codes - every spelling in use is read', async (t) => {
  for (const code of ocppErrorCodes) t.equal(readErrorCode(code), code)
  t.equal(readErrorCode('OccurrenceConstraintViolation'), 'OccurenceConstraintViolation')
  t.equal(readErrorCode('FormatViolation'), 'FormationViolation')
  t.equal(readErrorCode(' notsupported '), 'NotSupported')
  t.equal(readErrorCode('MessageTypeNotSupported'), 'NotSupported')
  t.equal(readErrorCode('RpcFrameworkError'), 'ProtocolError')
})

test('error codes - what no one knows is a GenericError', async (t) => {
  for (const code of ['VendorTrouble', '', '__proto__', 'constructor', null, undefined, 4, {}]) {
    t.equal(readErrorCode(code), 'GenericError')
  }
})
