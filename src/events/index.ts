// Every event that the service tells the world of. A new one is a definition in the file of its area, and one line here.

import { alertResolved, alertTriggered } from './alert.js'
import { invoiceReady } from './billing.js'
import * as chargePoint from './charge-point.js'
import * as commissioning from './commissioning.js'
import type { EventDefinition } from './define-event.js'
import * as dispute from './dispute.js'
import * as guestSession from './guest-session.js'
import { reservationCreated, reservationEnded } from './reservation.js'
import * as session from './session.js'
import { webhookTest } from './webhook.js'

const definitions: readonly EventDefinition[] = [
  ...Object.values(chargePoint),
  ...Object.values(session),
  ...Object.values(commissioning),
  ...Object.values(guestSession),
  reservationCreated,
  ...Object.values(reservationEnded),
  invoiceReady,
  ...Object.values(dispute),
  alertTriggered,
  alertResolved,
  webhookTest,
]

/** By name. */
export const events: ReadonlyMap<string, EventDefinition> = new Map(
  definitions.map((definition) => [definition.name, definition]),
)
