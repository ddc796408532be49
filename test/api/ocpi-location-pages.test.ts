// Pages of locations that have changed since a date, where those are many: whole, in order, and at the cost of the page.

import { test } from 'tap'
import { readLocationPage } from '../../src/api/areas/ocpi-locations/pages.js'
import { createLongReads } from '../../src/api/pipeline/long-reads.js'
import { tables } from '../../src/records/index.js'
import { type OcpiLocation, ocpiLocationsTable } from '../../src/records/ocpi-location.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { type ReadView, unowned } from '../../src/runtime/store/store.js'
import { createFakeClock } from '../support/fake-clock.js'
import { partnerRow } from '../support/roaming-rows.js'

const count = 6_000
/** Every second location has changed at this time or later. */
const since = 1_000_000

async function stage() {
  const clock = createFakeClock()
  const store = openMemoryStore(tables, { clock })
  const rows = Array.from({ length: count }, (_, at): OcpiLocation => {
    const location_id = `L${at.toString().padStart(5, '0')}`
    const updated_at = at % 2 === 0 ? since + ((at * 7_919) % count) : since - 1
    return {
      organization_id: 'org_1',
      location_id,
      kind: 'charge_point',
      place_id: location_id,
      created_at: at,
      updated_at,
    }
  })
  const { name: table, key } = ocpiLocationsTable
  await store.commit(unowned(rows.map((row) => ({ type: 'put', table, key: key(row), row: encodeRow(row) }))))
  let read = 0
  const view: ReadView = {
    ...store.view(),
    listBy(...asked) {
      const found = store.view().listBy(...asked)
      read += found.length
      return found
    },
  }
  const begin = createLongReads(clock).of('org_1')
  const page = (query: { offset: number; limit: number }, place?: readonly [number, string]) =>
    readLocationPage({ view, begin, partner: partnerRow('org_1'), from: since, to: undefined, query, place })
  return {
    page,
    rowsRead() {
      const before = read
      read = 0
      return before
    },
  }
}

const wanted = Array.from({ length: count / 2 }, (_, at) => `L${(at * 2).toString().padStart(5, '0')}`)
const ids = ({ rows }: { readonly rows: readonly OcpiLocation[] }) => rows.map(({ location_id }) => location_id)

test('ocpi location pages - of half of all, by number and behind a place, each is whole and has the total', async (t) => {
  const { page } = await stage()
  const limit = 100
  const byNumber: string[] = []
  for (let offset = 0; offset < count / 2; offset += limit) {
    const one = await page({ offset, limit })
    t.equal(one.total, count / 2)
    t.equal(one.after === undefined, offset + limit >= count / 2)
    byNumber.push(...ids(one))
  }
  t.same(byNumber, wanted)
  const linked: string[] = []
  for (let place: readonly [number, string] | undefined; ; ) {
    const one = await page({ offset: 0, limit }, place)
    t.equal(one.total, count / 2)
    linked.push(...ids(one))
    if (one.after === undefined) break
    const last = one.rows.at(-1) as OcpiLocation
    place = [last.created_at, last.location_id]
  }
  t.same(linked, wanted)
  t.same(ids(await page({ offset: count, limit })), [])
})

test('ocpi location pages - the first page, and one behind a place, read no more than they need', async (t) => {
  const { page, rowsRead } = await stage()
  await page({ offset: 0, limit: 100 })
  const first = rowsRead()
  t.ok(first <= 500, `${first} rows`)
  await page({ offset: 0, limit: 100 }, [count / 2, `L0${count / 2}`])
  const linked = rowsRead()
  t.ok(linked <= 500, `${linked} rows`)
})
