// Ids that people mistake for one another are found among many, at a cost that does not grow with the list.

import { test } from 'tap'
import { reversed, type ShapeList, shapeOf, shapesLike } from '../../src/records/id-shape.js'

function listOf(ids: readonly string[]) {
  const shapes = ids.map(shapeOf).sort()
  const backwards = shapes.map(reversed).sort()
  let reads = 0
  const first = (from: string, sorted: readonly string[]): string | undefined => {
    reads++
    return sorted.find((shape) => shape >= from)
  }
  const list: ShapeList = { next: (from) => first(from, shapes), nextReversed: (from) => first(from, backwards) }
  return { list, reads: () => reads }
}

const like = (id: string, ids: readonly string[]) => Object.fromEntries(shapesLike(shapeOf(id), listOf(ids).list))

test('id shape - ids that are nearly the same are found, and others are not', (t) => {
  t.same(like('EVSE-001', ['evse 001', 'EVSE_001', 'EVSE-001%20']), { evse001: 'same' })
  for (const [id, likeness] of [
    ['EVSE-0O1', 'one-character'],
    ['EVSE-01', 'one-character'],
    ['EVSE-0001', 'one-character'],
    ['XEVSE-001', 'one-character'],
    ['EVSE-010', 'one-character'],
    ['VESE-001', 'one-character'],
    ['DE-EVSE-001', 'longer'],
    ['EVSE-001-LEFT', 'longer'],
    ['EVSE-0', 'shorter'],
    ['VSE-001', 'one-character'],
    ['SE001', 'shorter'],
  ] as const)
    t.same(like('EVSE-001', [id, 'OTHER', 'EVSE-777', 'AAA', 'ZZZ']), { [shapeOf(id)]: likeness }, id)
  for (const id of ['EVSE-111-111', 'EVSE', '001', 'EVSE-001-AND-VERY-MUCH-MORE', 'EVSF-002', ''])
    t.same(like('EVSE-001', [id]), {}, id)
  t.same(like('CP-1', ['CP-2', 'CP', 'CP-12', 'cp1']), { cp1: 'same' }, 'short ids are like too many others')
  t.same(like('T-1O', ['T-10', 'T-12', 'T-1', 'T-I0']), { t10: 'one-character' }, 'but for what looks like another')
  t.end()
})

test('id shape - what a search reads does not grow with the list', (t) => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `EVSE-${String(at).padStart(6, '0')}`)
  const readsAmong = (count: number): number => {
    const { list, reads } = listOf(many(count))
    for (const _ of shapesLike('evse000500', list));
    return reads()
  }
  const [few, more] = [readsAmong(1_000), readsAmong(20_000)]
  t.ok(more < 2 * few && more < 400, `${few} and ${more}`)
  t.end()
})
