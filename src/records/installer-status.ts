// How far an installer is with a charge point. It is derived from what is known of it, and stored nowhere: nobody has to write it down when
// a socket is lost, or when a node ends.

import { type Installed, type InstalledChargePoint, isUnclaimed } from './charge-point.js'
import type { ChargePointState } from './charge-point-state.js'
import { isOnline, type LiveNodes } from './presence.js'

export const installerStatuses = ['registered', 'configured', 'connected', 'commissioned', 'offline'] as const
export type InstallerStatus = (typeof installerStatuses)[number]

/** `state` is what the charge point has reported as this registration. */
export function installerStatus(
  { installed }: InstalledChargePoint,
  state: ChargePointState | undefined,
  live: LiveNodes,
): InstallerStatus {
  const { configured_at, commissioned_at } = installed
  const isAccepted = state?.registration === 'Accepted'
  if (isOnline(state, live) && isAccepted) return commissioned_at === undefined ? 'connected' : 'commissioned'
  // A socket alone is no connection yet: a charge point that has never booted with us has nothing to lose.
  if (isAccepted || commissioned_at !== undefined) return 'offline'
  return configured_at === undefined ? 'registered' : 'configured'
}

/** There is nothing left to commission: that was declared, or the organization has ended the installer's part. */
export function isInstallationOver({ commissioned_at, ended_at }: Installed): boolean {
  return commissioned_at !== undefined || ended_at !== undefined
}

/** An organization has it, and the installation is over: what it does from then on is the organization's matter alone. */
export function isHandedOver(chargePoint: InstalledChargePoint): boolean {
  return !isUnclaimed(chargePoint) && isInstallationOver(chargePoint.installed)
}
