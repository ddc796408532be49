// Bugs of the listener for charge points.

import type { Bug } from './bug.js'

export const edge: readonly Bug[] = [
  {
    name: 'any-client-is-a-proxy',
    breaks: 'A client writes any address into a header and passes the limits per address.',
    file: 'src/edge/client-address.ts',
    find: 'at >= 0 && isTrusted(trusted, client); at--',
    replace: 'at >= 0; at--',
    tests: ['edge/client-address'],
  },
  {
    name: 'long-identity-refused',
    breaks: 'A charge point with an identity of 48 characters cannot connect.',
    file: 'src/edge/identity.ts',
    find: '{1,48}',
    replace: '{1,47}',
    tests: ['edge/identity'],
  },
  {
    name: 'foreign-page-connects',
    breaks: 'A page of another site connects as a charge point.',
    file: 'src/edge/origin.ts',
    find: 'own !== host.toLowerCase() || !isAddress(own)',
    replace: 'own !== host.toLowerCase() && !isAddress(own)',
    tests: ['edge/origin'],
  },
  {
    name: 'any-subprotocol',
    breaks: 'A charge point without a subprotocol connects although one is required.',
    file: 'src/edge/subprotocol.ts',
    find: 'if (tokens.length === 0 && !required)',
    replace: 'if (tokens.length === 0)',
    tests: ['edge/subprotocol'],
  },
]
