// Whom the ends of shards are blamed on: an actor, or the part of it that the last message concerned.

import { test } from 'tap'
import { createBlame } from '../../src/runtime/actor/blame.js'
import { newTurnCells, turnNotes } from '../../src/runtime/actor/current-turn.js'
import { createFakeClock } from '../support/fake-clock.js'
import { silent } from './scripted-actors.js'

function watch() {
  const clock = createFakeClock()
  const cells = newTurnCells(1)
  const blame = createBlame(cells, clock, silent)
  return {
    clock,
    dies(actor: string, part: string) {
      const { note } = turnNotes(cells, 0)
      note('counter/innocent', { type: 'before' }, '')
      note(actor, { type: 'message' }, part)
      blame.ended(0)
    },
    quarantined: () => blame.quarantined(() => true).map(({ actor, part }) => [actor, part]),
  }
}

test('blame - two ends leave alone the part of an actor that they happened for, and no other', (t) => {
  const { dies, quarantined } = watch()
  dies('router/org', 'CP-1')
  t.same(quarantined(), [])
  dies('router/org', 'CP-2')
  t.same(quarantined(), [])
  dies('router/org', 'CP-1')
  t.same(quarantined(), [['router/org', 'CP-1']])
  t.end()
})

test('blame - an actor whose parts end shards one after the other is left alone as a whole', (t) => {
  const { dies, quarantined } = watch()
  for (const part of ['CP-1', 'CP-2', 'CP-3', 'CP-4']) dies('router/org', part)
  t.same(quarantined(), [['router/org', '']])
  t.end()
})

test('blame - an actor without parts is left alone after two ends', (t) => {
  const { dies, quarantined } = watch()
  dies('counter/a', '')
  dies('counter/a', '')
  t.same(quarantined(), [['counter/a', '']])
  t.end()
})
