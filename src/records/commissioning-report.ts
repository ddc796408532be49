// What the report of a commissioning says: put together from what is stored whenever it is asked for, printed, and signed by
// hand. It is not stored itself.

import type { BootInformation } from './charge-point-state.js'
import type { CommissioningSession, CommissioningStep } from './commissioning.js'
import type { CommissioningIssue } from './commissioning-issue.js'
import type { ApplicationKey } from './configuration.js'
import type { Issuer, PaperLayout } from './issuer.js'

export type TestedCharge = {
  readonly transaction_id: number
  readonly connector_id: number
  readonly id_tag: string
  readonly started_at: string
  /** Absent while it runs. */
  readonly ended_at?: string
  readonly energy_wh?: number
  /** Wh. */
  readonly meter_start: number
  readonly meter_stop?: number
}

/** `none`: it has never shown one. `other`: its newest was not issued by the service. */
export type ReportedCertificate =
  | { readonly type: 'none' }
  | { readonly type: 'other' }
  | {
      readonly type: 'issued'
      readonly serial_number: string
      readonly valid_from: string
      readonly expires_at: string
      readonly status: string
    }

export interface CommissioningReport {
  /** Whose turn it takes among what is printed. */
  readonly owner: string
  readonly layout: PaperLayout
  readonly session: Pick<
    CommissioningSession,
    'session_id' | 'charge_point_id' | 'status' | 'template_id' | 'started_at' | 'configuration_template_id'
  > & {
    readonly ended_at: string
    readonly steps: readonly Omit<CommissioningStep, 'application_id'>[]
  }
  /** The company of the installer, who issues the report. */
  readonly installer: Issuer
  /** The person; absent where the account is deleted. */
  readonly installer_name?: string
  /** Absent for a charge point that no organization has claimed. */
  readonly operator?: Issuer
  readonly place: { readonly project_id: string; readonly address?: string }
  /** What the installer has registered, and what the charge point said of itself when the commissioning began. */
  readonly registered: { readonly vendor: string; readonly model: string; readonly serial_number: string }
  readonly tested?: BootInformation
  /** How the charge point was connected when the commissioning began. */
  readonly connected_by?: NonNullable<CommissioningSession['connected_by']>
  readonly certificate: ReportedCertificate
  /** Of the keys that were applied; absent where none were, or where another application has taken their place since. */
  readonly keys?: readonly ApplicationKey[]
  readonly charge?: TestedCharge
  /** What the installer has reported of the charge point and its place, the oldest first. */
  readonly issues: readonly Pick<
    CommissioningIssue,
    'reference_number' | 'severity' | 'status' | 'description' | 'created_at'
  >[]
}
