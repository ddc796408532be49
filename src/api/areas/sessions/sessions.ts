// Charging sessions as callers see them, and the schemas of what they see.

import { Type } from 'typebox'
import { energyDeliveredWh } from '../../../actors/charge-point/energy-delivered.js'
import { priceSoFar } from '../../../actors/charge-point/session-cost.js'
import { minorUnitsOf } from '../../../pricing/money.js'
import { timeInStates } from '../../../pricing/status-spans.js'
import { type Session, sessionStatuses } from '../../../records/session.js'
import { sessionCostsTable } from '../../../records/session-cost.js'
import { sessionFlagNames, sessionFlags } from '../../../records/session-flags.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { sessionDisputeSchema, sessionDisputeView } from '../disputes/disputes.js'
import { guestPaymentSchema, guestPaymentView } from './guest-payment.js'
import { sessionRoamingSchema, sessionRoamingView } from './session-roaming.js'

export const sessionSchema = named('Session', {
  session_id: Type.String(),
  transaction_id: Type.Integer(),
  charge_point_id: Type.String(),
  connector_id: Type.Integer(),
  id_tag: Type.String(),
  status: Type.Enum([...sessionStatuses]),
  started_at: timestamp(),
  ended_at: nullable(timestamp()),
  received_at: timestamp(
    'The time at which the service received the start: later than the start if the charge point was offline.',
  ),
  meter_start: nullable(
    Type.Integer({
      description: 'In Wh. null if the charge point reported no meter reading at the start and has sent none since.',
    }),
  ),
  meter_stop: nullable(Type.Integer({ description: 'In Wh.' })),
  energy_kwh: Type.Number({ description: 'For a running session, the energy as last metered.' }),
  stop_reason: nullable(Type.String()),
  cost: nullable(
    Type.Number({
      description:
        'Including tax. For a running session, the cost so far (in a list, as of its last update). null without a tariff.',
    }),
  ),
  subtotal: nullable(
    Type.Number({
      description:
        'The sum of the lines, before adjustments and tax. null while the session runs, and without a tariff.',
    }),
  ),
  adjustments: nullable(
    Type.Number({
      description:
        'What billing rules and an accepted dispute have added or subtracted, before tax: subtotal + adjustments + tax = cost.',
    }),
  ),
  tax: nullable(
    Type.Number({ description: 'Included in the cost. null while the session runs, and without a tariff.' }),
  ),
  currency: nullable(Type.String({ description: 'ISO 4217. null without a tariff.' })),
  site_id: nullable(Type.String()),
  tariff_id: nullable(Type.String({ description: 'The tariff that was assigned at the start.' })),
  auth_method: nullable(Type.String({ description: 'How the driver was authorized: `rfid`, `remote` or `guest`.' })),
  roaming: sessionRoamingSchema,
  payment: nullable(guestPaymentSchema),
  parent_id_tag: nullable(Type.String()),
  stop_id_tag: nullable(Type.String()),
  started_at_reported: nullable(
    Type.String({ description: 'The start as the charge point reported it. null if the service did not correct it.' }),
  ),
  ended_at_reported: nullable(
    Type.String({ description: 'The end as the charge point reported it. null if the service did not correct it.' }),
  ),
  statuses: Type.Object(
    {
      charging_seconds: Type.Integer(),
      suspended_ev_seconds: Type.Integer({
        description: 'Time during which the vehicle paused before it had charged at all.',
      }),
      suspended_evse_seconds: Type.Integer({ description: 'Time during which the charge point withheld power.' }),
      idle_seconds: Type.Integer({
        description:
          'Time during which the vehicle had charged and drew no more (SuspendedEV, Finishing): the sum of all such intervals.',
      }),
      last: nullable(Type.String({ description: 'The last status that the connector reported.' })),
    },
    { description: 'What the connector did during the session, according to its StatusNotifications.' },
  ),
  dispute: sessionDisputeSchema,
  other_stops: Type.Array(
    Type.Object({
      received_at: timestamp(),
      timestamp: Type.String({ description: 'The timestamp as the charge point sent it.' }),
      meter_stop: nullable(Type.Integer({ description: 'In Wh.' })),
      reason: Type.String(),
      id_tag: nullable(Type.String()),
    }),
    {
      description:
        'StopTransactions that arrived later and differ from the first one, which counts. Up to ten are kept.',
    },
  ),
  flags: Type.Array(Type.Enum([...sessionFlagNames]), {
    description: [
      'What is unusual about the session. Its energy is billed as the charge point reports it, even if the session is flagged.',
      ...sessionFlagNames.map((flag) => `- \`${flag}\`: ${sessionFlags[flag]}`),
    ].join('\n'),
  }),
})

function energyWh(view: ReadView, session: Session): number {
  if (session.energy_wh !== undefined) return session.energy_wh
  if (session.meter_stop !== undefined) return Math.max(0, session.meter_stop - session.meter_start)
  return energyDeliveredWh(view, session)
}

/** Seconds in each state until the end, or until now. */
function statusSummary(session: Session, now: number) {
  const startedAt = Date.parse(session.started_at)
  const endedAt = session.ended_at === undefined ? now : Date.parse(session.ended_at)
  const milliseconds = timeInStates(session.statuses ?? [], startedAt, endedAt, session.earlier_statuses)
  return {
    charging_seconds: Math.round(milliseconds.charging / 1_000),
    suspended_ev_seconds: Math.round(milliseconds['suspended-ev'] / 1_000),
    suspended_evse_seconds: Math.round(milliseconds['suspended-evse'] / 1_000),
    idle_seconds: Math.round(milliseconds.idle / 1_000),
    last: session.statuses?.at(-1)?.status ?? null,
  }
}

type Parts = Readonly<Record<'subtotal' | 'adjustments' | 'tax', number | null>>

const noParts: Parts = { subtotal: null, adjustments: null, tax: null }

/** Sessions priced by earlier versions have them in the explanation of their cost alone. */
function partsOf(view: ReadView, session: Session): Parts {
  if (session.cost === undefined) return noParts
  const parts = session.tax === undefined ? view.get(sessionCostsTable, [session.session_id])?.priced : session
  const { subtotal, tax } = parts ?? {}
  if (subtotal === undefined || tax === undefined) return noParts
  const units = 10 ** minorUnitsOf(session.currency ?? '')
  return { subtotal, adjustments: Math.round((session.cost - subtotal - tax) * units) / units, tax }
}

/** A session that has ended, and one of a list: nothing has to be priced for it. */
export function sessionView(view: ReadView, session: Session, now: number) {
  return {
    session_id: session.session_id,
    transaction_id: session.transaction_id,
    charge_point_id: session.charge_point_id,
    connector_id: session.connector_id,
    id_tag: session.id_tag,
    status: session.status,
    started_at: session.started_at,
    ended_at: session.ended_at ?? null,
    received_at: session.received_at,
    meter_start: session.meter_start_unknown === true ? null : session.meter_start,
    meter_stop: session.meter_stop ?? null,
    energy_kwh: energyWh(view, session) / 1_000,
    stop_reason: session.stop_reason ?? null,
    cost: session.cost ?? session.cost_so_far ?? null,
    ...partsOf(view, session),
    currency: session.currency ?? null,
    site_id: session.site_id ?? null,
    tariff_id: session.tariff_id ?? null,
    auth_method: session.auth_method ?? null,
    roaming: sessionRoamingView(view, session),
    payment: guestPaymentView(view, session),
    parent_id_tag: session.parent_id_tag ?? null,
    stop_id_tag: session.stop_id_tag ?? null,
    started_at_reported: session.started_at_reported ?? null,
    ended_at_reported: session.ended_at_reported ?? null,
    statuses: statusSummary(session, now),
    dispute: sessionDisputeView(view, session.session_id),
    other_stops: session.other_stops ?? [],
    flags: session.flags,
  }
}

/** A running session is priced as of now. */
export function liveSessionView(view: ReadView, session: Session, now: number) {
  const shown = sessionView(view, session, now)
  if (session.status !== 'active') return shown
  const priced = priceSoFar(view, session, { asOf: now, energyWh: energyDeliveredWh(view, session) })
  return priced === undefined ? shown : { ...shown, cost: priced.total }
}
