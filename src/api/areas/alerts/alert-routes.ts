// Alerts: listed, read, and acknowledged.

import { Type } from 'typebox'
import { alertKindNames } from '../../../alert-kinds/index.js'
import { alertAcknowledgementsTable, alertStatuses, alertsTable, currentAlerts } from '../../../records/alert.js'
import { conflict } from '../../../runtime/errors.js'
import { putRow } from '../../pipeline/changes.js'
import { readPageByFields } from '../../pipeline/paging.js'
import { readRoutes } from '../../pipeline/record-routes.js'
import { chargePointId } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { principalId } from '../../surfaces/principal.js'
import { siteFinder } from '../charge-points/site-of.js'
import { alertSchema, alertView, siteOfAlert } from './alerts.js'
import { alerts, area } from './area.js'

const routes = readRoutes(area, alerts, { schema: alertSchema, show: (row, showing) => alertView(row, showing) })

const indexes = { seen: 'byCurrent', status: 'byStatus', kind: 'byKind', charge_point_id: 'byChargePoint' } as const

const listAlerts = area.list('', {
  operationId: 'listAlerts',
  summary: 'List alerts, the newest first',
  description:
    'Without `status`, returns the alerts that need attention: open alerts, and notices that nobody has acknowledged. Alerts are also ' +
    'published as the events alert.triggered and alert.resolved. PUT /api/v1/organizations/{org_id}/settings sets their thresholds.',
  filters: {
    status: Type.Optional(
      Type.Enum([...alertStatuses, 'all'], {
        description:
          'Returns only alerts with this status, or with `all` every alert. The default is those that need attention.',
      }),
    ),
    kind: Type.Optional(Type.Enum([...alertKindNames], { description: 'Returns only alerts of this kind.' })),
    charge_point_id: Type.Optional(chargePointId()),
    site_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Returns only alerts about this site, and about charge points that are in it now.',
      }),
    ),
  },
  name: 'alerts',
  row: alertSchema,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const view = services.view()
    const { status, kind, charge_point_id, site_id } = query
    const organizationId = principal.organization.organization_id
    const siteOf = siteFinder(view, organizationId)
    const { rows, total } = await readPageByFields({
      view,
      begin: services.longReads.of(organizationId),
      table: alertsTable,
      organizationId,
      indexes,
      wanted: {
        seen: status === undefined ? currentAlerts : undefined,
        status: status === 'all' ? undefined : status,
        kind,
        charge_point_id,
      },
      keep: site_id === undefined ? undefined : (row) => siteOfAlert(row, siteOf) === site_id,
      query,
    })
    return { rows: rows.map((row) => alertView(row, { view })), total }
  },
})

const getAlert = routes.get({ operationId: 'getAlert', summary: 'Get an alert' })

const acknowledgeAlert = area.post('/{alert_id}/acknowledge', {
  operationId: 'acknowledgeAlert',
  summary: 'Acknowledge an alert',
  description:
    'The alert stays open until its cause is gone; a notice leaves the list of alerts that need attention. If an alert is acknowledged ' +
    'again, the first acknowledgement counts.',
  params: alerts.params.properties,
  answer: alertSchema,
  errors: [conflict],
  change({ principal, params }, draft, services) {
    const { view } = draft
    const alert = alerts.own(view, principal, params.alert_id)
    const key = [alert.alert_id]
    if (view.get(alertAcknowledgementsTable, key) !== undefined) return alertView(alert, draft)
    const acknowledgement = draft.putPlain(alertAcknowledgementsTable, {
      alert_id: alert.alert_id,
      acknowledged_at: formatTimestamp(services.clock.now()),
      acknowledged_by: principalId(principal),
    })
    // Nobody else writes a notice, but its time may be over.
    if (alert.status === 'notice')
      draft.add({
        changes: [putRow(alertsTable, { ...alert, seen: true })],
        conditions: [{ condition: { table: alertsTable.name, key, is: 'present' } }],
      })
    return alertView(alert, draft, acknowledgement)
  },
})

export const alertRoutes = [listAlerts, getAlert, acknowledgeAlert]
