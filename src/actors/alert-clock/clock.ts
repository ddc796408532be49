// Looks, again and again, for alerts that are due, over all organizations. One thread does, the owner of a partition: so a list that is worked
// off here has one reader, and what it raises itself has one writer. Charge points' alerts it only tells their actors of, for as
// long as the list has them: what is lost on the way is said again.

import type { LiveNodes } from '../../records/presence.js'
import type { Address } from '../../runtime/actor/actor.js'
import type { Change, CommitResult, ReadView } from '../../runtime/store/store.js'
import { lookAtCertificates, type WatchedCertificate } from './certificates.js'
import { createDueWatches } from './due-watches.js'
import { tellLostPresences } from './lost-presences.js'
import { lookAtRefusedConnections } from './refused-connections.js'
import { createSteadyTime } from './steady-time.js'
import { createUnsentAlerts } from './unsent.js'

export interface AlertClockOptions {
  readonly view: () => ReadView
  readonly tell: (to: Address, message: unknown) => void
  readonly commit: (changes: readonly Change[]) => Promise<CommitResult>
  readonly newId: (prefix: string) => string
  /** Wall time, ms. */
  readonly now: () => number
  /** How long this run of the service lasts already, ms. */
  readonly uptime: () => number
  readonly live: LiveNodes
  /** When this run of the service began, wall ms; as it is first seen, where it is not given. */
  readonly startedAt?: number
  /** How long a cause has to be gone before its alert is resolved. */
  readonly settleMs: number
  readonly certificates: () => readonly WatchedCertificate[]
  /** Resolves once other work of the thread has had its turn. */
  readonly pause: () => Promise<void>
}

export interface AlertClock {
  /** Looks once; call again when it has resolved. */
  look(): Promise<void>
}

export function createAlertClock(options: AlertClockOptions): AlertClock {
  const steady = createSteadyTime(options)
  const dueWatches = createDueWatches(options, steady)
  const unsent = createUnsentAlerts(options)
  return {
    async look() {
      steady.look()
      tellLostPresences(options)
      await dueWatches.tell()
      await lookAtRefusedConnections(options)
      await lookAtCertificates(options)
      unsent.tell()
    },
  }
}
