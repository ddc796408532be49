// Log lines that a charge point can cause as often as it likes.

import { test } from 'tap'
import { limits } from '../../../src/actors/charge-point/limits.js'
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

test('rare log - more charge points than are told apart share one line an hour', (t) => {
  // An hour after all other tests.
  let now = 100_000_000
  const lines: { readonly chargePoint?: string; readonly leftOut?: number }[] = []
  const log = { error: (fields: object, said: string) => lines.push({ ...fields, said } as object) }
  const sayAll = () => {
    for (let at = 0; at < limits.loggedCauses + 2_000; at++)
      logRarely('error', 'a common cause', { more: 1 }, {
        id: `MANY-${at}`,
        log,
        monotonic: () => now,
      } as unknown as Context)
  }
  for (let round = 0; round < 5; round++) {
    now += 60_000
    sayAll()
  }
  t.equal(lines.length, limits.loggedCauses + 1)
  t.same(lines.at(-1), { more: 1, said: 'a common cause, at further charge points' })
  now += 3_600_000 - 5 * 60_000
  const before = lines.length
  for (let round = 0; round < 5; round++) {
    now += 60_000
    sayAll()
  }
  const shared = lines.slice(before).filter(({ chargePoint }) => chargePoint === undefined)
  t.same(shared, [{ more: 1, leftOut: 5 * 2_000 - 1, said: 'a common cause, at further charge points' }])
  t.ok(lines.length - before <= limits.loggedCauses + 1, `${lines.length - before} lines`)
  t.end()
})
