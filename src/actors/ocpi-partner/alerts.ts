// The alerts about a partner: that nothing reaches it, and that CDRs were given up. Looked at every few seconds; which of them are open is stored with
// the partner's place, in the same commit.

import { thresholdOf } from '../../alert-kinds/index.js'
import { roamingCdrsGivenUp } from '../../alert-kinds/roaming-cdrs-given-up.js'
import { roamingPartnerUnreachable } from '../../alert-kinds/roaming-partner-unreachable.js'
import { type Finding, finding, notWanted, raise, resolve } from '../../alerts/alert.js'
import type { OcpiPartner } from '../../records/ocpi-partner.js'
import { ocpiCdrPushesTable } from '../../records/ocpi-push.js'
import { organizationsTable } from '../../records/organization.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { saveFailing } from './progress.js'
import type { OcpiPartnerState } from './state.js'

type AlertField = 'unreachable_alert_id' | 'given_up_alert_id'

interface Cause {
  readonly field: AlertField
  /** Undefined where it does not hold. */
  find(): Finding | undefined
  /** Why it is over, where that is another than its kind says. */
  readonly resolution?: string | undefined
}

const minuteMs = 60_000
const none: readonly Effect[] = []

export function lookAtAlerts(state: OcpiPartnerState, partner: OcpiPartner, context: Context): readonly Effect[] {
  const threshold = failingThreshold(partner, context)
  return [
    ...stand(state, context, {
      field: 'unreachable_alert_id',
      find: () => unreachable(state, partner, threshold, context),
      resolution: threshold === undefined ? notWanted : undefined,
    }),
    ...stand(state, context, { field: 'given_up_alert_id', find: () => givenUp(partner, context) }),
  ]
}

/** The partner is gone, or the connection has ended. They are open no more in the state; the caller stores that, or removes it. */
export function endAlerts(state: OcpiPartnerState, context: Context): readonly Effect[] {
  const { unreachable_alert_id, given_up_alert_id, ...progress } = state.progress ?? {}
  const open = [unreachable_alert_id, given_up_alert_id].filter((id) => id !== undefined)
  if (open.length === 0) return none
  state.progress = progress as OcpiPartnerState['progress']
  return open.flatMap((id) => resolve(id, context, 'the connection with the roaming partner has ended'))
}

function stand(state: OcpiPartnerState, context: Context, { field, find, resolution }: Cause): readonly Effect[] {
  const open = state.progress?.[field]
  const found = find()
  if ((open === undefined) === (found === undefined)) return none
  if (open !== undefined)
    return [...resolve(open, context, resolution), saveFailing(state, { [field]: undefined }, context)]
  const { alert, effects } = raise(found as Finding, context)
  return [...effects, saveFailing(state, { [field]: alert.alert_id }, context)]
}

/** Minutes; undefined where nobody wants to hear of it. */
function failingThreshold({ organization_id }: OcpiPartner, context: Context): number | undefined {
  const set = context.read().get(organizationsTable, [organization_id])?.alert_thresholds
  return thresholdOf(set, roamingPartnerUnreachable.name) ?? undefined
}

function about({ organization_id, partner_id }: OcpiPartner) {
  return { organizationId: organization_id, subject: partner_id }
}

function unreachable(
  { progress }: OcpiPartnerState,
  partner: OcpiPartner,
  threshold: number | undefined,
  context: Context,
): Finding | undefined {
  const { failing_since: since, last_error: error = 'it does not answer' } = progress ?? {}
  if (since === undefined || threshold === undefined) return undefined
  const isDue = context.now() - since >= threshold * minuteMs
  // A clock that is set back ends no alert.
  if (!isDue && progress?.unreachable_alert_id === undefined) return undefined
  const { partner_id: partnerId, name } = partner
  const facts = { partnerId, name, since: new Date(since).toISOString(), error }
  return finding(roamingPartnerUnreachable, about(partner), facts)
}

function givenUp(partner: OcpiPartner, context: Context): Finding | undefined {
  const { partner_id: partnerId, name } = partner
  const view = context.read()
  const cdrs = view.total(ocpiCdrPushesTable, 'givenUp', [partnerId])
  if (cdrs === 0) return undefined
  const [first] = view.listBy(ocpiCdrPushesTable, 'givenUp', [partnerId], { limit: 1 })
  return finding(roamingCdrsGivenUp, about(partner), { partnerId, name, cdrs, error: first?.error })
}
