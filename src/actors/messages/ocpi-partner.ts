// How a roaming partner's actor is reached by those who tell it of what has changed.

import type { OcpiCommandResult } from '../../records/ocpi-command-result.js'
import type { Address } from '../../runtime/actor/actor.js'

export const ocpiPartnerKind = 'ocpi-partner'

export function ocpiPartnerAddress(partnerId: string): Address {
  return { kind: ocpiPartnerKind, id: partnerId }
}

/** A command was carried out, or could not be. The partner is owed the result since the command was accepted. */
export interface CommandResultMessage {
  readonly type: 'command-result'
  /** As it was stored with the acceptance. */
  readonly owed: OcpiCommandResult
  /** A CommandResult, or what follows a request of charging profiles. */
  readonly result: object
}

/** The limit of a session that the partner has set a charging profile for is another one. */
export interface LimitChangedMessage {
  readonly type: 'limit-changed'
  readonly sessionId: string
}
