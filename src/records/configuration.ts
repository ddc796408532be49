// The configuration of a charge point: what its owner wants, as routes store it; what it has reported, and how far the
// application of what is wanted has come, both written by its actor alone.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import { type ChargePoint, isOwnedBy } from './charge-point.js'
import type { ParameterValue } from './configuration-value.js'

/** What is wanted beside the template, which is found by vendor, model and firmware unless one is named. */
export interface ConfigurationOverrides {
  readonly charge_point_id: string
  readonly organization_id: string
  readonly version: number
  readonly template_id?: string
  /** null leaves a key of the template as the charge point has it. */
  readonly parameters: Readonly<Record<string, ParameterValue | null>>
  readonly updated_at: string
}

export const configurationOverridesTable = defineTable<ConfigurationOverrides>({
  name: 'configuration_overrides',
  key: (row) => [row.charge_point_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    /** Its total tells whether a template is in use. */
    byTemplate: (row) => (row.template_id === undefined ? [] : [{ group: [row.organization_id, row.template_id] }]),
  },
})

export interface ReportedKey {
  /** As the charge point spells it. */
  readonly key: string
  /** Absent where it has reported none, and for a secret. */
  readonly value?: string
  readonly read_only: boolean
  readonly read_at: string
}

export interface ReportedConfiguration {
  readonly charge_point_id: string
  readonly organization_id: string
  /** By folded key. */
  readonly keys: Readonly<Record<string, ReportedKey>>
  /** Keys that were asked for and that it does not know, as they were asked for, the newest last. */
  readonly unknown: readonly string[]
  /** When all of its keys were last asked for at once. */
  readonly complete_at?: string
  readonly read_at?: string
  /** Longer lists of keys than this it has refused. */
  readonly keys_per_read?: number
  /** Keys, folded, that made it reboot when they were read: the service does not ask for them by itself. */
  readonly avoided?: readonly string[]
  /** All of its keys at once are more than a frame may have: its connection was closed over them. */
  readonly whole_too_big?: true
}

export const reportedConfigurationsTable = defineTable<ReportedConfiguration>({
  name: 'reported_configurations',
  key: (row) => [row.charge_point_id],
  importance: 'operation',
  indexes: {},
})

/** A call that the service makes by itself. */
export type ConfigurationStep =
  | { readonly type: 'read'; readonly keys: readonly string[] }
  | { readonly type: 'change'; readonly key: string; readonly value: string }
  /** Reads one key back. */
  | { readonly type: 'verify'; readonly key: string }

/** Where the service is with the configuration of a charge point; part of the row of what that is like now. */
export interface ConfigurationStanding {
  /** `applied`: keys were applied, and drift is looked for. */
  readonly state: 'applying' | 'applied'
  /** The connection was lost over this step, wall ms: a charge point that boots soon afterwards has restarted over it. */
  readonly lost_over?: { readonly step: ConfigurationStep; readonly at: number }
}

/** What became of a key. */
export const keyOutcomes = [
  'applied',
  'unverified',
  'reboot_required',
  'other_value',
  'rejected',
  'read_only',
  'not_supported',
  'too_long',
  'reboots',
  'error',
  'unanswered',
  'not_attempted',
] as const
export type KeyOutcome = (typeof keyOutcomes)[number]

/** Those that count as applied: the charge point has taken the value, as far as can be known now. */
const taken: ReadonlySet<KeyOutcome> = new Set(['applied', 'unverified', 'reboot_required'])

/** What a charge point has answered to ChangeConfiguration; `unknown` where its answer was lost. */
export const keyAnswers = ['Accepted', 'RebootRequired', 'unknown'] as const
export type KeyAnswer = (typeof keyAnswers)[number]

export interface ApplicationKey {
  readonly key: string
  readonly value: string
  /** Absent until it is known. */
  readonly outcome?: KeyOutcome
  readonly answer?: KeyAnswer
  /** How often it was sent without an answer, and how often the charge point has rebooted over it. */
  readonly attempts?: number
  readonly reboots?: number
  /** What the charge point reports instead, or the error that it has answered. */
  readonly detail?: string
}

export const applicationStatuses = ['running', 'completed', 'failed', 'stopped'] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]

export const applicationReasons = [
  'offline',
  'no_answer',
  'keeps_rebooting',
  'stopped_by_request',
  'handed_over',
] as const
export type ApplicationReason = (typeof applicationReasons)[number]

/** The newest application of a configuration to a charge point. It is on disk before its next step, so that it outlives process and shard. */
export interface ConfigurationApplication {
  readonly charge_point_id: string
  readonly organization_id: string
  readonly application_id: string
  readonly status: ApplicationStatus
  /** Why it has failed, or was stopped. */
  readonly reason?: ApplicationReason
  readonly template_id?: string
  readonly begun_by: string
  readonly begun_at: string
  readonly progress_at: string
  readonly ended_at?: string
  /** Keys that are still to be read before the first is changed. */
  readonly to_read: readonly string[]
  readonly keys: readonly ApplicationKey[]
  readonly reboots: number
  /** Calls in a row that the charge point has not answered. */
  readonly unanswered: number
  /** Connections in a row that were lost over a read. */
  readonly lost_reads?: number
}

export const configurationApplicationsTable = defineTable<ConfigurationApplication>({
  name: 'configuration_applications',
  key: (row) => [row.charge_point_id],
  importance: 'operation',
  indexes: {},
})

/** The newest to the charge point as it is registered now. */
export function applicationTo(
  chargePoint: ChargePoint | undefined,
  view: ReadView,
): ConfigurationApplication | undefined {
  if (chargePoint === undefined) return undefined
  const stored = view.get(configurationApplicationsTable, [chargePoint.charge_point_id])
  return stored !== undefined && isOwnedBy(chargePoint, stored.organization_id) ? stored : undefined
}

export function isTaken({ outcome }: ApplicationKey): boolean {
  return outcome !== undefined && taken.has(outcome)
}

export function isRefused(key: ApplicationKey): boolean {
  return key.outcome !== undefined && !isTaken(key)
}

/** Refused keys that the charge point does not have, or that nobody can set: they are no fault of it. */
const harmless: ReadonlySet<KeyOutcome> = new Set(['not_supported', 'read_only'])

export function isHarmless({ outcome }: ApplicationKey): boolean {
  return outcome !== undefined && harmless.has(outcome)
}

/** Whether the charge point has what was applied, but for keys that it does not have. */
export function isDelivered({ status, keys }: ConfigurationApplication): boolean {
  return status === 'completed' && keys.every((key) => !isRefused(key) || isHarmless(key))
}
