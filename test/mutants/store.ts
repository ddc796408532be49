// Bugs of the store.

import type { Bug } from './bug.js'

export const store: readonly Bug[] = [
  {
    name: 'bound-off-by-one',
    breaks: 'A list gets one row more than its bound.',
    file: 'src/runtime/store/storage/apply-batch.ts',
    find: 'group) < total',
    replace: 'group) <= total',
    tests: ['runtime/memory-store'],
  },
  {
    name: 'version-at-least',
    breaks: 'A change over an older version overwrites a newer one.',
    file: 'src/runtime/store/storage/apply-batch.ts',
    find: '.version ?? 0) === condition.version',
    replace: '.version ?? 0) !== undefined',
    tests: ['runtime/memory-store'],
  },
  {
    name: 'index-order-forgotten',
    breaks: 'A row that changes its place in a list stays at the old one.',
    file: 'src/runtime/store/storage/index-entries.ts',
    find: 'sameKey(one.order ?? noOrder, other.order ?? noOrder) &&',
    replace: '',
    tests: ['runtime/memory-store'],
  },
  {
    name: 'stale-owner-writes',
    breaks: 'A shard that has lost a partition still writes to it.',
    file: 'src/runtime/store/storage/apply-batch.ts',
    find: "if (isStale(state, batch)) return { ok: false, reason: 'stale_epoch' }",
    replace: 'isStale(state, batch)',
    tests: ['runtime/memory-store'],
  },
]
