// Certificates of a new authority are handed over when every front trusts it, and not before.

import { test } from 'tap'
import { createTrust } from '../../src/process/trusted-in-time.js'

const issued = (trust: string) => ({ ok: true, value: { trust } }) as const

test('trusted in time - an authority that a front could not be told of is tried again with the next certificate', async (t) => {
  const ends = [false, true]
  let reloads = 0
  const trusted = createTrust({ mark: 'old', reload: async () => ends[reloads++] ?? true })
  t.same(await trusted(issued('old')), issued('old'))
  t.equal(reloads, 0)
  t.match(await Promise.all([trusted(issued('new')), trusted(issued('new'))]), [{ ok: false }, { ok: false }])
  t.equal(reloads, 1, 'certificates that are issued at the same time share it')
  t.same(await trusted(issued('new')), issued('new'))
  t.equal(reloads, 2)
  t.same(await trusted(issued('new')), issued('new'))
  t.equal(reloads, 2, 'what is trusted is read once')
})
