// Events of charge points and their connectors.

import { Type } from 'typebox'
import { chargePointId, connectorId, defineEvent, orNull, time } from './define-event.js'

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
    'A charge point has lost its OCPP connection, or replaced it by a newer one; told late of one that was lost together with the service.',
  data: Type.Object({
    charge_point_id: chargePointId(),
    disconnected_at: time(),
    code: Type.Integer({ description: 'close code of the WebSocket; 1006 when there was no close', examples: [1006] }),
    reason: Type.String({ examples: [''] }),
  }),
})

const connectorStatus = {
  charge_point_id: chargePointId(),
  connector_id: connectorId(),
  status: Type.String({ description: 'OCPP 1.6, 7.7', examples: ['Faulted'] }),
  previous_status: orNull(Type.String({ examples: ['Charging'] })),
  error_code: Type.String({ description: 'OCPP 1.6, 7.6; NoError when there is none', examples: ['GroundFailure'] }),
  vendor_error_code: Type.Optional(Type.String({ examples: ['E-117'] })),
  info: orNull(Type.String({ examples: ['RCD tripped'] })),
  timestamp: time("the charge point's own, corrected where its clock is off"),
}

export const chargePointStatusChanged = defineEvent({
  name: 'charge_point.status_changed',
  description: 'The status of a connector has changed.',
  data: Type.Object(connectorStatus),
})

export const chargePointFault = defineEvent({
  name: 'charge_point.fault',
  description: 'A charge point has reported an error code that it had not reported before; once until it changes.',
  data: Type.Object(connectorStatus),
})

const firmwareUpdate = Type.Object({
  charge_point_id: chargePointId(),
  status: Type.String({ description: 'as the charge point reported it (OCPP 1.6, 7.25)', examples: ['Installed'] }),
  firmware_version: orNull(
    Type.String({
      description:
        'as of its last BootNotification; of a completed update, null until the charge point has booted with another version than before',
      examples: ['2.4.1'],
    }),
  ),
})

export const firmwareUpdateStarted = defineEvent({
  name: 'firmware.update_started',
  description: 'A charge point has begun to download new firmware, or to install it where it tells of no download.',
  data: firmwareUpdate,
})

export const firmwareUpdateCompleted = defineEvent({
  name: 'firmware.update_completed',
  description: 'A charge point has installed new firmware.',
  data: firmwareUpdate,
})

export const handoverCompleted = defineEvent({
  name: 'handover.completed',
  description: 'The handover of a charge point to a new operator is complete.',
  data: Type.Object({ charge_point_id: chargePointId(), completed_at: time() }),
})
