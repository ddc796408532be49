import { test } from 'tap'
import { type Combine, createSeriesRing, type Sample } from '../../src/runtime/thread/series-ring.js'

function sample(values: Readonly<Record<string, number>>, combine: Combine = 'mean', counts = [0, 0]): Sample {
  return { figures: new Map(Object.entries(values).map(([name, value]) => [name, { value, combine }])), counts }
}

test('series ring - ten minutes are known by the second, a missed second is a gap, and older ones are gone', (t) => {
  const ring = createSeriesRing(2, 10)
  for (let second = 0; second < 700; second++) if (second !== 650) ring.add(second * 1000 + 500, sample({ a: second }))
  const all = ring.read({ seconds: 600, points: 600 })
  t.equal(all.stepSeconds, 1)
  t.equal(all.from, 100_000)
  const values = all.figures.get('a')
  t.equal(values?.[0], 100)
  t.equal(values?.[549], 649)
  t.equal(values?.[550], null)
  t.equal(values?.at(-1), 699)
  t.same(ring.read({ seconds: 1, points: 1 }).figures.get('a'), [699])
  t.end()
})

test('series ring - longer steps have the mean, the maximum or the sum, and begin at multiples of their length', (t) => {
  const ring = createSeriesRing(2, 10)
  for (let second = 0; second < 1_000; second++) {
    ring.add(second * 1000 + 500, {
      figures: new Map([
        ['mean', { value: second, combine: 'mean' }],
        ['most', { value: second % 10 === 3 ? 50 : 1, combine: 'maximum' }],
        ['sum', { value: 2, combine: 'sum' }],
      ]),
      counts: [1, second % 2],
    })
  }
  const minute = ring.read({ seconds: 60, points: 6 })
  t.equal(minute.stepSeconds, 10)
  t.equal(minute.from, 940_000)
  t.same(minute.figures.get('mean'), [944.5, 954.5, 964.5, 974.5, 984.5, 994.5])
  t.same(minute.figures.get('most'), [50, 50, 50, 50, 50, 50])
  t.same(minute.figures.get('sum'), [20, 20, 20, 20, 20, 20])
  t.same(minute.counts, new Array(6).fill([10, 5]))
  // Of ten seconds each, of which the whole is known.
  const whole = ring.read({ seconds: 1_000, points: 2 })
  t.equal(whole.stepSeconds, 500)
  t.same(whole.figures.get('mean'), [249.5, 749.5])
  t.same(whole.figures.get('sum'), [1_000, 1_000])
  t.same(whole.counts, [
    [500, 250],
    [500, 250],
  ])
  t.end()
})

test('series ring - a day is known by ten seconds, and a series that begins late was not known before', (t) => {
  const ring = createSeriesRing(1, 10)
  const day = 86_400
  for (let second = 0; second < day + 3_600; second += 10) {
    ring.add(second * 1000, sample(second < day ? { a: 1 } : { a: 1, late: 7 }, 'mean', [1]))
  }
  const all = ring.read({ seconds: day, points: 720 })
  t.equal(all.stepSeconds, 120)
  t.equal(all.points, 720)
  t.equal(all.from, 3_600_000)
  t.same(new Set(all.figures.get('a')), new Set([1]))
  t.same(all.figures.get('late')?.slice(0, 690), new Array(690).fill(null))
  t.same(all.figures.get('late')?.slice(690), new Array(30).fill(7))
  t.equal(
    all.counts.flat().reduce((sum, count) => sum + count, 0),
    8_640,
  )
  t.end()
})

test('series ring - before anything was measured nothing is known, and after a long pause nothing old comes back', (t) => {
  const ring = createSeriesRing(1, 10)
  t.same([...ring.read({ seconds: 600, points: 10 }).figures], [])
  ring.add(1_000, sample({ a: 1 }, 'mean', [4]))
  ring.add(2_000_000, sample({ a: 2 }, 'mean', [5]))
  const { figures, counts } = ring.read({ seconds: 600, points: 600 })
  t.same(
    figures.get('a')?.filter((value) => value !== null),
    [2],
  )
  t.same(
    counts.flat().filter((count) => count > 0),
    [5],
  )
  t.end()
})

test('series ring - no more series are kept than there may be', (t) => {
  const ring = createSeriesRing(1, 3)
  ring.add(1_000, sample({ a: 1, b: 2, c: 3, d: 4 }))
  ring.add(2_000, sample({ e: 1, a: 5 }))
  const { figures } = ring.read({ seconds: 1, points: 1 })
  t.same([...figures.keys()], ['a', 'b', 'c'])
  t.same(figures.get('a'), [5])
  t.end()
})
