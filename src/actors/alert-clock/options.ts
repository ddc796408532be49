// What the alert clock works with, and each of its looks.

import type { LiveNodes } from '../../records/presence.js'
import type { Address } from '../../runtime/actor/actor.js'
import type { Change, CommitResult, ReadView } from '../../runtime/store/store.js'

/** A certificate of the installation itself. */
export interface WatchedCertificate {
  readonly name: 'listener' | 'client_authority'
  /** Wall ms. */
  readonly expiresAt: number
}

export interface AlertClockOptions {
  readonly view: () => ReadView
  readonly tell: (to: Address, message: unknown) => void
  readonly commit: (changes: readonly Change[]) => Promise<CommitResult>
  readonly newId: (prefix: string) => string
  /** Wall time, ms. */
  readonly now: () => number
  /** How long this run of the service lasts already, ms. */
  readonly uptime: () => number
  /** How far the clock has jumped ahead without confirmation, ms. */
  readonly unconfirmed: () => number
  readonly live: LiveNodes
  /** When this run of the service began, wall ms; as it is first seen, where it is not given. */
  readonly startedAt?: number
  /** How long a cause has to be gone before its alert is resolved. */
  readonly settleMs: number
  readonly certificates: () => readonly WatchedCertificate[]
  /** Resolves once other work of the thread has had its turn. */
  readonly pause: () => Promise<void>
}
