// What a roaming partner's actor is asked and told.

import { keyOfParty, type Party } from '../../ocpi/headers.js'
import type { Address, JobOutcome } from '../../runtime/actor/actor.js'
import type { WakeUp, WakeUpMessage } from '../../runtime/actor/wake-ups.js'
import type { AppendedMessage } from '../../runtime/link/shard.js'
import type { Attempt } from './item.js'

export const ocpiPartnerKind = 'ocpi-partner'

export function ocpiPartnerAddress(partnerId: string): Address {
  return { kind: ocpiPartnerKind, id: partnerId }
}

/** Whoever deletes a partner writes this with it: what was kept for it goes. */
export function partnerDeletedWakeUp(partnerId: string, now: number): WakeUp {
  return { ...ocpiPartnerAddress(partnerId), reason: 'deleted', at: now }
}

/** Posted to the address that the partner has named with a command (OCPI 2.2.1, 13): at most three times, within seconds. Kept in memory alone. */
export interface CommandResultMessage {
  readonly type: 'command-result'
  readonly url: string
  /** A CommandResult, or what a charging profile module posts. */
  readonly result: unknown
  /** X-Correlation-ID of the command. */
  readonly correlationId?: string | undefined
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
  /** A location that partners see has changed. */
  | { readonly type: 'locations-changed' }
  /** The partner has registered, has other endpoints, or is gone: its row is read again. */
  | { readonly type: 'changed' }
  /** From itself: a push has ended. */
  | { readonly type: 'attempted'; readonly attempt: Attempt; readonly outcome: JobOutcome }
  /** From itself: something is due. */
  | { readonly type: 'go-on' }
