import fc from 'fast-check'
import { test } from 'tap'
import {
  constantResult,
  type Frame,
  readFrame,
  writeCall,
  writeEmptyResult,
  writeError,
  writeResult,
} from '../../src/ocpp16/index.js'
import { limits } from '../../src/ocpp16/limits.js'

function callOf(text: string): Extract<Frame, { type: 'call' }> {
  const frame = readFrame(text)
  if (frame.type !== 'call') throw new Error(`a call is expected, not ${frame.type}`)
  return frame
}

test('frame - a call is read with its id, action and payload', async (t) => {
  t.strictSame(readFrame('[2, "19223201", "Authorize", {"idTag": "A1"}]'), {
    type: 'call',
    messageId: '19223201',
    rawMessageId: '19223201',
    action: 'Authorize',
    payload: { idTag: 'A1' },
    repaired: false,
  })
})

test('frame - a result and an error are read', async (t) => {
  t.strictSame(readFrame('[3,"a",{"status":"Accepted"}]'), {
    type: 'result',
    messageId: 'a',
    payload: { status: 'Accepted' },
    repaired: false,
  })
  t.strictSame(readFrame('[4,"a","NotSupported","no such thing",{"x":1}]'), {
    type: 'error',
    messageId: 'a',
    code: 'NotSupported',
    rawCode: 'NotSupported',
    description: 'no such thing',
    details: { x: 1 },
    repaired: false,
  })
})

test('frame - an error with nothing but its id is a GenericError', async (t) => {
  t.match(readFrame('[4,"a"]'), { type: 'error', code: 'GenericError', rawCode: '', description: '', details: {} })
  t.match(readFrame('[4,"a",5,null,null]'), { type: 'error', code: 'GenericError', description: '', details: {} })
})

test('frame - a null or absent payload is an empty object', async (t) => {
  t.strictSame(callOf('[2,"a","Heartbeat",null]').payload, {})
  t.strictSame(callOf('[2,"a","Heartbeat"]').payload, {})
  t.match(readFrame('[3,"a",null]'), { type: 'result', payload: {} })
  t.match(readFrame('[3,"a"]'), { type: 'result', payload: {} })
})

test('frame - elements after the last one are ignored', async (t) => {
  t.strictSame(callOf('[2,"a","Heartbeat",{},"more",7]').payload, {})
  t.match(readFrame('[3,"a",{"status":"Accepted"},null,null]'), { payload: { status: 'Accepted' } })
})

test('frame - a numeric id is compared as text and echoed as a number', async (t) => {
  const frame = callOf('[2,1000001,"Heartbeat",{}]')
  t.equal(frame.messageId, '1000001')
  t.equal(writeEmptyResult(frame.rawMessageId), '[3,1000001,{}]')
  t.match(readFrame('[3,17,{}]'), { type: 'result', messageId: '17' })
})

test('frame - a numeric id above 2^53 is echoed digit by digit', async (t) => {
  const frame = callOf('[2,1700000000000000123,"Heartbeat",{}]')
  t.equal(frame.messageId, '1700000000000000123')
  t.equal(writeEmptyResult(frame.rawMessageId), '[3,1700000000000000123,{}]')
})

test('frame - a numeric id beyond every number is malformed, for no answer could carry it', async (t) => {
  for (const id of ['1e400', '-1e400'])
    t.match(readFrame(`[2,${id},"Heartbeat",{}]`), { type: 'malformed', messageId: undefined })
})

test('frame - an id of 37 to 255 characters is taken, a longer or empty one refused', async (t) => {
  const longest = 'x'.repeat(limits.messageIdLength)
  t.equal(callOf(`[2,"${longest}","Heartbeat",{}]`).messageId, longest)
  t.match(readFrame(`[2,"${longest}x","Heartbeat",{}]`), { type: 'malformed', code: 'FormationViolation' })
  t.strictSame(readFrame('[2,"","Heartbeat",{}]'), {
    type: 'malformed',
    messageId: '',
    code: 'FormationViolation',
    description: 'The message id is empty',
  })
})

test('frame - a call without an action is a ProtocolError that can be answered', async (t) => {
  for (const text of ['[2,"a"]', '[2,"a",null,{}]', '[2,"a",{}]', '[2,"a","",{}]']) {
    t.match(readFrame(text), { type: 'malformed', messageId: 'a', code: 'ProtocolError' }, text)
  }
})

test('frame - what has no usable id is malformed and is not answered', async (t) => {
  for (const text of [
    '[2]',
    '[2,{},"Heartbeat",{}]',
    '{}',
    'null',
    '7',
    '"x"',
    '[]',
    '["2","a","Heartbeat",{}]',
    '[2,',
  ]) {
    const frame = readFrame(text)
    t.equal(frame.type, 'malformed', text)
    t.notOk('messageId' in frame, text)
  }
  for (const text of ['[3]', '[3,null,{}]', '[3,"",{}]', '[4,{},"GenericError"]']) {
    const frame = readFrame(text)
    t.equal(frame.type, 'malformed', text)
    t.notOk('messageId' in frame, `${text} - a response is never answered`)
  }
})

test('frame - an unknown message type number is ignored', async (t) => {
  t.strictSame(readFrame('[9,"a","x",{}]'), { type: 'ignored', messageType: 9 })
})

test('frame - no text at all is a sign of life', async (t) => {
  for (const text of ['', ' ', '\r\n\t']) t.strictSame(readFrame(text), { type: 'empty' })
})

test('frame - a value that is left out becomes null', async (t) => {
  const frame = callOf('[2,"a","StopTransaction",{"transactionId": ,"idTag":"a:,b","meterStop":}]')
  t.strictSame(frame.payload, { transactionId: null, idTag: 'a:,b', meterStop: null })
  t.equal(frame.repaired, true)
})

test('frame - escapes that JSON lacks, and control characters, are kept as text', async (t) => {
  t.strictSame(callOf('[2,"a","Authorize",{"idTag":"A\\x\\u12G\\n"}]').payload, { idTag: 'A\\x\\u12G\n' })
  t.strictSame(callOf('[2,"a","Authorize",{"idTag":"A\u0001\tB"}]').payload, { idTag: 'A\u0001\tB' })
})

test('frame - half of a surrogate pair keeps its backslash as text, so that two id tags stay two', async (t) => {
  const tagOf = (written: string): unknown => callOf(`[2,"1","Authorize",{"idTag":"${written}"}]`).payload
  t.strictSame(tagOf('A\\ud800'), { idTag: 'A\\ud800' })
  t.strictSame(tagOf('A\\uDFFF\\ud801'), { idTag: 'A\\uDFFF\\ud801' })
  t.strictSame(tagOf('\\ud83d\\ud83d\\ude00'), { idTag: '\\ud83d\u{1f600}' }, 'a whole pair is one character')
  t.strictSame(tagOf('\\\\ud800'), { idTag: '\\ud800' }, 'an escaped backslash begins no escape')
  t.equal(callOf('[2,"1","Authorize",{"idTag":"\\ud800"}]').repaired, true)
  t.equal(callOf('[2,"1","Authorize",{"idTag":"\\ud83d\\ude00"}]').repaired, false)
  t.equal(
    writeResult(callOf('[2,"\\ud800","Heartbeat",{}]').rawMessageId, {}),
    '[3,"\\ud800",{}]',
    'answered as it came',
  )
  t.strictSame(callOf('[2,"1","Authorize",{"idTag":"\\q\\ud800"},]').payload, { idTag: '\\q\\ud800' })
})

test('frame - a byte order mark, a closing NUL, nan and a trailing comma do no harm', async (t) => {
  t.strictSame(callOf('\uFEFF[2,"a","Heartbeat",{}]\0').payload, {})
  t.strictSame(callOf('[2,"a","X",{"a":nan,"b":[1,true,],},]').payload, { a: null, b: [1, true] })
})

test('frame - the id of a call beyond mending is recovered', async (t) => {
  t.match(readFrame(' [ 2 , "abc", "Authorize", {"idTag":"A'), {
    type: 'malformed',
    messageId: 'abc',
    code: 'FormationViolation',
  })
  t.match(readFrame('[2,17,"Authorize",{{'), { type: 'malformed', messageId: 17 })
  t.notOk('messageId' in readFrame('[3,"abc",{{'))
})

test('frame - a __proto__ key changes no prototype', async (t) => {
  const { payload } = callOf('[2,"a","X",{"__proto__":{"polluted":true}}]')
  t.equal(({} as { polluted?: boolean }).polluted, undefined)
  t.equal(Object.getPrototypeOf(payload), Object.prototype)
})

test('frame - mending a long hostile text takes no longer than its length', async (t) => {
  const hostile = ['\\"', '"', '[,', ',]', ':,', '[', '"a" ', 'nan '].map((piece) => piece.repeat(30_000))
  const started = performance.now()
  for (const text of hostile) t.equal(readFrame(`[2,"a","X",${text}`).type, 'malformed')
  // About 30 ms in all; a cost that grows with the square would be minutes.
  t.ok(performance.now() - started < 5_000)
})

test('frame - any text is read as one of the frames, without a throw', async (t) => {
  const types = new Set(['call', 'result', 'error', 'empty', 'malformed', 'ignored'])
  const element = fc.oneof(fc.constantFrom(2, 3, 4, '2', '', 'a', null), fc.jsonValue())
  const nearFrame = fc.array(element, { maxLength: 6 }).map((elements) => JSON.stringify(elements))
  const broken = fc
    .tuple(nearFrame, fc.nat(), fc.constantFrom('"', '\\', ',', ':', '{', '\u0000', 'x', ''))
    .map(([text, at, piece]) => {
      const index = at % (text.length + 1)
      return text.slice(0, index) + piece + text.slice(index + 1)
    })
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), nearFrame, broken), (text) => {
      const frame = readFrame(text)
      if (frame.type === 'call' || frame.type === 'malformed') {
        const id = frame.type === 'call' ? frame.rawMessageId : frame.messageId
        if (id !== undefined) JSON.parse(writeError(id, 'GenericError', text))
      }
      return types.has(frame.type)
    }),
    { numRuns: 2_000 },
  )
  t.pass('2000 texts')
})

test('frame - what is written is read back the same', async (t) => {
  const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 36 })
  fc.assert(
    fc.property(id, fc.object({ withNullPrototype: false }), (messageId, object) => {
      const payload = JSON.parse(JSON.stringify(object))
      t.strictSame(callOf(writeCall(messageId, 'Reset', payload)), {
        type: 'call',
        messageId,
        rawMessageId: messageId,
        action: 'Reset',
        payload,
        repaired: false,
      })
      const result = { type: 'result', messageId, payload, repaired: false }
      t.strictSame(readFrame(writeResult(messageId, payload)), result)
      t.strictSame(readFrame(constantResult(payload)(messageId)), result)
    }),
    { numRuns: 50 },
  )
})

test('frame - optional fields that are undefined are not written', async (t) => {
  t.equal(writeResult('a', { idTagInfo: undefined }), '[3,"a",{}]')
})

test('frame - an error is written with a description and empty details', async (t) => {
  t.equal(
    writeError('a"b', 'OccurenceConstraintViolation', '/idTag is missing'),
    '[4,"a\\"b","OccurenceConstraintViolation","/idTag is missing",{}]',
  )
})
