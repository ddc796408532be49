// Alerts: something that a person should look at. One that lasts is triggered once and resolved once.

import { Type } from 'typebox'
import { alertDetails, alertKindNames, alertSeverities } from '../alerts/kinds/index.js'
import { chargePointId, connectorId, defineEvent, time } from './define-event.js'

const about = {
  alert_id: Type.String({ description: 'the same in both events of an alert' }),
  kind: Type.Enum([...alertKindNames]),
  severity: Type.Enum([...alertSeverities]),
  lasts: Type.Boolean({ description: 'false for a notice: no alert.resolved will follow' }),
  message: Type.String({
    description: 'in words',
    examples: ['the charge point reports a security event: TamperDetectionActivated'],
  }),
  charge_point_id: Type.Optional(chargePointId()),
  connector_id: Type.Optional(connectorId()),
  webhook_endpoint_id: Type.Optional(Type.String()),
  details: Type.Optional(alertDetails),
  triggered_at: time(),
}

export const alertTriggered = defineEvent({
  name: 'alert.triggered',
  description: 'A monitoring alert has fired.',
  data: Type.Object(about),
})

export const alertResolved = defineEvent({
  name: 'alert.resolved',
  description: 'The cause of an alert is gone.',
  data: Type.Object({ ...about, resolved_at: time() }),
})
