// What the commissioning actor of a charge point is asked and told, and what it answers.

import type { CommissioningSession, StepName } from '../../records/commissioning.js'
import type { Address } from '../../runtime/actor/actor.js'
import type { WakeUp, WakeUpMessage } from '../../runtime/actor/wake-ups.js'
import type { ConnectionTestedMessage } from '../charge-point/messages.js'
import type { CommandEndedMessage } from '../messages/command.js'

export const commissioningKind = 'commissioning'

export function commissioningAddress(chargePointId: string): Address {
  return { kind: commissioningKind, id: chargePointId }
}

export const lookReason = 'look'

/** Whoever takes a registration away writes this with it, so that a commissioning that is paused hears of it too. */
export function lookWakeUp(chargePointId: string, now: number): WakeUp {
  return { kind: commissioningKind, id: chargePointId, reason: lookReason, at: now }
}

/** Answered with a CommissioningReply. Sent again, it begins none. */
export interface StartCommissioningMessage {
  readonly type: 'start'
  readonly sessionId: string
  readonly installerId: string
  readonly templateId: string
  readonly steps: readonly StepName[]
  readonly configuration: readonly { readonly key: string; readonly value: string }[]
  readonly configurationTemplateId?: string
  /** Ends the one that runs. */
  readonly restarts: boolean
}

export interface ChangeCommissioningMessage {
  readonly type: 'stop' | 'pause' | 'resume'
  readonly installerId: string
}

export type CommissioningMessage =
  | StartCommissioningMessage
  | ChangeCommissioningMessage
  /** It is time to look how far the charge point is. */
  | { readonly type: 'look' }
  | ConnectionTestedMessage
  | CommandEndedMessage
  | WakeUpMessage

export type CommissioningReply =
  | { readonly type: 'session'; readonly session: CommissioningSession }
  | { readonly type: 'already-running' }
  | { readonly type: 'already-commissioned' }
  | { readonly type: 'not-connected' }
  /** None is running, or paused, as the message requires. */
  | { readonly type: 'not-in-state' }
  /** The charge point is no longer the installer's. */
  | { readonly type: 'unknown' }
