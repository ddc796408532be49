// The status of an EVSE (OCPI 2.2.1, 8.4.22), from what the charge point has told of its connector and whether it is connected.

import type { ConnectorState } from '../../records/charge-point-state.js'
import { limits } from '../limits.js'
import type { EvseStatus } from '../schemas/location.js'

/** In use is CHARGING: BLOCKED is a physical barrier, and a partner's app would send its driver away for the wrong reason. */
const statuses: Readonly<Record<ConnectorState['status'], EvseStatus>> = {
  Available: 'AVAILABLE',
  Preparing: 'CHARGING',
  Charging: 'CHARGING',
  SuspendedEV: 'CHARGING',
  SuspendedEVSE: 'CHARGING',
  Finishing: 'CHARGING',
  Reserved: 'RESERVED',
  Unavailable: 'INOPERATIVE',
  Faulted: 'OUTOFORDER',
}

export interface Told {
  /** As far as it has told. */
  readonly connector: ConnectorState['status'] | undefined
  /** The same of the charge point as a whole. */
  readonly controller: ConnectorState['status'] | undefined
  /** Its operator has blocked it. */
  readonly isBlocked: boolean
  /** Since when it has not been connected, wall ms; undefined while it is. */
  readonly offlineSince: number | undefined
  readonly hasConnected: boolean
}

/** Where it was away for a shorter time than the grace, it is as it was. */
export function evseStatus(
  { connector, controller, isBlocked, offlineSince, hasConnected }: Told,
  now: number,
): EvseStatus {
  if (!hasConnected) return 'PLANNED'
  if (isBlocked) return 'INOPERATIVE'
  if (offlineSince !== undefined && now - offlineSince >= limits.ocpiOfflineGraceMs) return 'UNKNOWN'
  const status = connector === undefined ? 'UNKNOWN' : statuses[connector]
  // A charge goes on, whatever the rest of the charge point says.
  if (status === 'CHARGING') return status
  if (controller === 'Faulted') return 'OUTOFORDER'
  if (controller === 'Unavailable') return status === 'OUTOFORDER' ? status : 'INOPERATIVE'
  return status
}
