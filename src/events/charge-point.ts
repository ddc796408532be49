// Events of charge points and their connectors.

import { Type } from 'typebox'
import { publishedFields } from './charge-point-fields.js'
import { chargePointId, connectorId, defineEvent, orNull, time } from './define-event.js'

export const chargePointRegistered = defineEvent({
  name: 'charge_point.registered',
  description:
    'The organization has a new charge point: it was registered, claimed from its installer, or registered itself when it connected.',
  data: Type.Object({
    charge_point_id: chargePointId(),
    name: Type.String({ examples: ['Car park, bay 1'] }),
    registered_at: time(),
  }),
})

export const chargePointChanged = defineEvent({
  name: 'charge_point.changed',
  description:
    'What the organization says of a charge point has changed, or the charge point has booted with another vendor, model or firmware version than before.',
  data: Type.Object({
    charge_point_id: chargePointId(),
    changed: Type.Array(Type.Enum([...publishedFields]), {
      description: 'The fields that have changed, as in the answer of `GET /chargepoints/{charge_point_id}`.',
      examples: [['name', 'site_id']],
    }),
    changed_at: time(),
  }),
})

export const chargePointRemoved = defineEvent({
  name: 'charge_point.removed',
  description: 'A charge point has been deleted.',
  data: Type.Object({ charge_point_id: chargePointId(), removed_at: time() }),
})

export const chargePointConnected = defineEvent({
  name: 'charge_point.connected',
  description: 'A charge point has established its OCPP connection.',
  data: Type.Object({
    charge_point_id: chargePointId(),
    connected_at: time(),
    remote_address: Type.String({ examples: ['192.0.2.7'] }),
  }),
})

export const chargePointDisconnected = defineEvent({
  name: 'charge_point.disconnected',
  description:
    'A charge point has lost its OCPP connection or replaced it with a newer one. If the connection was lost because the service failed, the event follows late.',
  data: Type.Object({
    charge_point_id: chargePointId(),
    disconnected_at: time(),
    code: Type.Integer({
      description: 'The close code of the WebSocket; 1006 if it was not closed properly.',
      examples: [1006],
    }),
    reason: Type.String({ examples: [''] }),
  }),
})

const connectorStatus = {
  charge_point_id: chargePointId(),
  connector_id: connectorId(),
  status: Type.String({ description: 'The status of the connector (OCPP 1.6, 7.7).', examples: ['Faulted'] }),
  previous_status: orNull(Type.String({ examples: ['Charging'] })),
  error_code: Type.String({
    description: 'The error code (OCPP 1.6, 7.6); NoError if there is no error.',
    examples: ['GroundFailure'],
  }),
  vendor_error_code: Type.Optional(Type.String({ examples: ['E-117'] })),
  info: orNull(Type.String({ examples: ['RCD tripped'] })),
  timestamp: time('The time that the charge point reported, corrected if its clock is wrong.'),
}

export const chargePointStatusChanged = defineEvent({
  name: 'charge_point.status_changed',
  description: 'The status of a connector has changed.',
  data: Type.Object(connectorStatus),
})

export const chargePointFault = defineEvent({
  name: 'charge_point.fault',
  description: 'A charge point has reported an error code, which is published once until it changes.',
  data: Type.Object(connectorStatus),
})

const firmwareUpdate = Type.Object({
  charge_point_id: chargePointId(),
  status: Type.String({
    description:
      'The status that the charge point reported (OCPP 1.6, 7.25); Installed also if its version has shown so.',
    examples: ['Installed'],
  }),
  firmware_version: orNull(
    Type.String({
      description:
        'The version in its last BootNotification. After a completed update, null until the charge point has booted with another version than before.',
      examples: ['2.4.1'],
    }),
  ),
})

export const firmwareUpdateStarted = defineEvent({
  name: 'firmware.update_started',
  description: 'A charge point has begun to download new firmware, or to install it if it reports no download.',
  data: firmwareUpdate,
})

export const firmwareUpdateCompleted = defineEvent({
  name: 'firmware.update_completed',
  description: 'A charge point has installed new firmware: it has reported so, or has booted with another version.',
  data: firmwareUpdate,
})

export const handoverCompleted = defineEvent({
  name: 'handover.completed',
  description: 'The handover of a charge point to a new operator is complete.',
  data: Type.Object({ charge_point_id: chargePointId(), completed_at: time() }),
})
