// The order of the fleet's rows in the console: the one that comparing them gives, whatever their numbers are.

import fc from 'fast-check'
import { test } from 'tap'
import { sortedByNumber } from '../../src/console/client/number-sort.js'

const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0, -0, Number.NEGATIVE_INFINITY, Number.MAX_VALUE, Number.MIN_VALUE, -Number.MIN_VALUE),
)

test('number sort - it is the order that comparing gives, and those of the same number stay as they were', (t) => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 200 }), fc.boolean(), (numbers, descending) => {
      const rows = Int32Array.from(numbers, (_, at) => at)
      const way = descending ? -1 : 1
      const compared = [...rows].sort((a, b) => {
        const [one, other] = [numbers[a] as number, numbers[b] as number]
        return one < other ? -way : one > other ? way : a - b
      })
      t.strictSame([...sortedByNumber(rows, (row) => numbers[row] as number, descending)], compared)
    }),
  )
  t.end()
})

test('number sort - rows are named by their numbers, some of them or none', (t) => {
  const rows = Int32Array.of(7, 3, 5)
  t.strictSame([...sortedByNumber(rows, (row) => -row, false)], [7, 5, 3])
  t.strictSame([...rows], [7, 3, 5], 'they are not changed')
  t.strictSame([...sortedByNumber(new Int32Array(0), (row) => row, true)], [])
  t.end()
})
