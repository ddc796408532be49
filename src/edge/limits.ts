// Bounds of the edge: of frames, sockets, and connections that are not yet charge points.

import { defineLimits } from '../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** One OCPP frame, in bytes; a longer one closes the socket with 1009. */
    frameBytes: 65_536,
    /** A frame too long is still read up to this size, so that it can be refused in words; one beyond it just cuts the connection. */
    unreadableFrameBytes: 262_144,
    /** Bytes waiting for a socket that does not read; over it the socket is closed. */
    socketBackpressureBytes: 131_072,
    /** Frames that a front keeps of a charge point whose own registration is not on disk yet. */
    heldFrames: 16,
    /** Characters of these frames: one of the longest kind, and some. */
    heldCharacters: 131_072,
    /** Charge points whose frames are looked for before those are forgotten that have none. */
    fewChains: 1_024,
    /** Frames of a charge point that are passed over to find older ones. */
    framesPassed: 50_000,
    /** Characters of its frames in which secrets are looked for, where there may be one: a second, and at once. Frames beyond them are masked whole. */
    searchedCharactersPerSecond: 32_768,
    searchedCharactersAtOnce: 131_072,
    /** Secrets that one charge point was sent, and that are masked where it repeats them. */
    secretsRemembered: 8,
    /** Pings and pongs of one socket a second, and at once: each ping is answered, and real charge points send one every few seconds. */
    pingsPerSecond: 10,
    pingBurst: 50,
    /** Networks of 64 bits whose allowance all addresses of one network of 48 bits have together (IPv6). */
    networksOfWideNetwork: 16,
    /** Of the charge points that may register themselves in an hour, those from one address, or one IPv6 network of 48 bits: this share, or so many of few. */
    selfRegistrationShareOfAddress: 0.25,
    selfRegistrationsOfAddress: 10,
    /** Addresses from which charge points have registered themselves of late. */
    addressesOfNewcomers: 10_000,
    /** How long a pong is waited for that somebody has asked for. */
    pongAwaitedMs: 5_000,
    /** Addresses whose refusals are remembered, and the refusals of one at once, as a multiple of those per second. */
    refusedAddresses: 100_000,
    refusalBurstSeconds: 30,
    /** Of them, those whose next connections are refused unseen, as the log and the list of attempts name them: in an hour, and at once. */
    addressesNamedPerHour: 60,
    /** Open files of the process that are not for connections: these, and a share of all. */
    reservedOpenFiles: 64,
    reservedOpenFilesShare: 0.05,
    /** Refused connection attempts written to the store a second; the rest are only counted. */
    refusedAttemptsPerSecond: 100,
    /** Of them, those of one organization at once: strangers that knock without end leave room for the others' attempts. */
    refusedAttemptsPerOrganization: 25,
    /** And for as long as they knock, a second: more than the alert about refused connections can be set to count in an hour. */
    refusedAttemptsPerOrganizationSecond: 3,
    /** And of those under ids that nobody has registered, those of one address, at once and a second: a share, so that others' mistakes are seen. */
    unknownAttemptsPerAddress: 15,
    unknownAttemptsPerAddressSecond: 2,
    /** Refused attempts that found no room, put together by id, address and reason, until there is some. Those of more are only counted by reason. */
    attemptsPutTogether: 1_000,
    /** Organizations that have refused attempts of late, and are remembered for it. */
    organizationsWithAttempts: 10_000,
  },
  (bounds) => [
    [
      bounds.frameBytes <= bounds.unreadableFrameBytes,
      'a frame that is too long has to be read to be refused in words',
    ],
    [
      bounds.frameBytes <= bounds.socketBackpressureBytes,
      'a frame that waits alone for a slow socket must not close it',
    ],
    [
      bounds.frameBytes <= bounds.searchedCharactersAtOnce,
      'a frame that comes alone, however long, has to be searched',
    ],
    [bounds.frameBytes <= bounds.heldCharacters, 'the first frame of a new charge point, however long, has to be held'],
    [
      bounds.unknownAttemptsPerAddress < bounds.refusedAttemptsPerOrganization &&
        bounds.unknownAttemptsPerAddressSecond < bounds.refusedAttemptsPerOrganizationSecond,
      'one address leaves room for the others',
    ],
    [
      bounds.refusedAttemptsPerOrganization <= bounds.refusedAttemptsPerSecond,
      'one organization has a share of what is stored',
    ],
  ],
)
