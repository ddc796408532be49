// What the charge-point actor is told about configurations: by the API, and by itself.

import type { ConfigurationApplication } from '../../records/configuration.js'
import type { CallOutcome } from '../messages/command.js'

/** Begins an application; the ask is answered with an ApplyConfigurationReply. Sent again, it begins none. */
export interface ApplyConfigurationMessage {
  readonly type: 'apply-configuration'
  readonly applicationId: string
  /** Whose charge point it was when that was asked for. */
  readonly organizationId: string
  readonly keys: readonly { readonly key: string; readonly value: string }[]
  readonly templateId?: string
  readonly begunBy: string
}

/** The ask is answered with a StopConfigurationReply. */
export interface StopConfigurationMessage {
  readonly type: 'stop-configuration'
  readonly organizationId: string
  /** This one alone; without it, whichever is under way. */
  readonly applicationId?: string
}

export type ConfigurationMessage =
  | ApplyConfigurationMessage
  | StopConfigurationMessage
  /** The charge point has had the time to come to itself, or to have room for another call. */
  | { readonly type: 'configuration-due' }

export type ApplyConfigurationReply =
  | { readonly type: 'begun'; readonly application: ConfigurationApplication }
  | { readonly type: 'running' }
  /** It is another organization's now, or nobody's. */
  | { readonly type: 'unknown' }

export type StopConfigurationReply =
  | { readonly type: 'stopped'; readonly application: ConfigurationApplication }
  | { readonly type: 'not-running' }
  | { readonly type: 'unknown' }

/** How a call of the actor's own has ended, where it wants to hear of it. */
export type OwnCallMessage =
  | { readonly type: 'call-ended'; readonly commandId: string; readonly outcome: CallOutcome }
  | { readonly type: 'late-answer'; readonly commandId: string; readonly payload: unknown }
