// What the actor of a fleet's power is told: by the sites of its organization, and by itself.

import type { PowerBucket } from '../../records/power-roll-up.js'
import type { Address } from '../../runtime/actor/actor.js'

export const fleetPowerKind = 'fleet-power'

export function fleetPowerAddress(organizationId: string): Address {
  return { kind: fleetPowerKind, id: organizationId }
}

/** What a site was given and drew in its last minutes, as far as it knows now. Said again and again; of a minute, the newest counts. */
export interface SitePower {
  readonly type: 'site-power'
  readonly siteId: string
  readonly minutes: readonly PowerBucket[]
}

export type FleetPowerMessage = SitePower | { readonly type: 'look' }
