// Events of charging sessions. A session without a tariff has no cost: cost and currency are null.

import { Type } from 'typebox'
import { chargePointId, connectorId, currency, defineEvent, orNull, time } from './define-event.js'

const session = {
  session_id: Type.String({ examples: ['ses_01M7YW4E6GQ3M8V7S5D6C4R2T1'] }),
  charge_point_id: chargePointId(),
  connector_id: connectorId(),
  transaction_id: Type.Integer({ examples: [4711] }),
  id_tag: Type.String({ examples: ['04A1B2C3D4E5F6'] }),
  started_at: time(),
}

const cost = {
  cost: orNull(Type.Number({ description: 'The cost including tax.', examples: [7.43] })),
  currency: orNull(currency()),
}

const authorizationMethod = () =>
  Type.String({ description: 'How the driver was authorized: rfid, remote or guest.', examples: ['rfid'] })

const energy = { energy_kwh: Type.Number({ examples: [15.284] }) }

export const sessionStarted = defineEvent({
  name: 'session.started',
  description: 'A charging session has started.',
  data: Type.Object({
    ...session,
    id: Type.String({ description: 'The same as `session_id`.', examples: ['ses_01M7YW4E6GQ3M8V7S5D6C4R2T1'] }),
    driver_id: Type.String({ description: 'The id tag of the driver.', examples: ['04A1B2C3D4E5F6'] }),
    authorization_method: orNull(authorizationMethod()),
    tariff_id: orNull(Type.String({ examples: ['trf_01M7YW4E6G5D6C4R2T1X0Z8V7S'] })),
    site_id: orNull(Type.String({ examples: ['site_01M7YW4E6G4R2T1X0Z8V7S5D6C'] })),
  }),
})

export const sessionCostUpdated = defineEvent({
  name: 'session.cost_updated',
  description: 'The cost of a running session has changed. Published at most once a minute.',
  data: Type.Object({
    ...session,
    ...energy,
    cost: Type.Number({ description: 'The cost so far, including tax.', examples: [3.21] }),
    currency: currency(),
    duration_seconds: Type.Integer({ examples: [1800] }),
    as_of: time(),
  }),
})

export const sessionEnded = defineEvent({
  name: 'session.ended',
  description:
    'A charging session has ended. Published once more when what the charge point reports later replaces an estimate.',
  data: Type.Object({
    ...session,
    ...energy,
    ...cost,
    subtotal: orNull(
      Type.Number({ description: 'The sum of the lines before adjustments and tax.', examples: [6.24] }),
    ),
    tax: orNull(Type.Number({ description: 'The tax that the cost includes.', examples: [1.19] })),
    meter_start: Type.Integer({ description: 'The meter reading at the start, in Wh.', examples: [1_204_000] }),
    meter_stop: orNull(Type.Integer({ description: 'The meter reading at the end, in Wh.', examples: [1_219_284] })),
    tariff_id: orNull(Type.String({ examples: ['trf_01M7YW4E6G5D6C4R2T1X0Z8V7S'] })),
    site_id: orNull(Type.String({ examples: ['site_01M7YW4E6G4R2T1X0Z8V7S5D6C'] })),
    ended_at: orNull(time()),
    stop_reason: orNull(Type.String({ description: 'Why the session ended (OCPP 1.6, 7.36).', examples: ['Local'] })),
    flags: Type.Array(Type.String(), {
      description:
        'What is unusual about the session, such as `energy_implausible`; the same flags as in GET /api/v1/sessions/{session_id}.',
      examples: [[]],
    }),
    status: Type.String({
      description: 'completed, or estimated until the charge point reports the end.',
      examples: ['completed'],
    }),
  }),
})

export const sessionReconciled = defineEvent({
  name: 'session.reconciled',
  description: 'An unmatched StopTransaction has been attached to its session.',
  data: Type.Object({
    ...session,
    ...energy,
    ...cost,
    unmatched_id: Type.String({ examples: ['unm_01M7YW4E6G7S5D6C4R2T1X0Z8V'] }),
    attached_by: Type.String({ examples: ['api_key:key_01M7YW4E6G6C4R2T1X0Z8V7S5D'] }),
    status: Type.String({ examples: ['completed'] }),
  }),
})

export const sessionAuthorized = defineEvent({
  name: 'session.authorized',
  description:
    'A driver has been authorized with a card or an app: the charge point has asked for it, or has begun what was started remotely. A charge point that decides by its own list does not ask.',
  data: Type.Object({
    charge_point_id: chargePointId(),
    id_tag: Type.String({ examples: ['04A1B2C3D4E5F6'] }),
    authorization_method: authorizationMethod(),
  }),
})
