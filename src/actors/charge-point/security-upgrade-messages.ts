// What the charge-point actor is told about security profiles: by the API, and by itself.

import type { HigherProfile, SecurityProfile, SecurityUpgrade } from '../../records/security-upgrade.js'

/** Begins the way to a higher security profile; the ask is answered with a BeginUpgradeReply. Sent again, it begins none. */
export interface BeginUpgradeMessage {
  readonly type: 'begin-security-upgrade'
  readonly upgradeId: string
  /** Whose charge point it was when that was asked for. */
  readonly organizationId: string
  readonly to: HigherProfile
  readonly begunBy: string
  /** What the charge point is to trust, PEM; or why it is sent none. */
  readonly authority: { readonly pem: string } | { readonly none: string }
}

export type SecurityUpgradeMessage =
  | BeginUpgradeMessage
  /** The charge point has had the time to come to itself, or to come back. */
  | { readonly type: 'security-upgrade-due' }

export type BeginUpgradeReply =
  | { readonly type: 'begun'; readonly upgrade: SecurityUpgrade }
  | { readonly type: 'running' }
  /** It connects in this way, or in a better one. */
  | { readonly type: 'reached'; readonly securityProfile: SecurityProfile }
  | { readonly type: 'offline' }
  /** It is another organization's now, or nobody's. */
  | { readonly type: 'unknown' }
