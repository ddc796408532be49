// Records that belong to an organization: by which identifiers they are found, and for whom.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { openDraft } from '../../src/api/pipeline/draft.js'
import { defineOwned } from '../../src/api/pipeline/owned.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { defineTable } from '../../src/runtime/store/table.js'

interface Thing {
  readonly id: string
  readonly name: string
  readonly organization_id: string
  readonly version: number
}

const things = defineTable<Thing>({
  name: 'things',
  key: ({ id }) => [id],
  indexes: { byName: ({ name }) => [{ group: [name] }] },
})

const byId = defineOwned({ table: things, id: 'thing_id', called: 'thing' })
const byName = defineOwned({
  table: things,
  id: 'name',
  called: 'thing',
  index: 'byName',
  keyOf: (_, name) => [name.toUpperCase()],
})

const caller = (organization_id: string) => ({ organization: { organization_id } })
const thing: Thing = { id: 'a', name: 'A', organization_id: 'own', version: 1 }

async function open() {
  const store = openMemoryStore([things] as never)
  await store.commit(unowned([putRow(things, thing)]))
  return store
}

test('owned records - found by their key or in an index, and by nobody else', async (t) => {
  const store = await open()
  const view = store.view()
  t.same(byId.own(view, caller('own'), 'a'), thing)
  t.same(byName.own(view, caller('own'), 'a'), thing)
  for (const [owned, id] of [
    [byId, 'a'],
    [byName, 'a'],
  ] as const) {
    t.equal(owned.find(view, caller('other'), id), undefined)
    t.throws(() => owned.own(view, caller('other'), id), { code: 'not_found', message: 'there is no such thing' })
    t.throws(() => owned.own(view, caller('own'), 'absent'), { code: 'not_found', message: 'there is no such thing' })
  }
})

test('owned records - a draft holds the row that was found, whichever way', async (t) => {
  const store = await open()
  for (const owned of [byId, byName]) {
    const draft = openDraft(store.view(), 0)
    owned.own(draft, caller('own'), 'a')
    t.match(draft.close().conditions, [{ condition: { table: 'things', key: ['a'], is: 'version', version: 1 } }])
  }
})
