// How a site's actor is reached by those who send it word of a charge point, or of a change.

import type { Address } from '../../runtime/actor/actor.js'
import { type WakeUp, wakeUpAfter } from '../../runtime/actor/wake-ups.js'
import type { ServiceClock } from '../../runtime/steady-time.js'

export const siteKind = 'site'

export function siteAddress(siteId: string): Address {
  return { kind: siteKind, id: siteId }
}

/** The site, its configuration, its assets or which charge points it has were changed: read them again. */
export interface SiteChangedMessage {
  readonly type: 'site-changed'
}

/** The charging profile of a session was set or taken back; answered with a ProfileReply. `wakeUp`: the reason of the wake-up that says the same. */
export interface ProfileChangedMessage {
  readonly type: 'profile-changed'
  readonly sessionId: string
  readonly wakeUp: string
}

/** taken: it is kept from now on. refused: the charge point takes no limits. unmanaged: the site has no such charge point, or does not share its power. */
export type ProfileReply = 'taken' | 'refused' | 'unmanaged'

const profileReason = 'profile/'

/** Stored with the profile, so that it is heard of whatever ends meanwhile. `request` tells it from others. */
export function profileWakeUp(
  siteId: string,
  sessionId: string,
  request: string,
  clock: Pick<ServiceClock, 'steady'>,
): WakeUp {
  return wakeUpAfter(siteAddress(siteId), `${profileReason}${sessionId}/${request}`, 0, clock)
}

/** The session; undefined for another reason. */
export function sessionOfProfile(reason: string): string | undefined {
  return reason.startsWith(profileReason) ? reason.split('/')[1] : undefined
}

/** What a connector draws, as last metered. */
export interface Draw {
  readonly connectorId: number
  readonly watts: number
  /** Phases that carry current; absent where the charge point does not meter them. */
  readonly phases?: 1 | 2 | 3
  /** Another with each reading; absent for one of which that is not known. */
  readonly reading?: number
}

/** By connector. */
export type Draws = ReadonlyMap<number, Draw>

/** How a charge point of the site is now. Said again with every change; the newest counts. */
export interface ChargerReport {
  readonly type: 'charger-report'
  readonly chargePointId: string
  /** It can be sent calls: it is connected, and its registration is accepted. */
  readonly isReady: boolean
  /** Of the connection. */
  readonly epoch: number
  /** When it booted last, as it is stored. */
  readonly bootedAt?: string
  /** Names the last time that it cleared all limits of a site; absent where it has not, as far as it knows. */
  readonly cleared?: string
  /** How many it has; absent while nobody knows. */
  readonly connectors?: number
  /** Its open sessions. */
  readonly sessions: readonly {
    readonly sessionId: string
    readonly transactionId: number
    readonly connectorId: number
  }[]
  readonly draws: readonly Draw[]
}
