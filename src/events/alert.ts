// Alerts: something that a person should look at. One that lasts is triggered once and resolved once.

import { Type } from 'typebox'
import { alertDetails, alertKindNames, alertSeverities } from '../alert-kinds/index.js'
import { chargePointId, connectorId, defineEvent, time } from './define-event.js'

const about = {
  alert_id: Type.String({ description: 'The same in both events of an alert.' }),
  kind: Type.Enum([...alertKindNames]),
  severity: Type.Enum([...alertSeverities]),
  lasts: Type.Boolean({ description: 'false for a notice, which no alert.resolved follows.' }),
  message: Type.String({
    description: 'What has happened, in words.',
    examples: ['the charge point reports a security event: TamperDetectionActivated'],
  }),
  charge_point_id: Type.Optional(chargePointId()),
  connector_id: Type.Optional(connectorId()),
  webhook_endpoint_id: Type.Optional(Type.String()),
  site_id: Type.Optional(
    Type.String({
      description: 'The site, where the alert is about a site as a whole.',
      examples: ['site_01M7YW4E6G4R2T1X0Z8V7S5D6C'],
    }),
  ),
  details: Type.Optional(alertDetails),
  triggered_at: time(),
}

export const alertEvents = {
  triggered: defineEvent({
    name: 'alert.triggered',
    description: 'An alert has been raised.',
    data: Type.Object(about),
  }),
  resolved: defineEvent({
    name: 'alert.resolved',
    description: 'The cause of an alert is gone, and the alert has been resolved.',
    data: Type.Object({ ...about, resolved_at: time() }),
  }),
} as const
