// What records say of themselves.

import { test } from 'tap'
import { sameGroup } from '../../src/actors/records/id-tag.js'

test('id tags - those of one parent are one group, and so is the parent; whoever has none is alone', (t) => {
  const tag = (id_tag: string, parent_id_tag?: string) => ({ id_tag, parent_id_tag })
  t.ok(sameGroup(tag('A', 'family'), tag('B', 'FAMILY')))
  t.ok(sameGroup(tag('Family'), tag('B', 'FAMILY')))
  t.ok(sameGroup(tag('a'), tag('A')))
  t.ok(sameGroup(tag('a', 'family'), tag('A')), 'a tag that has been moved since is still itself')
  t.notOk(sameGroup(tag('A', 'FAMILY'), tag('B', 'OTHER')))
  t.notOk(sameGroup(tag('A'), tag('B')))
  t.notOk(sameGroup(tag(''), tag('')), 'no tag is no group')
  t.end()
})
