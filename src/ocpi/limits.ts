// Bounds of what is kept and shown of OCPI.

import { defineLimits } from '../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Characters of a body that people are shown, of each side. */
    ocpiShownCharacters: 4_096,
    /** Characters of an address, and of one header, that they are shown. */
    ocpiShownLineCharacters: 512,
    /** The shortest time between two exchanges that went well, and are of one kind, in the log of a partner. */
    ocpiExchangeEveryMs: 10_000,
    /** How many others a partner's log takes a second, and how many at once. */
    ocpiExchangesPerSecond: 1,
    ocpiExchangeBurst: 30,
    /** Partners and kinds of exchanges that a thread remembers. */
    ocpiExchangeKinds: 10_000,
    /** How long a charge point that is away counts as it was: most come back at once. */
    ocpiOfflineGraceMs: 120_000,
    /** How long partners still see what is no longer published, as removed. */
    ocpiRemovedKeptMs: 30 * 24 * 3_600_000,
    /** What all partners together have to say whether a driver may charge. */
    ocpiAuthorizationMs: 2_000,
    /** How long a driver who was allowed at a charge point may begin to charge there without another question. */
    ocpiPermissionMs: 5 * 60_000,
    /** After so long without word of a partner's tokens, one that may be asked about is. */
    ocpiStaleTokenMs: 24 * 3_600_000,
    /** EVSEs that are kept of an answer. */
    ocpiAllowedEvses: 100,
  },
  (bounds) => [[bounds.ocpiExchangeBurst > 0, 'the first exchange is kept']],
)
