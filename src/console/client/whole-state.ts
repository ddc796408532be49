// The state that is told of a whole charge point, the same on every page: what needs eyes first, then what goes on. The status of the API says whether a charge point
// can be used at all, so one that is faulted at one of two connectors is available or charging there, and faulted here.

import type { Schema } from './api.js'

/** As OCPP 1.6 calls them, and one for what is not connected. */
export type FleetState =
  | 'Available'
  | 'Preparing'
  | 'Charging'
  | 'SuspendedEV'
  | 'SuspendedEVSE'
  | 'Finishing'
  | 'Reserved'
  | 'Unavailable'
  | 'Faulted'
  | 'Offline'

export type ChargePointStatus = Schema<'ChargePoint'>['status']

/** `has`: whether a connector is in the state. `isSilent`: it is connected and has never booted, so that nobody can charge there. */
export function wholeState(
  status: ChargePointStatus,
  has: (state: FleetState) => boolean,
  isSilent = false,
): FleetState {
  const first = (...states: readonly FleetState[]): FleetState => states.find(has) ?? (states[0] as FleetState)
  if (status === 'offline') return 'Offline'
  if (status === 'faulted' || has('Faulted')) return 'Faulted'
  switch (status) {
    case 'charging':
      return first('Charging', 'SuspendedEVSE', 'SuspendedEV')
    case 'occupied':
      return first('Preparing', 'Finishing', 'Reserved')
    case 'unavailable':
      return 'Unavailable'
    case 'available':
      return isSilent ? 'Unavailable' : 'Available'
  }
}
