// The way of a charge point to a higher security profile (Improved security for OCPP 1.6-J, A05): the newest of each charge point, with how
// far it is and what each step has shown. Written by the charge point's actor alone.

import { defineTable } from '../runtime/store/table.js'
import type { AuthorizationKeyHash } from './authorization-key.js'
import type { ChargePoint } from './charge-point.js'

export type SecurityProfile = 0 | 1 | 2 | 3
/** A profile that a charge point can be taken to. */
export type HigherProfile = Exclude<SecurityProfile, 0>

export const upgradeStepNames = [
  'authorization_key',
  'authority_certificate',
  'client_certificate',
  'security_profile',
  'reconnection',
] as const
export type UpgradeStepName = (typeof upgradeStepNames)[number]

export const upgradeStepStatuses = ['pending', 'running', 'passed', 'skipped', 'failed'] as const
export type UpgradeStepStatus = (typeof upgradeStepStatuses)[number]

export const upgradeStatuses = ['running', 'completed', 'failed'] as const
export type UpgradeStatus = (typeof upgradeStatuses)[number]

export const upgradeReasons = [
  'refused',
  'no_answer',
  'no_certificate',
  'certificates_revoked',
  'too_many_keys',
  'deadline',
] as const
export type UpgradeReason = (typeof upgradeReasons)[number]

/** What the service sends by itself. */
export const upgradeCalls = ['change-key', 'install', 'ask-to-sign', 'change-profile', 'read-profile', 'reset'] as const
export type UpgradeCall = (typeof upgradeCalls)[number]

export interface UpgradeStep {
  readonly name: UpgradeStepName
  /** What the step leads to: on its way from 0 to 3, a charge point comes by 2. */
  readonly security_profile: HigherProfile
  readonly status: UpgradeStepStatus
  readonly started_at?: string
  readonly ended_at?: string
  /** In words, for the operator. */
  readonly detail?: string
  /** How often what changes the charge point was sent. */
  readonly attempts: number
  /** Was sent then, wall ms, and has no known end. On disk before it is sent. */
  readonly sent?: { readonly call: UpgradeCall; readonly at: number }
  /** Of `client_certificate`: the charge point has said over this connection that it will request one. Wall ms. */
  readonly asked?: { readonly at: number; readonly epoch: number }
  /** An answer was lost: whether the charge point has taken what it was sent has to be looked at. */
  readonly is_unknown?: true
}

/** Keys of the registration with which the charge point may connect. */
export type KnownKeys = Pick<
  ChargePoint,
  'authorization_key' | 'previous_authorization_key' | 'earlier_authorization_keys' | 'without_password'
>

export interface SecurityUpgrade {
  readonly charge_point_id: string
  readonly organization_id: string
  readonly upgrade_id: string
  readonly status: UpgradeStatus
  /** Why it has failed. */
  readonly reason?: UpgradeReason
  readonly from: SecurityProfile
  readonly to: HigherProfile
  readonly begun_by: string
  readonly begun_at: string
  /** When it has failed, unless the charge point has come in the new way. */
  readonly until: string
  readonly ended_at?: string
  /** PEM of the authority of the service's own certificate, which the charge point is to trust. */
  readonly authority_pem?: string
  /** In the order in which they are taken. */
  readonly steps: readonly UpgradeStep[]
  /** The connection over which the charge point was told to change; it comes back with a later one. */
  readonly told_over?: number
  /** The password that was sent last, as a hash, and what was good before. */
  readonly pushed?: { readonly key: AuthorizationKeyHash; readonly before: KnownKeys }
}

export const securityUpgradesTable = defineTable<SecurityUpgrade>({
  name: 'security_upgrades',
  key: (row) => [row.charge_point_id],
  importance: 'operation',
  indexes: {},
})

/** The step that it is at. */
export function currentUpgradeStep({ status, steps }: SecurityUpgrade): UpgradeStep | undefined {
  return status === 'running' ? steps.find((step) => step.status === 'running' || step.status === 'pending') : undefined
}
