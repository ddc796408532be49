// What a roaming partner's actor is asked and told.

import { keyOfParty, type Party } from '../../ocpi/headers.js'
import type { JobOutcome } from '../../runtime/actor/actor.js'
import type { WakeUp, WakeUpMessage } from '../../runtime/actor/wake-ups.js'
import type { AppendedMessage } from '../../runtime/link/shard.js'
import { type CommandResultMessage, type LimitChangedMessage, ocpiPartnerAddress } from '../messages/ocpi-partner.js'
import type { Attempt } from './item.js'

export { type CommandResultMessage, ocpiPartnerAddress, ocpiPartnerKind } from '../messages/ocpi-partner.js'

/** Whoever deletes a partner writes this with it: what was kept for it goes. */
export function partnerDeletedWakeUp(partnerId: string, now: number): WakeUp {
  return { ...ocpiPartnerAddress(partnerId), reason: 'deleted', at: now }
}

const partyReached = 'party-reached/'

/** The hub reaches a party again: what was held for it is sent. Stored with the hub's word. */
export function partyReachedWakeUp(party: Party & { readonly partner_id: string }, now: number): WakeUp {
  return { ...ocpiPartnerAddress(party.partner_id), reason: `${partyReached}${keyOfParty(party)}/${now}`, at: now }
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
