// What every store does with a table that is only added to: ids in the order of the commits, and word to those who follow it.

import { test } from 'tap'
import { timeOfId } from '../../src/runtime/ids.js'
import { limits } from '../../src/runtime/limits.js'
import type { StoreOptions } from '../../src/runtime/store/storage/store-writer.js'
import { unowned } from '../../src/runtime/store/store.js'
import { defineTable, type LogHorizon, type Table } from '../../src/runtime/store/table.js'
import { put, type StorePlace } from './store-stage.js'

interface Line {
  readonly id: string
  readonly topic: string
  readonly text: string
}

const horizons = defineTable<LogHorizon>({ name: 'horizons', key: (row) => [row.topic] })
const lines = defineTable<Line>({
  name: 'lines',
  key: (row) => [row.id],
  indexes: { byTopic: (row) => [{ group: [row.topic] }] },
  retention: { timeOf: () => 0, milliseconds: 1_000 },
  log: { idPrefix: 'lin', topics: { of: (row) => row.topic, horizons } },
})
const notes = defineTable<{ readonly id: string }>({
  name: 'notes',
  key: (row) => [row.id],
  retention: { timeOf: () => 0, milliseconds: 1_000 },
})
const tables = [lines, notes, horizons] as unknown as readonly Table<never>[]

export function storeLog(name: string, makePlace: () => StorePlace): void {
  function open(t: { teardown(handler: () => Promise<void>): void }, options: StoreOptions = {}) {
    const place = makePlace()
    let store = place.open(tables, options)
    t.teardown(async () => {
      await store.close()
      place.remove()
    })
    return {
      commit: (...changes: Parameters<typeof unowned>[0]) => store.commit(unowned(changes)),
      add: (text: string, topic = 'a') => store.commit(unowned([put(lines, { id: '', topic, text })])),
      texts: () =>
        store
          .view()
          .list(lines, [])
          .map((line) => line.text)
          .join(' '),
      lines: (topic: string) => store.view().listBy(lines, 'byTopic', [topic]),
      horizonOf: (topic: string) => store.view().get(horizons, [topic])?.id,
      keep: (days: Readonly<Record<string, number>>) => store.keep(days),
      prune: () => store.prune(2_000),
      async reopen(changed: StoreOptions) {
        await store.close()
        store = place.open(tables, changed)
      },
    }
  }

  test(`${name} - rows of a log get ids at the commit, in the order of the commits`, async (t) => {
    const { add, commit, texts, lines: linesOf } = open(t)
    const written = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((text) =>
      add(text, Number(text) % 2 ? 'odd' : 'even'),
    )
    await Promise.all(written)
    await commit(put(lines, { id: '', topic: 'odd', text: '10' }), put(lines, { id: '', topic: 'even', text: '11' }))
    t.equal(texts(), '1 2 3 4 5 6 7 8 9 10 11')
    t.equal(
      linesOf('odd')
        .map((line) => line.text)
        .join(' '),
      '1 3 5 7 9 10',
    )
    for (const { id } of linesOf('odd')) t.match(id, /^lin_[0-9A-Z]{26}$/)
  })

  test(`${name} - ids of a log grow over a restart with a clock that was set back`, async (t) => {
    const clockAt = (now: number) => ({ now: () => now, monotonic: () => now })
    const { add, texts, reopen } = open(t, { clock: clockAt(90_000_000) })
    await add('before')
    await reopen({ clock: clockAt(5_000) })
    await add('after')
    await add('later')
    t.equal(texts(), 'before after later')
  })

  test(`${name} - ids of a log grow also when all its rows are pruned, and the clock was set back since`, async (t) => {
    const clockAt = (now: number) => ({ now: () => now, monotonic: () => now })
    const { add, lines: linesOf, prune, reopen } = open(t, { clock: clockAt(90_000_000) })
    await add('before')
    const [before] = linesOf('a')
    t.equal(await prune(), 1)
    await reopen({ clock: clockAt(5_000) })
    await add('after')
    const [after] = linesOf('a')
    t.ok(String(after?.id) > String(before?.id))
    t.equal(timeOfId(String(after?.id)), 90_000_000)
  })

  test(`${name} - ids of a log go on behind those that an older version made out of chance`, async (t) => {
    const clockAt = (now: number) => ({ now: () => now, monotonic: () => now })
    const { add, commit, texts } = open(t, { clock: clockAt(5_000) })
    for (const id of [`lin_${'0'.repeat(9)}1${'Z'.repeat(16)}`, `lin_${'0'.repeat(8)}7Z${'ABCDEFGHJKMNPQRS'}`])
      await commit(put(lines, { id, topic: 'a', text: id.slice(-1) }))
    await add('after')
    await add('later')
    t.equal(texts(), 'Z S after later')
  })

  test(`${name} - who follows a log is told its topics once the rows can be read`, async (t) => {
    const told: (readonly string[])[] = []
    const { add, commit, texts } = open(t, {
      onAppended(topics) {
        told.push([...topics].sort())
        seen.push(texts())
      },
    })
    const seen: string[] = []
    await commit(
      put(lines, { id: '', topic: 'b', text: '1' }),
      put(lines, { id: '', topic: 'a', text: '2' }),
      put(lines, { id: '', topic: 'b', text: '3' }),
    )
    await commit(put(notes, { id: 'n' }))
    await add('4', 'c')
    t.same(told, [['a', 'b'], ['c']])
    t.same(seen, ['1 2 3', '1 2 3 4'])
  })

  test(`${name} - a batch that is refused adds nothing and tells nobody`, async (t) => {
    const told: (readonly string[])[] = []
    const { commit, add, texts } = open(t, { onAppended: (topics) => told.push(topics) })
    const impossible = {
      type: 'put',
      table: 'notes',
      key: ['x'.repeat(limits.keyBytes + 1)],
      row: Buffer.of(0),
    } as const
    const [refused, taken] = await Promise.all([
      commit(put(lines, { id: '', topic: 'lost', text: '1' }), impossible),
      add('2'),
    ])
    t.match(refused, { ok: false })
    t.match(taken, { ok: true })
    t.equal(texts(), '2')
    t.same(told.flat(), ['a'])
  })

  test(`${name} - a pass of pruning goes to the table that needs it, and days can be set by table`, async (t) => {
    const { add, commit, keep, prune, reopen, texts } = open(t)
    await Promise.all(Array.from({ length: limits.prunedRowsPerPass }, (_, at) => add(String(at))))
    await commit(put(notes, { id: 'n' }))
    t.equal(await prune(), limits.prunedRowsPerPass)
    t.equal(await prune(), 1)
    await add('kept')
    await commit(put(notes, { id: 'n' }))
    t.ok(await keep({ lines: 2, absent: 1 }))
    await reopen({})
    t.equal(await prune(), 1, 'the days are in the store')
    t.equal(texts(), 'kept')
    t.ok(await keep({}))
    t.equal(await prune(), 1)
  })

  test(`${name} - pruning notes how far it has come in each topic of a log`, async (t) => {
    const { add, prune, lines: linesOf, horizonOf, texts } = open(t)
    const share = limits.prunedRowsPerPass / 2
    for (let at = 0; at < share; at++) await add(String(at), at % 2 === 0 ? 'even' : 'odd')
    await add('more', 'even')
    await add('quiet', 'quiet')
    const [even, odd] = [linesOf('even'), linesOf('odd')]
    t.equal(await prune(), share + 2)
    t.equal(texts(), '')
    t.equal(horizonOf('even'), even.at(-1)?.id)
    t.equal(horizonOf('odd'), odd.at(-1)?.id)
    await add('kept', 'new')
    t.equal(horizonOf('new'), undefined)
    await add('again', 'odd')
    const [again] = linesOf('odd')
    await prune()
    t.equal(horizonOf('odd'), again?.id)
    t.equal(horizonOf('even'), even.at(-1)?.id)
  })
}
