// How much is in JSON that nobody has read yet.

import fc from 'fast-check'
import { test } from 'tap'
import { partsIn } from '../../src/runtime/nesting.js'

function parts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return 1 + (Array.isArray(value) ? 0 : inner.length) + inner.map(parts).reduce((sum, one) => sum + one, 0)
}

test('nesting - the parts of JSON are its fields, objects and lists, whatever stands in its texts', (t) => {
  const spaces = fc.constantFrom(0, 1, '\t')
  const property = fc.property(
    fc.json(),
    fc.string({ unit: fc.constantFrom(...'":\\{[a') }),
    spaces,
    (json, text, space) => {
      const value = { [text]: [JSON.parse(json), text] }
      t.equal(partsIn(Buffer.from(JSON.stringify(value, undefined, space))), parts(value))
    },
  )
  fc.assert(property, { numRuns: 300 })
  t.end()
})

test('nesting - parts are counted no further than one beyond the bound, in anything', (t) => {
  t.equal(partsIn(Buffer.from('{"a":1,"b":2}'), 3), 3)
  t.equal(partsIn(Buffer.from('{"a":1,"b":2}'), 2), 3)
  t.equal(partsIn(Buffer.from('[[[[[[[['), 2), 3)
  for (const text of ['', '"', '"\\', '"a\\"', '{"']) t.ok(partsIn(Buffer.from(text)) <= 1, text)
  t.end()
})
