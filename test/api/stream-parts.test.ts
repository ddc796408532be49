// One event wakes every stream of an organization: the parts that follow are written in slices.

import { test } from 'tap'
import { limits } from '../../src/api/http/limits.js'
import { createStreamParts } from '../../src/api/http/stream-parts.js'
import { createFakeClock } from '../support/fake-clock.js'

test('stream parts - of very many streams, those of one slice are written in one turn of the event loop', (t) => {
  const clock = createFakeClock()
  const turns: (() => void)[] = []
  const parts = createStreamParts(clock, (run) => turns.push(run))
  let written = 0
  for (let stream = 0; stream < 100; stream++)
    parts.add(() => {
      written++
      clock.advance(1)
    })
  turns.shift()?.()
  t.equal(written, limits.requestSliceMs)
  t.equal(turns.length, 1)
  for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) turn()
  t.equal(written, 100)
  t.end()
})
