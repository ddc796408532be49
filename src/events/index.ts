// Every event that the service publishes. A new one is a definition in the file of its area; a new area is a line here.

import * as alert from './alert.js'
import * as billing from './billing.js'
import * as chargePoint from './charge-point.js'
import * as commissioning from './commissioning.js'
import type { EventDefinition } from './define-event.js'
import * as dispute from './dispute.js'
import * as firmware from './firmware.js'
import * as guestSession from './guest-session.js'
import * as reservation from './reservation.js'
import * as securityProfile from './security-profile.js'
import * as session from './session.js'
import * as webhook from './webhook.js'

/** What the file of an area exports: events, alone or several by name. */
type Area = Readonly<Record<string, EventDefinition | Readonly<Record<string, EventDefinition>>>>

const areas: readonly Area[] = [
  chargePoint,
  firmware,
  session,
  commissioning,
  securityProfile,
  guestSession,
  reservation,
  billing,
  dispute,
  alert,
  webhook,
]

const isEvent = (exported: Area[string]): exported is EventDefinition => typeof exported.name === 'string'

const definitions = areas
  .flatMap((area) => Object.values(area))
  .flatMap((exported) => (isEvent(exported) ? [exported] : Object.values(exported)))

/** By name. */
export const events: ReadonlyMap<string, EventDefinition> = new Map(
  definitions.map((definition) => [definition.name, definition]),
)
