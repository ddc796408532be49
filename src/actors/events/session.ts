// Events of charging sessions. A session without a tariff has no cost: cost and currency are null.

import { Type } from 'typebox'
import { chargePointId, connectorId, currency, defineEvent, orNull, time } from './define-event.js'

const session = {
  session_id: Type.String(),
  charge_point_id: chargePointId(),
  connector_id: connectorId(),
  transaction_id: Type.Integer(),
  id_tag: Type.String(),
  started_at: time(),
}

const cost = { cost: orNull(Type.Number({ description: 'with tax' })), currency: orNull(currency()) }

const energy = { energy_kwh: Type.Number() }

export const sessionStarted = defineEvent({
  name: 'session.started',
  description: 'A charging session has started.',
  data: Type.Object({
    ...session,
    id: Type.String({ description: 'the session_id' }),
    driver_id: Type.String({ description: 'the id tag' }),
    authorization_method: orNull(Type.String({ description: 'rfid, remote or guest' })),
    tariff_id: orNull(Type.String()),
    site_id: orNull(Type.String()),
  }),
})

export const sessionCostUpdated = defineEvent({
  name: 'session.cost_updated',
  description: 'The cost of a running session has been recalculated; at most once a minute.',
  data: Type.Object({
    ...session,
    ...energy,
    cost: Type.Number({ description: 'so far, with tax' }),
    currency: currency(),
    duration_seconds: Type.Integer(),
    as_of: time(),
  }),
})

export const sessionEnded = defineEvent({
  name: 'session.ended',
  description:
    'A charging session has ended; once more when an estimated end is replaced by what the charge point reports later.',
  data: Type.Object({
    ...session,
    ...energy,
    ...cost,
    ended_at: orNull(time()),
    stop_reason: orNull(Type.String({ description: 'OCPP 1.6, 7.36' })),
    status: Type.String({ description: 'completed, or estimated until the charge point tells of its end' }),
  }),
})

export const sessionReconciled = defineEvent({
  name: 'session.reconciled',
  description: 'A StopTransaction that had been kept apart has been attached to its session.',
  data: Type.Object({
    ...session,
    ...energy,
    ...cost,
    unmatched_id: Type.String(),
    attached_by: Type.String(),
    status: Type.String(),
  }),
})

export const sessionAuthorized = defineEvent({
  name: 'session.authorized',
  description: 'A driver has been authorized by card or app.',
  data: Type.Object({
    charge_point_id: chargePointId(),
    id_tag: Type.String(),
    authorization_method: Type.String({ description: 'rfid, remote or guest' }),
  }),
})
