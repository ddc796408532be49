// The commissioning of a charge point: one row for each time that it was begun, with how far it is and what every step has shown. Written by
// the commissioning actor of the charge point alone.

import { timeOfId } from '../runtime/ids.js'
import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import type { Installed } from './charge-point.js'
import type { BootInformation } from './charge-point-state.js'
import type { ApplicationKey } from './configuration.js'
import type { SecurityProfile } from './security-upgrade.js'

/** In the order in which they are taken, whatever the order in a template. */
export const stepNames = ['connectivity', 'heartbeat', 'configuration', 'connector_test', 'test_transaction'] as const
export type StepName = (typeof stepNames)[number]

export const stepStatuses = ['pending', 'running', 'passed', 'failed', 'skipped'] as const
export type StepStatus = (typeof stepStatuses)[number]

export const commissioningStatuses = ['running', 'paused', 'completed', 'stopped', 'failed'] as const
export type CommissioningStatus = (typeof commissioningStatuses)[number]

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * answered: the charge point has answered. error: it has answered with an OCPP error. timeout: it has not answered. unsent: it was sent nothing.
 * unknown: the service was interrupted, or the connection lost, before an answer came. not_asked: it was sent nothing, because the
 * model is known to answer so.
 */
export const exchangeOutcomes = ['answered', 'error', 'timeout', 'unsent', 'unknown', 'not_asked'] as const
export type ExchangeOutcome = (typeof exchangeOutcomes)[number]

/** What became of a key of a configuration; secrets are redacted. */
export interface ConfiguredKey extends Pick<ApplicationKey, 'key' | 'outcome' | 'answer'> {
  readonly wanted: string
  /** What the charge point has reported instead, where that is known. */
  readonly reported?: string
}

/** Something that was sent, and what came back. */
export interface Exchange {
  /** An OCPP action, `Ping`, or `Configuration`: all calls of the application of a configuration. */
  readonly sent: string
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly sent_at: string
  readonly ended_at: string
  readonly outcome: ExchangeOutcome
  /** The status that was answered, the code of an error, or what came of a ping. */
  readonly answer?: string
  readonly response_time_ms?: number
  /** When the message came that the charge point was asked for: before its answer, or after it. */
  readonly reported_at?: string
  /** Of `Configuration`: bounded; those that are not as wanted come first. */
  readonly keys?: readonly ConfiguredKey[]
}

export interface CommissioningStep {
  readonly name: StepName
  readonly status: StepStatus
  readonly started_at?: string
  readonly duration_ms?: number
  /** In words: what has passed, or why it has failed. */
  readonly detail?: string
  readonly evidence: readonly Exchange[]
  /** Of `configuration`: the application that was asked for. */
  readonly application_id?: string
}

/** What was sent, and has not come back. It is on disk before it is sent. */
export interface AwaitedExchange {
  readonly id: string
  readonly step: StepName
  readonly sent: string
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Wall ms. */
  readonly sent_at: number
  readonly reported_at?: string
}

/** A transaction with a tag of its own, so that it is known again whatever happens in between. */
export interface TestTransaction {
  readonly id_tag: string
  readonly connector_id: number
}

/** A test transaction that is to be stopped, or not to begin: it is stopped in every case, also where the step is over. */
export interface OwedStop {
  readonly id_tag: string
  /** It may still begin until then, wall ms. */
  readonly until: number
  readonly tries: number
  readonly sent_at?: number
  /** The charge point is not connected: nothing can be done before it is. */
  readonly is_absent?: true
  /** How often it has come back. */
  readonly returns?: number
}

export interface CommissioningLogEntry {
  readonly timestamp: string
  readonly level: LogLevel
  readonly step: StepName | null
  readonly message: string
}

export interface CommissioningSession {
  readonly session_id: string
  readonly charge_point_id: string
  /** The first of the charge point has 1: what follows what, whatever the clock said. */
  readonly sequence: number
  readonly installer_id: string
  /** Of the registration that is commissioned: one that is made anew under the id is another. */
  readonly registered_at: string
  /** What had booted when it began; absent in those from before that was noted. */
  readonly hardware?: BootInformation
  /** How it was connected when it began; absent in those from before that was noted. */
  readonly connected_by?: { readonly security_profile: SecurityProfile; readonly over_tls: boolean }
  readonly status: CommissioningStatus
  /** Absent until it has ended. */
  readonly result?: 'passed' | 'failed'
  readonly template_id: string
  readonly started_at: string
  /** When it was completed, stopped, or failed. */
  readonly ended_at?: string
  readonly paused_at?: string
  readonly resumed_at?: string
  /** What the step `configuration` applies. */
  readonly configuration: readonly { readonly key: string; readonly value: string }[]
  readonly configuration_template_id?: string
  readonly steps: readonly CommissioningStep[]
  readonly awaiting?: AwaitedExchange
  readonly test?: TestTransaction
  readonly owed_stop?: OwedStop
  /** When test transactions of the charge point were begun lately, also by sessions before, wall ms; the oldest first. */
  readonly tests_begun?: readonly number[]
  /** Since when the charge point is not connected, wall ms. */
  readonly offline_since?: number
  /** When it went on after an interruption of the service last, wall ms. */
  readonly interrupted_at?: number
  /** When the charge point was connected again last in the step at hand, wall ms, and how often so far. */
  readonly returned?: { readonly at: number; readonly times: number }
  /** Bounded; the oldest first. */
  readonly log: readonly CommissioningLogEntry[]
}

/** Also of what was reported meanwhile. */
export const keptCommissioningMs = 2 * 365 * 24 * 3_600_000

export const commissioningSessionsTable = defineTable<CommissioningSession>({
  name: 'commissioning_sessions',
  key: (row) => [row.session_id],
  importance: 'operation',
  indexes: {
    byChargePoint: (row) => [{ group: [row.charge_point_id], order: [row.sequence] }],
  },
  retention: { timeOf: (row) => timeOfId(row.session_id), milliseconds: keptCommissioningMs },
})

/** The newest of the charge point, whichever registration it was of. */
export function newestSession(view: ReadView, chargePointId: string): CommissioningSession | undefined {
  return view.listBy(commissioningSessionsTable, 'byChargePoint', [chargePointId], { reverse: true, limit: 1 })[0]
}

/** Whether it is of the charge point as it is registered now. */
export function isOfRegistration(
  { installer_id, registered_at }: Pick<CommissioningSession, 'installer_id' | 'registered_at'>,
  installed: Pick<Installed, 'installer_id' | 'registered_at'> | undefined,
): boolean {
  return installed?.installer_id === installer_id && installed.registered_at === registered_at
}
