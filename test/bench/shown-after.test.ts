// How long a status took to the screen: each that was said finds the frame that shows it, and one that was never seen is counted.

import { test } from 'tap'
import { shownAfter } from '../../bench/console/shown-after.js'

const said = (id: string, at: number, state: 'Available' | 'Preparing') => ({ id, state, at })
const seen = (id: string, at: number, state: string) => ({ id, state, at })

test('console bench - a status is as old as its frame is later than its answer', (t) => {
  const shown = shownAfter(
    [said('A', 1_000, 'Preparing'), said('B', 1_100, 'Preparing'), said('A', 2_500, 'Available')],
    [seen('B', 1_200, 'preparing'), seen('A', 1_400, 'preparing'), seen('A', 3_400, 'available')],
  )
  t.equal(shown.missing, 0)
  t.equal(Math.round(shown.p50), 400)
  t.equal(Math.round(shown.p99), 900)
  t.end()
})

test('console bench - a status that was never on the screen is not found in a later one of the same state', (t) => {
  const shown = shownAfter(
    [said('A', 1_000, 'Preparing'), said('A', 2_500, 'Available'), said('A', 4_000, 'Preparing')],
    [seen('A', 4_100, 'preparing')],
  )
  t.equal(shown.missing, 2)
  t.equal(Math.round(shown.p99), 100)
  t.throws(() => shownAfter([said('A', 1_000, 'Preparing')], []), /no status was seen/)
  t.end()
})
