// A store as the first start of a service leaves it, without a start: tests write into it what no route can.

import { randomBytes } from 'node:crypto'
import { bootstrapChanges } from '../../src/api/areas/organizations/bootstrap.js'
import { schemaVersion, tables } from '../../src/records/index.js'
import { createIdMaker } from '../../src/runtime/ids.js'
import { openWriter } from '../../src/runtime/store/lmdb-store.js'
import { unowned } from '../../src/runtime/store/store.js'

/** In an empty directory; the installation's own organization has this key. */
export async function setUpStore(data: string, key: string) {
  const store = openWriter(data, tables, { schemaVersion })
  const now = Date.now()
  const first = bootstrapChanges(store.view(), now, createIdMaker({ now: () => now }, Math.random), randomBytes, key)
  if (first === undefined) throw new Error(`the store at ${data} was not empty`)
  const written = await store.commit(unowned(first.changes))
  if (!written.ok) throw new Error(written.reason)
  return { store, organizationId: first.organizationId }
}
