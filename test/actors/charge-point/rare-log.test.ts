// Log lines that a charge point can cause as often as it likes.

import { test } from 'tap'
import { logRarely } from '../../../src/actors/charge-point/rare-log.js'
import type { Context } from '../../../src/runtime/actor/actor.js'

test('rare log - a cause is logged once an hour for each charge point, with how many lines were left out', (t) => {
  let now = 5_000
  const lines: object[] = []
  const log = { warn: (fields: object) => lines.push(fields) }
  const say = (id: string, cause: string) =>
    logRarely('warn', cause, { more: 1 }, { id, log, monotonic: () => now } as unknown as Context)
  for (let time = 0; time < 100; time++) say('RARE-1', 'a cause')
  say('RARE-1', 'another cause')
  say('RARE-2', 'a cause')
  t.same(lines, [
    { chargePoint: 'RARE-1', more: 1 },
    { chargePoint: 'RARE-1', more: 1 },
    { chargePoint: 'RARE-2', more: 1 },
  ])
  now += 3_600_000
  say('RARE-1', 'a cause')
  t.same(lines[3], { chargePoint: 'RARE-1', more: 1, leftOut: 99 })
  t.end()
})
