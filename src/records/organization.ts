// An organization: a tenant. Written by the API under its version; read everywhere.

import type { AlertThresholds } from '../alert-kinds/index.js'
import { defineTable } from '../runtime/store/table.js'
import type { LegalDetails } from './issuer.js'

export const plans = ['free', 'pro', 'enterprise'] as const
export type Plan = (typeof plans)[number]

export const tagRules = ['accept', 'reject'] as const
export type TagRule = (typeof tagRules)[number]

export interface NotificationPreferences {
  readonly alert_emails: boolean
  readonly weekly_report: boolean
  /** A mail for each dispute that is opened; sent unless false. */
  readonly dispute_emails?: boolean
}

export interface Organization extends LegalDetails {
  readonly organization_id: string
  readonly version: number
  readonly name: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly contact_email: string
  readonly plan: Plan
  /** The quota of each of its keys, agreed with an organization of the enterprise plan. */
  readonly requests_per_hour?: number
  /** Whether a tag that nobody has registered may charge. */
  readonly unknown_id_tags: TagRule
  /** Whether a tag that charges already may charge elsewhere at the same time; accept when absent. */
  readonly concurrent_transactions?: TagRule
  /** IANA name; what hours, days and months mean to its tariffs, rules and invoices. UTC when absent. */
  readonly time_zone?: string
  /** ISO 4217. */
  readonly default_currency?: string
  /** Sold at by charge points that have no tariff of their own. */
  readonly default_tariff_id?: string | null
  /** Charging without a tariff is meant, and not alerted. */
  readonly free_charging?: boolean
  /** Where invoices go; the contact's address when absent. */
  readonly billing_email?: string
  readonly notification_preferences?: NotificationPreferences
  /** Those that it has set; the others are as declared. */
  readonly alert_thresholds?: Partial<AlertThresholds>
  /** Hours offline after which a running session is closed; null for never, absent for the default. */
  readonly session_silence_hours?: number | null
  readonly created_at: string
  readonly updated_at: string
}

export const defaultSessionSilenceHours = 24

/** Null: a session waits for its end for ever. */
export function silenceHoursOf(organization: Organization | undefined): number | null {
  const set = organization?.session_silence_hours
  return set === undefined ? defaultSessionSilenceHours : set
}

export const defaultTimeZone = 'UTC'
export const defaultCurrency = 'EUR'
export const defaultNotificationPreferences: NotificationPreferences = { alert_emails: true, weekly_report: false }

export const organizationsTable = defineTable<Organization>({
  name: 'organizations',
  key: (row) => [row.organization_id],
  indexes: { all: () => [{ group: [] }] },
})

/** ISO 3166-1 leaves ZZ to its users: an organization that has not said where it is. */
export const unknownCountry = 'ZZ'

/** The organization made by the first start; it also stands for the operator of the installation. */
export interface Installation {
  readonly id: 'installation'
  readonly default_organization_id: string
  readonly created_at: string
}

export const installationTable = defineTable<Installation>({
  name: 'installation',
  key: (row) => [row.id],
})
