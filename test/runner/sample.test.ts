// Samples of large sets: the same for one seed, and over many seeds all elements.

import { test } from 'tap'
import { sample } from './sample.js'

const list = Array.from({ length: 12 }, (_, at) => `element ${at}`)
const seeds = Array.from({ length: 300 }, (_, at) => `commit ${at}`)
const picked = (seed: string, name = 'pages', count = 3) =>
  sample(name, list, { count, choice: { seed, isFull: false } })

test('sample - one seed and name pick the same elements, in the order of the list', (t) => {
  for (const seed of seeds) {
    const found = picked(seed)
    t.same(found, picked(seed))
    t.equal(new Set(found).size, 3)
    t.same(
      found,
      [...found].sort((one, other) => list.indexOf(one) - list.indexOf(other)),
    )
  }
  t.end()
})

test('sample - over many seeds each element is picked about as often as each other one', (t) => {
  const times = new Map(list.map((element) => [element, 0]))
  for (const element of seeds.flatMap((seed) => picked(seed))) times.set(element, (times.get(element) ?? 0) + 1)
  // 75 times on average; the seeds are constants, so the counts are too.
  for (const [element, count] of times) t.ok(count > 45 && count < 105, `${element}: ${count} times`)
  t.end()
})

test('sample - samples with different names do not depend on each other', (t) => {
  const pairs = new Set(seeds.map((seed) => [picked(seed, 'one', 1), picked(seed, 'other', 1)].join()))
  t.ok(pairs.size > 100, `${pairs.size} of 144 pairs`)
  t.end()
})

test('sample - a full run, and a count that is not below the length, pick all and print no comment', (t) => {
  const comment = () => t.fail('it prints a comment')
  t.same(sample('pages', list, { choice: { seed: 'any', isFull: true }, comment }), list)
  t.same(sample('pages', list, { count: 12, choice: { seed: 'any', isFull: false }, comment }), list)
  t.end()
})

test('sample - the comment has the sample and the command that repeats it', (t) => {
  const comments: string[] = []
  const found = sample('pages', list, {
    choice: { seed: 'abc', isFull: false },
    comment: (text) => comments.push(text),
  })
  t.equal(comments.length, 1)
  t.match(comments[0], `${JSON.stringify(found)}; TEST_SEED=abc`)
  t.end()
})
