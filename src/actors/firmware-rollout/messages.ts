// What the actor of a firmware rollout is asked and told, and what it answers.

import type { FirmwareRollout } from '../../records/firmware-rollout.js'
import { type WakeUp, type WakeUpMessage, wakeUpAfter } from '../../runtime/actor/wake-ups.js'
import type { ServiceClock } from '../../runtime/steady-time.js'
import type { CommandEndedMessage } from '../messages/command.js'
import { firmwareRolloutAddress } from '../messages/firmware-rollout.js'

export * from '../messages/firmware-rollout.js'

export const lookReason = 'look'

/** Written with what is not complete yet, so that it is removed if it never is. */
export function abandonWakeUp(rolloutId: string, afterMs: number, clock: Pick<ServiceClock, 'steady'>): WakeUp {
  return wakeUpAfter(firmwareRolloutAddress(rolloutId), lookReason, afterMs, clock)
}

/** Each is answered with a RolloutReply. */
export type ChangeRolloutMessage =
  /** `stage`: the one that is to begin, also while the one before has not ended. */
  | { readonly type: 'execute-stage'; readonly stage?: number }
  | { readonly type: 'resume' | 'stop' }
  | { readonly type: 'pause'; readonly reason?: string }

export type FirmwareRolloutMessage =
  | ChangeRolloutMessage
  /** Its charge points could not all be entered. */
  | { readonly type: 'abandon' }
  /** It is time to look how far its charge points are. */
  | { readonly type: 'look' }
  | CommandEndedMessage
  /** Its own, and news of charge points. */
  | WakeUpMessage

export type RolloutReply =
  | { readonly type: 'rollout'; readonly rollout: FirmwareRollout }
  /** Of `execute-stage`: the stage that has begun, or goes on. */
  | { readonly type: 'stage'; readonly rollout: FirmwareRollout; readonly stage: number }
  | { readonly type: 'no-stage-left' }
  /** The newest stage has not ended: how many of its charge points have neither the firmware nor failed. */
  | { readonly type: 'stage-in-progress'; readonly stage: number; readonly open: number; readonly of: number }
  | { readonly type: 'not-next'; readonly next: number }
  /** The stage before has not ended, or is still watched, wall ms. */
  | { readonly type: 'soaking'; readonly until: number | undefined }
  /** It is not in a status in which this can be done. */
  | { readonly type: 'not-in-status'; readonly rollout: FirmwareRollout }
  | { readonly type: 'unknown' }
