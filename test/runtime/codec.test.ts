// Rows as bytes: what is stored is what comes back.

import fc from 'fast-check'
import { test } from 'tap'
import { decodeRow, encodeRow, withFirstId } from '../../src/runtime/codec.js'

test('codec - a row of any JSON comes back as it was', (t) => {
  const property = fc.property(fc.jsonValue({ noUnicodeString: false }), (row) => {
    // JSON knows one zero.
    const plain: unknown = JSON.parse(JSON.stringify(row), (key, value) => (key === '__proto__' ? undefined : value))
    return JSON.stringify(decodeRow(encodeRow(plain))) === JSON.stringify(plain)
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }))
  t.end()
})

test('codec - a field called __proto__ is left out, at any depth, and spoils no row', (t) => {
  const row: unknown = JSON.parse('{"a":[{"__proto__":{"b":1},"c":2}],"__proto__":3,"text":"__proto__"}')
  t.equal(JSON.stringify(decodeRow(encodeRow(row))), '{"a":[{"c":2}],"text":"__proto__"}')
  t.end()
})

test('codec - fields without a value are left out, bytes stay bytes, numbers exact', (t) => {
  t.same(decodeRow(encodeRow({ a: undefined, b: null })), { b: null })
  t.same(decodeRow(encodeRow({ bytes: Uint8Array.of(0, 255, 128) })), { bytes: Uint8Array.of(0, 255, 128) })
  const numbers = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0.1, 2 ** 31, -(2 ** 31)]
  t.same(decodeRow(encodeRow(numbers)), numbers)
  t.end()
})

test('codec - an id takes the place of an empty one as if the row had been written anew', (t) => {
  const id = 'evt_01JABCDEFGHJKMNPQRSTVWXYZ0'
  const row = { id: '', at: 1, name: 'session.started', data: { id: '', text: 'ä', list: [1, 2.5, null] } }
  t.same(decodeRow(withFirstId(encodeRow(row), id) ?? encodeRow(null)), { ...row, id })
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, number) => [`field_${number}`, number]))
  for (const other of [{ at: 1, id: '' }, { id: 'a' }, { ...row, ...many }, {}, '', []])
    t.equal(withFirstId(encodeRow(other), id), undefined)
  t.end()
})
