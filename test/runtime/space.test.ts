// The ladder of a disk that fills up.

import { test } from 'tap'
import { createSpace, lowBytesOf } from '../../src/runtime/store/storage/space.js'

const gibibyte = 2 ** 30

test('space - low is a GiB, or a twentieth of a small disk', (t) => {
  t.equal(lowBytesOf(1_000 * gibibyte), gibibyte)
  t.equal(lowBytesOf(10 * gibibyte), gibibyte / 2)
  t.end()
})

test('space - a step is left only well above where it was reached', (t) => {
  const space = createSpace([])
  const levels = [1_601, 1_599, 1_601, 1_999, 2_000, 399, 401, 499, 500, 99, 101, 124, 125, 5_000]
  t.same(
    levels.map((bytes) => space.note(bytes, 1_600)),
    [0, 1, 1, 1, 0, 2, 2, 2, 1, 3, 3, 3, 2, 0],
  )
  t.end()
})
