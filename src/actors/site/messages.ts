// What a site's actor is told: by charge points, by the API, and by itself.

import type { SiteConfiguration } from '../../records/site-configuration.js'
import type { WakeUpMessage } from '../../runtime/actor/wake-ups.js'
import type { CallOutcome } from '../messages/command.js'
import type { ChargerReport, ProfileChangedMessage, SiteChangedMessage } from '../messages/site.js'
import type { AllocationView } from './view.js'

export { type ProfileReply, profileWakeUp, siteAddress, siteKind } from '../messages/site.js'

/** Asks how the power is shared; answered with a SiteReply. */
export interface DescribeMessage {
  readonly type: 'describe'
  readonly organizationId: string
}

/** Computes anew, and sends every limit again; answered with a SiteReply. */
export interface RebalanceMessage {
  readonly type: 'rebalance'
  readonly organizationId: string
}

/** Asks how the power would be shared by another configuration, or at another time; answered with a SiteReply. */
export interface SimulateMessage {
  readonly type: 'simulate'
  readonly organizationId: string
  /** The site's own where it is absent. */
  readonly configuration?: SiteConfiguration
  /** Wall ms; now where it is absent. */
  readonly at?: number
}

export type SiteReply =
  | { readonly type: 'allocation'; readonly allocation: AllocationView }
  /** It is not managed: it has no configuration. */
  | { readonly type: 'unmanaged' }
  | { readonly type: 'unknown' }

export type SiteMessage =
  | SiteChangedMessage
  | ChargerReport
  | ProfileChangedMessage
  | DescribeMessage
  | RebalanceMessage
  | SimulateMessage
  | WakeUpMessage
  | { readonly type: 'look' }
  | { readonly type: 'call-ended'; readonly commandId: string; readonly outcome: CallOutcome }
  | { readonly type: 'late-answer'; readonly commandId: string; readonly payload: unknown }
