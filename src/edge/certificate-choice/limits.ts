// Bounds of connections whose ClientHello decides which certificate they are shown.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** A TLS client's ClientHello, and the records that it comes in, empty ones too, where two certificates make the choice depend on it. */
    clientHelloBytes: 16_384,
    clientHelloRecords: 32,
    /** How long it may take from the beginning of the connection, ms. */
    helloWithinMs: 10_000,
    /** Connections that have not sent all of it: in all, and from one address. One more ends the one that has waited longest. */
    waitingHellos: 1_000,
    waitingHellosPerAddress: 250,
    /** How long the other side of such a connection may take to read the last of it once it has ended, ms. */
    lastWordsWithinMs: 10_000,
  },
  (bounds) => [
    [bounds.waitingHellosPerAddress <= bounds.waitingHellos, 'one address must not take the room of all others'],
  ],
)
