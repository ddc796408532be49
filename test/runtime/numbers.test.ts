// Numbers of connections and items: each names one thing, whichever node and front gave it out.

import { test } from 'tap'
import { frontOf, frontsMaximum, nodesMaximum, numbered } from '../../src/runtime/link/numbers.js'

test('numbers - those of different nodes, fronts and counts differ, and lead back to their front', (t) => {
  const seen = new Set<number>()
  let given = 0
  for (const count of [1, 2, 3, 1_000_000_000_000])
    for (const node of [0, 1, nodesMaximum - 1])
      for (const front of [0, 1, frontsMaximum - 1]) {
        const number = numbered({ node, front }, count)
        t.ok(Number.isSafeInteger(number))
        t.equal(frontOf(number), front)
        seen.add(number)
        given++
      }
  t.equal(seen.size, given)
  t.end()
})
