// What the commissioning actor of a charge point is asked and told, and what it answers.

import type { Installed } from '../../records/charge-point.js'
import type { CommissioningSession, StepName } from '../../records/commissioning.js'
import { type WakeUp, type WakeUpMessage, wakeUpAfter } from '../../runtime/actor/wake-ups.js'
import type { ServiceClock } from '../../runtime/steady-time.js'
import type { ConnectionTestedMessage } from '../charge-point/messages.js'
import type { CommandEndedMessage } from '../messages/command.js'
import { commissioningAddress, type LookMessage, lookReason, type ReportedMessage } from '../messages/commissioning.js'

export * from '../messages/commissioning.js'

/** Whoever takes a registration away, or ends its installation, writes this with it, so that a commissioning that is paused hears of it too. */
export function lookWakeUp(chargePointId: string, clock: Pick<ServiceClock, 'steady'>): WakeUp {
  return wakeUpAfter(commissioningAddress(chargePointId), lookReason, 0, clock)
}

type Registration = Pick<Installed, 'installer_id' | 'registered_at'>

export const claimedReason = 'claimed/'

/** Written with a claim: what was learned of the charge point is its organization's from then on. */
export function claimWakeUp(chargePointId: string, version: number, clock: Pick<ServiceClock, 'steady'>): WakeUp {
  return wakeUpAfter(commissioningAddress(chargePointId), `${claimedReason}${version}`, 0, clock)
}

const removedReason = 'removed/'

/** Written with the end of a registration that no organization has claimed: what is of it goes too. */
export function removedWakeUp(
  chargePointId: string,
  { installer_id, registered_at }: Registration,
  clock: Pick<ServiceClock, 'steady'>,
): WakeUp {
  const reason = `${removedReason}${installer_id}/${registered_at}`
  return wakeUpAfter(commissioningAddress(chargePointId), reason, 0, clock)
}

export function isOfRemoval(reason: string): boolean {
  return reason.startsWith(removedReason)
}

export function registrationOf(reason: string): Registration {
  const [installer_id = '', registered_at = ''] = reason.slice(removedReason.length).split('/')
  return { installer_id, registered_at }
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
  | LookMessage
  | ReportedMessage
  | ConnectionTestedMessage
  | CommandEndedMessage
  | WakeUpMessage

export type CommissioningReply =
  | { readonly type: 'session'; readonly session: CommissioningSession }
  | { readonly type: 'already-running' }
  /** Declared by its installer, or ended by its organization. */
  | { readonly type: 'already-commissioned' }
  | { readonly type: 'not-connected' }
  /** None is running, or paused, as the message requires. */
  | { readonly type: 'not-in-state' }
  /** The charge point is no longer the installer's. */
  | { readonly type: 'unknown' }
