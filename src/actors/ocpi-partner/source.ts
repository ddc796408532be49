// Where the objects that partners are sent come from: each is made of the rows as they are at the moment of sending, so that nothing is stored twice.

import type { Cdr, CdrLocation } from '../../ocpi/schemas/cdr.js'
import type { ActiveChargingProfile } from '../../ocpi/schemas/charging-profile.js'
import type { Location } from '../../ocpi/schemas/location.js'
import type { SessionBill } from '../../ocpi/session/read-bill.js'
import type { OcpiPartner } from '../../records/ocpi-partner.js'
import type { OcpiPartyId } from '../../records/ocpi-party.js'
import type { ReadView } from '../../runtime/store/store.js'

export interface SessionNow {
  readonly id: string
  readonly body: unknown
  /** What is sent of it while it goes on. */
  readonly patch: unknown
  /** Equal where nothing has changed that a partner is told. */
  readonly mark: string
  readonly isRunning: boolean
  /** Whose token it is. */
  readonly to: OcpiPartyId
}

export interface ActiveProfile {
  readonly body: ActiveChargingProfile
  /** Equal where nothing has changed. */
  readonly mark: string
  /** Whose session it is. */
  readonly to: OcpiPartyId
}

export interface ChangedLocation {
  readonly locationId: string
  /** Wall ms. */
  readonly updatedAt: number
}

export interface PushSource {
  /** Whether a life of a node has not ended. */
  isLive(run: number): boolean
  party(view: ReadView, organizationId: string): OcpiPartyId | undefined
  /** Those that have changed at `from` (wall ms) or later, the first ones of them; of those at just that time, the ones behind `behind`. */
  changedLocations(
    view: ReadView,
    partner: OcpiPartner,
    from: number,
    limit: number,
    behind?: string,
  ): readonly ChangedLocation[]
  /** Undefined where the partner does not see it. */
  location(view: ReadView, partner: OcpiPartner, locationId: string): Location | undefined
  /** The partner whose token a session, or a reservation, is of. */
  ownerOf(view: ReadView, sessionId: string): string | undefined
  /** Also of a reservation, which is a session to partners. */
  session(view: ReadView, sessionId: string, now: number): SessionNow | undefined
  /**
   * The charging profile that is in force for a session, where the service knows it and the partner has to: one that it has set a profile for.
   * `told`: the mark of what it was told last.
   */
  activeProfile(
    view: ReadView,
    partner: OcpiPartner,
    sessionId: string,
    told: string | undefined,
    now: number,
  ): ActiveProfile | undefined
  /** Where a session is, as its CDR will say it. */
  placeOf(view: ReadView, sessionId: string, now: number): CdrLocation | undefined
  /** `before`: the CDRs that there are, in their order. */
  bill(
    view: ReadView,
    sessionId: string,
    known: { readonly place: CdrLocation | undefined; readonly before: readonly Cdr[] },
    now: number,
  ): SessionBill
  /** Sessions of the partner's that run, in the order of their ids, behind one of them. */
  runningSessions(view: ReadView, partnerId: string, behind: string | undefined, limit: number): readonly string[]
  /** What partners may be offered, each with a mark that is another one whenever the tariff may be. */
  tariffs(view: ReadView, organizationId: string, now: number): ReadonlyMap<string, string>
  /** Of one of them; undefined where the partner does not see it. */
  tariffMark(view: ReadView, partner: OcpiPartner, tariffId: string, now: number): string | undefined
  /** Undefined where OCPI cannot say it. */
  tariff(view: ReadView, partner: OcpiPartner, tariffId: string, now: number): unknown
}
