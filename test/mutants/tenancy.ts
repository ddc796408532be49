// Bugs that show the rows of one organization to another.

import type { Bug } from './bug.js'

export const tenancy: readonly Bug[] = [
  {
    name: 'owner-not-compared',
    breaks: 'An operator reads the rows of any organization by their ids.',
    file: 'src/api/pipeline/owned.ts',
    find: 'found.organization_id === ownerId',
    replace: 'found.organization_id !== undefined || ownerId === undefined',
    tests: ['api/owned'],
  },
  {
    name: 'search-shows-others',
    breaks: 'A search finds the charge points of other organizations.',
    file: 'src/api/areas/search/search.ts',
    find: 'rows.filter((row) => row.organization_id === organizationId).map((row) =>',
    replace: 'rows.map((row) =>',
    tests: ['api/search'],
  },
  {
    name: 'numbers-show-others',
    breaks: 'A search by transaction number finds the sessions of other organizations.',
    file: 'src/api/areas/search/search.ts',
    find: 'numbered.filter((row) => row.organization_id === organizationId)',
    replace: 'numbered',
    tests: ['api/search'],
  },
  {
    name: 'passkey-of-anyone',
    breaks: 'A member removes the passkey of a colleague.',
    file: 'src/api/areas/console/passkeys.ts',
    find: 'row?.organization_id !== organization_id || row.user_id !== user_id) throw',
    replace: 'row?.organization_id !== organization_id) throw',
    tests: ['api/passkeys'],
  },
]
