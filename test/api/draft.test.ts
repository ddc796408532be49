// Drafts: what a handler has read is held until its commit, whatever others commit in between.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { openDraft } from '../../src/api/pipeline/draft.js'
import { limits } from '../../src/api/pipeline/limits.js'
import { conflict } from '../../src/runtime/errors.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { defineTable } from '../../src/runtime/store/table.js'

interface Thing {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly note?: string
}

interface Mark {
  readonly id: string
}

const things = defineTable<Thing>({
  name: 'things',
  key: ({ id }) => [id],
  indexes: { byName: ({ name }) => [{ group: [name] }], byNote: ({ note = '' }) => [{ group: [note] }] },
  uncounted: ['byNote'],
})
const marks = defineTable<Mark>({ name: 'marks', key: ({ id }) => [id] })

let now = Date.parse('2026-11-20T10:00:00Z')

function open(...rows: Thing[]) {
  const store = openMemoryStore([things, marks] as never)
  const put = (row: Thing) => store.commit(unowned([putRow(things, row)]))
  const commit = ({ close }: ReturnType<typeof openDraft>) => {
    const { changes = [], conditions = [] } = close()
    const own = conditions.map(({ condition }) => condition)
    return store.commit(unowned(changes, own))
  }
  return Promise.all(rows.map(put)).then(() => ({ store, put, commit, draft: () => openDraft(store.view(), ++now) }))
}

const first: Thing = { id: 'a', version: 1, name: 'A', note: 'kept' }
const failed = { ok: false, reason: 'condition_failed' }

test('drafts - a row that was read is stored under its next version, unless it has changed or gone', async (t) => {
  const { store, put, commit, draft } = await open(first)
  const [good, stale] = [draft(), draft()]
  t.same(good.put(things, { ...(good.get(things, ['a']) as Thing), name: 'B', note: undefined }), {
    id: 'a',
    version: 2,
    name: 'B',
  })
  stale.put(things, { ...(stale.get(things, ['a']) as Thing), name: 'C' })
  t.match(await commit(good), { ok: true })
  t.match(await commit(stale), failed)
  t.same(store.view().get(things, ['a']), { id: 'a', version: 2, name: 'B' })
  const gone = draft()
  gone.put(things, { ...(gone.get(things, ['a']) as Thing), name: 'D' })
  await store.commit(unowned([{ type: 'remove', table: 'things', key: ['a'] }]))
  t.match(await commit(gone), failed)
  await put(first)
})

test('drafts - a row that was removed and made anew meanwhile is not the one that was read', async (t) => {
  const { store, commit, draft } = await open()
  const make = async (name: string) => {
    const making = draft()
    making.put(things, { id: 'a', name, note: 'kept' })
    t.match(await commit(making), { ok: true })
  }
  await make('A')
  const stale = draft()
  stale.put(things, { ...(stale.get(things, ['a']) as Thing), name: 'C' })
  await store.commit(unowned([{ type: 'remove', table: 'things', key: ['a'] }]))
  await make('B')
  t.match(await commit(stale), failed)
  t.match(store.view().get(things, ['a']), { name: 'B' })
})

test('drafts - what was read and not changed is held as well, also where there was nothing', async (t) => {
  const { put, commit, draft } = await open(first)
  for (const id of ['a', 'b']) {
    const reader = draft()
    reader.get(things, [id])
    reader.putPlain(marks, { id: `of ${id}` })
    await put({ ...first, id, version: 7 })
    t.match(await commit(reader), failed, id)
  }
})

test('drafts - a row that was never read takes the place of no other', async (t) => {
  const { store, commit, draft } = await open(first)
  const blind = draft()
  const taken = conflict('there is one')
  blind.put(things, { id: 'a', name: 'Blind' }, taken)
  t.equal(blind.close().conditions?.[0]?.otherwise, taken)
  t.match(await commit(blind), failed)
  const free = draft()
  t.same(free.put(things, { id: 'b', name: 'Free' }), { id: 'b', version: now, name: 'Free' })
  t.match(await commit(free), { ok: true })
  t.equal(store.view().list(things, []).length, 2)
})

test('drafts - what is removed has to be there', async (t) => {
  const { commit, draft } = await open(first)
  const [one, other] = [draft(), draft()]
  for (const each of [one, other]) each.remove(things, ['a'])
  t.match(await commit(one), { ok: true })
  t.match(await commit(other), failed)
  const clearing = draft()
  clearing.clear(things, ['a'])
  t.match(await commit(clearing), { ok: true })
})

test('drafts - room in a list is there at the commit, or the caller reads why not', async (t) => {
  const { put, commit, draft } = await open(first)
  const full = conflict('full')
  const list = { index: 'byName', group: ['A'] }
  t.throws(() => draft().requireNone(things, list, full), full)
  const late = draft()
  late.requireRoom(things, list, 2, full)
  late.put(things, { id: 'c', name: 'A' })
  await put({ ...first, id: 'b' })
  t.match(await commit(late), failed)
  t.equal(late.close().conditions?.[0]?.otherwise, full)
})

test('drafts - a list that was read gets no other row, and keeps those that it had', async (t) => {
  const list = { index: 'byName', group: ['A'] }
  const second = { ...first, id: 'b' }
  const changes = {
    'another row has come': { ...first, id: 'c' },
    'a row has changed': { ...second, version: 2 },
    'a row has left the list': { ...second, version: 2, name: 'B' },
  }
  for (const [name, row] of Object.entries(changes)) {
    const { put, commit, draft } = await open(first, second)
    const [late, good] = [draft(), draft()]
    for (const each of [late, good]) {
      t.same(each.list(things, list), [first, second])
      each.clear(marks, ['m'])
    }
    t.match(await commit(good), { ok: true })
    await put(row)
    t.match(await commit(late), failed, name)
  }
})

test('drafts - a row that was read before is the same at the commit, also one without a version', async (t) => {
  const { version: _, ...unversioned } = first
  for (const row of [first, unversioned as Thing]) {
    const { put, commit, draft } = await open(row)
    const drafts = [draft(), draft()] as const
    for (const each of drafts) each.requireUnchanged(things, row)
    t.match(await commit(drafts[0]), { ok: true })
    await put({ ...row, version: 2, name: 'B' })
    t.match(await commit(drafts[1]), failed)
  }
})

test('drafts - a row that is held in another version than it was read before does not go through', async (t) => {
  const { store, put, commit, draft } = await open(first)
  await put({ ...first, version: 2 })
  const [before, after] = [draft(), draft()]
  before.requireUnchanged(things, first)
  before.get(things, ['a'])
  after.get(things, ['a'])
  after.requireUnchanged(things, first)
  for (const each of [before, after]) {
    each.clear(marks, ['m'])
    t.match(await commit(each), failed)
  }
  const present = store.view().get(things, ['a']) as Thing
  const own = draft()
  own.remove(things, ['a'])
  own.requireUnchanged(things, present)
  t.match(await commit(own), { ok: true }, 'what is required is what is stored before the changes')
  const gone = draft()
  gone.get(things, ['a'])
  gone.requireUnchanged(things, { id: 'a', name: 'A' } as Thing)
  gone.clear(marks, ['m'])
  t.match(await commit(gone), failed, 'nor one that is gone')
})

test('drafts - a list without totals, or one that is long, cannot be held', async (t) => {
  const many = Array.from({ length: limits.heldRows + 1 }, (_, n) => ({ ...first, id: `${n}` }))
  const { draft } = await open(...many)
  t.throws(() => draft().list(things, { index: 'byNote', group: ['kept'] }), /no totals are kept of things.byNote/)
  t.throws(() => draft().list(things, { index: 'byName', group: ['A'] }), /a list that a draft holds is short/)
})
