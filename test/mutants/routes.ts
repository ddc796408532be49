// Bugs of the API for operators.

import type { Bug } from './bug.js'

export const routes: readonly Bug[] = [
  {
    name: 'page-ends-at-limit',
    breaks: 'The second page of a list is empty.',
    file: 'src/api/pipeline/paging.ts',
    find: 'items.slice(offset, offset + limit)',
    replace: 'items.slice(offset, limit)',
    tests: ['api/paging', 'api/lists'],
  },
  {
    name: 'end-of-period-exclusive',
    breaks: 'A row at the end of a period is missing from the list.',
    file: 'src/api/pipeline/paging.ts',
    find: 'placeOf(end + 1)',
    replace: 'placeOf(end)',
    tests: ['api/paging', 'api/session-lists'],
  },
  {
    name: 'filtered-page-skips-one',
    breaks: 'The first row of each filtered page is missing.',
    file: 'src/api/pipeline/paging.ts',
    find: 'total >= offset && rows.length < limit',
    replace: 'total > offset && rows.length < limit',
    tests: ['api/paging', 'api/charge-point-lists'],
  },
  {
    name: 'quota-one-short',
    breaks: 'The last request of an hourly quota is refused.',
    file: 'src/api/pipeline/steps/quota.ts',
    find: 'if (left >= 0 && leftTogether >= 0) return',
    replace: 'if (left > 0 && leftTogether >= 0) return',
    tests: ['api/access'],
  },
  {
    name: 'scope-not-checked',
    breaks: 'A key that may only read changes charge points.',
    file: 'src/api/pipeline/steps/authorize.ts',
    find: 'if (callers.grants(principal, scope)) return',
    replace: 'if (callers.grants(principal, scope) || scopes.length > 0) return',
    tests: ['api/access'],
  },
  {
    name: 'no-challenge',
    breaks: 'A client that sends no key is not told which credential is missing.',
    file: 'src/api/pipeline/steps/respond.ts',
    find: 'error.kind.status === 401 && callers',
    replace: 'error.kind.status === 403 && callers',
    tests: ['api/surfaces'],
  },
  {
    name: 'repeats-never-expire',
    breaks: 'A repeat after a day gets the old answer instead of a new object.',
    file: 'src/api/pipeline/steps/idempotency.ts',
    find: 'const keptForMs = 24',
    replace: 'const keptForMs = 48',
    tests: ['api/idempotency'],
  },
]
