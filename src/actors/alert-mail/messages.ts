// What the actor that mails the alerts of an organization is sent.

import type { Address } from '../../runtime/actor/actor.js'

export const alertMailKind = 'alert-mail'

export function alertMailAddress(organizationId: string): Address {
  return { kind: alertMailKind, id: organizationId }
}

/** There are alerts that have not been mailed: sent again for as long as there are. */
export interface AlertMailMessage {
  readonly type: 'alerts-unsent'
}
