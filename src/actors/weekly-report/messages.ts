// What the actor that reports the weeks of an organization is told.

import type { Address } from '../../runtime/actor/actor.js'

export const weeklyReportKind = 'weekly-report'

export function weeklyReportAddress(organizationId: string): Address {
  return { kind: weeklyReportKind, id: organizationId }
}

export type WeeklyReportMessage =
  /** A week is over: said again and again, and nothing comes of it once it has been reported. */
  | { readonly type: 'report-week' }
  /** From itself: the next part of the week that is being summed. */
  | { readonly type: 'step' }
