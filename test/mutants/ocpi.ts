// Bugs of roaming.

import type { Bug } from './bug.js'

export const ocpi: readonly Bug[] = [
  {
    name: 'party-ids-by-case',
    breaks: 'A partner that writes its party id in lower case is not recognized.',
    file: 'src/records/ocpi-party.ts',
    find: 'party_id.toUpperCase()',
    replace: 'party_id',
    tests: ['ocpi/wire', 'service/ocpi-headers'],
    isInProgram: true,
  },
  {
    name: 'corrected-cdr-same-id',
    breaks: 'A corrected CDR has the id of the first, so partners drop it.',
    file: 'src/ocpi/session/make-cdr.ts',
    find: 'revision === 1 ? sessionId',
    replace: 'revision <= 2 ? sessionId',
    tests: ['ocpi/make-cdr'],
  },
  {
    name: 'cdr-address-too-long',
    breaks: 'A CDR has an address that is too long, so partners refuse it.',
    file: 'src/ocpi/session/make-cdr.ts',
    find: 'const longestAddress = 45',
    replace: 'const longestAddress = 255',
    tests: ['ocpi/make-cdr'],
  },
  {
    name: 'cdr-of-running-session',
    breaks: 'A CDR is sent while the session runs.',
    file: 'src/ocpi/session/make-cdr.ts',
    find: "if (status === 'ACTIVE') return",
    replace: "if (status === 'PENDING') return",
    tests: ['ocpi/make-cdr'],
  },
  {
    name: 'faulted-is-inoperative',
    breaks: 'Partners see a faulted EVSE as one that is switched off.',
    file: 'src/ocpi/location/evse-status.ts',
    find: "Faulted: 'OUTOFORDER'",
    replace: "Faulted: 'INOPERATIVE'",
    tests: ['ocpi/location'],
  },
]
