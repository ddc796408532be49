// What a roaming partner's actor is asked and told.

import { keyOfParty, type Party } from '../../ocpi/headers.js'
import type { JobOutcome } from '../../runtime/actor/actor.js'
import { type WakeUp, type WakeUpMessage, wakeUpAfter } from '../../runtime/actor/wake-ups.js'
import type { AppendedMessage } from '../../runtime/link/shard.js'
import type { ServiceClock } from '../../runtime/steady-time.js'
import { type CommandResultMessage, type LimitChangedMessage, ocpiPartnerAddress } from '../messages/ocpi-partner.js'
import type { Attempt } from './item.js'

export { type CommandResultMessage, ocpiPartnerAddress, ocpiPartnerKind } from '../messages/ocpi-partner.js'

/** Whoever deletes a partner writes this with it: what was kept for it goes. */
export function partnerDeletedWakeUp(partnerId: string, clock: Pick<ServiceClock, 'steady'>): WakeUp {
  return wakeUpAfter(ocpiPartnerAddress(partnerId), 'deleted', 0, clock)
}

const partyReached = 'party-reached/'

/** The hub reaches a party again: what was held for it is sent. Stored with the hub's word. */
export function partyReachedWakeUp(
  party: Party & { readonly partner_id: string },
  clock: Pick<ServiceClock, 'steady'>,
): WakeUp {
  const reason = `${partyReached}${keyOfParty(party)}/${clock.steady()}`
  return wakeUpAfter(ocpiPartnerAddress(party.partner_id), reason, 0, clock)
}

/** The key of the party; undefined for another reason. */
export function reachedParty(reason: string): string | undefined {
  return /^party-reached\/(.*)\/\d+$/.exec(reason)?.[1]
}

export type OcpiPartnerMessage =
  | AppendedMessage
  | WakeUpMessage
  | CommandResultMessage
  | LimitChangedMessage
  /** A location that partners see has changed. */
  | { readonly type: 'locations-changed' }
  /** The partner has registered, has other endpoints, or is gone: its row is read again. */
  | { readonly type: 'changed' }
  /** From itself: a push has ended. */
  | { readonly type: 'attempted'; readonly attempt: Attempt; readonly outcome: JobOutcome }
  /** From itself: something is due. */
  | { readonly type: 'go-on' }
