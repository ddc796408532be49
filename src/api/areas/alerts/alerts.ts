// How the API shows alerts.

import { Type } from 'typebox'
import { alertDetails, alertKindNames, alertSeverities } from '../../../alert-kinds/index.js'
import {
  type Alert,
  type AlertAcknowledgement,
  alertAcknowledgementsTable,
  alertStatuses,
} from '../../../records/alert.js'
import type { Showing } from '../../pipeline/record-routes.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { actorName } from '../../surfaces/actor-name.js'
import { siteFinder } from '../charge-points/site-of.js'

export const alertSchema = named('Alert', {
  alert_id: Type.String(),
  kind: Type.Enum([...alertKindNames]),
  status: Type.Enum([...alertStatuses], {
    description: 'A notice reports something that has happened; it has no end.',
  }),
  severity: Type.Enum([...alertSeverities]),
  message: Type.String(),
  charge_point_id: nullable(Type.String()),
  connector_id: nullable(Type.Integer()),
  webhook_endpoint_id: nullable(Type.String()),
  site_id: nullable(
    Type.String({ description: 'The site that the alert is about, or in which its charge point is now.' }),
  ),
  details: alertDetails,
  triggered_at: timestamp(),
  resolved_at: nullable(timestamp()),
  resolution: nullable(Type.String({ description: 'Why the alert has ended.' })),
  acknowledged_at: nullable(timestamp()),
  acknowledged_by: nullable(
    Type.String({ description: 'The id of the API key, or of the member who was signed in to the console.' }),
  ),
  acknowledged_by_name: nullable(
    Type.String({ description: 'The name of that key or member; the id where it has none any more.' }),
  ),
})

/** Null where it is of no site. */
export function siteOfAlert({ site_id, charge_point_id }: Alert, siteOf: ReturnType<typeof siteFinder>): string | null {
  return site_id ?? (charge_point_id === undefined ? null : siteOf(charge_point_id))
}

export function alertView(alert: Alert, { view }: Pick<Showing, 'view'>, given?: AlertAcknowledgement) {
  const acknowledgement = given ?? view.get(alertAcknowledgementsTable, [alert.alert_id])
  return {
    alert_id: alert.alert_id,
    kind: alert.kind,
    status: alert.status,
    severity: alert.severity,
    message: alert.message,
    charge_point_id: alert.charge_point_id ?? null,
    connector_id: alert.connector_id ?? null,
    webhook_endpoint_id: alert.webhook_endpoint_id ?? null,
    site_id: siteOfAlert(alert, siteFinder(view, alert.organization_id)),
    details: alert.details ?? {},
    triggered_at: alert.triggered_at,
    resolved_at: alert.resolved_at ?? null,
    resolution: alert.resolution ?? null,
    acknowledged_at: acknowledgement?.acknowledged_at ?? null,
    acknowledged_by: acknowledgement?.acknowledged_by ?? null,
    acknowledged_by_name:
      acknowledgement === undefined ? null : actorName(view, alert.organization_id, acknowledgement.acknowledged_by),
  }
}
