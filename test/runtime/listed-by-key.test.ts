// Tables that say that their lists follow from the key: the store does not read a row that takes the place of another one there.

import { test } from 'tap'
import { tables } from '../../src/records/index.js'

/** The fields of a row that are read. */
function fieldsOf(read: (row: never) => unknown): ReadonlySet<string> {
  const fields = new Set<string>()
  const row = new Proxy({}, { get: (_, name) => fields.add(String(name)) && 1 })
  read(row as never)
  return fields
}

test('listed by key - a table that says so has lists that read nothing of a row but its key', (t) => {
  const saying = tables.filter(({ listedByKey }) => listedByKey === true)
  t.ok(saying.length > 0)
  for (const { name, key, indexes } of saying)
    for (const [index, entriesOf] of Object.entries(indexes)) {
      const beside = [...fieldsOf(entriesOf)].filter((field) => !fieldsOf(key).has(field))
      t.same(beside, [], `${name}, ${index}`)
    }
  t.end()
})
