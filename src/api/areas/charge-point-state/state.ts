// All that is known of one charge point now: what it has said of itself and its connectors, how it is connected, what runs on it, what limits it
// and what somebody should look at. A few reads, however much the charge point has behind it.

import { Type } from 'typebox'
import { energyDeliveredWh } from '../../../actors/charge-point/energy-delivered.js'
import { priceSoFar } from '../../../actors/charge-point/session-cost.js'
import { connectorStatuses } from '../../../ocpp16/schemas/connector-status.js'
import { nominalVolts } from '../../../power/electricity.js'
import { alertsTable } from '../../../records/alert.js'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import { type ChargePointState, chargePointStatuses, outlets } from '../../../records/charge-point-state.js'
import { connectorCount } from '../../../records/connector-count.js'
import { chargePointStatus, isOnline } from '../../../records/presence.js'
import { type Session, sessionsTable } from '../../../records/session.js'
import { lastSeenAt } from '../../../records/sign-of-life.js'
import { type SiteCharger, siteChargersTable } from '../../../records/site-charger.js'
import type { ListQuery, ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { alertSchema, alertView } from '../alerts/alerts.js'
import { area, chargePoints } from '../charge-points/area.js'
import { endpointOf, stateOf } from '../charge-points/charge-points.js'
import { limits } from './limits.js'

const runningSession = Type.Object({
  session_id: Type.String(),
  transaction_id: Type.Integer(),
  started_at: timestamp(),
  energy_kwh: Type.Number({ description: 'As last metered.' }),
  cost: nullable(Type.Number({ description: 'So far, including tax; null without a tariff.' })),
  currency: nullable(Type.String()),
  auth_method: nullable(Type.String()),
})

const connectorSchema = Type.Object({
  connector_id: Type.Integer(),
  status: nullable(
    Type.Enum([...connectorStatuses], {
      description:
        'null for a connector that the charge point has said nothing of. While it is offline, the last that it has said.',
    }),
  ),
  status_since: nullable(timestamp()),
  error_code: nullable(Type.String()),
  vendor_error_code: nullable(Type.String()),
  info: nullable(Type.String()),
  power_watts: nullable(Type.Number({ description: 'As last metered; null while nothing is drawn that is known.' })),
  max_power_watts: nullable(Type.Number({ description: 'As its operator has said.' })),
  session: nullable(runningSession),
})

const limitSchema = Type.Object({
  connector_id: nullable(
    Type.Integer({ description: 'null for the standing limit, which each connector without a limit of its own has.' }),
  ),
  amperes: nullable(
    Type.Number({
      description: 'On each phase, as the charge point has confirmed it last; null if it has confirmed none.',
    }),
  ),
  watts: nullable(Type.Number({ description: 'The same on all phases that are used.' })),
  asked_amperes: nullable(Type.Number({ description: 'What it was sent and has not confirmed yet; null if nothing.' })),
  applied_at: nullable(timestamp()),
})

const chargePointStateSchema = named('ChargePointState', {
  charge_point_id: Type.String(),
  name: Type.String(),
  address: Type.String(),
  site_id: nullable(Type.String()),
  previous_charge_point_id: nullable(Type.String({ description: 'The one before it in the order of the ids.' })),
  next_charge_point_id: nullable(Type.String()),
  as_of: timestamp(),
  status: Type.Enum([...chargePointStatuses]),
  online: Type.Boolean(),
  ocpp_endpoint: Type.String({ description: 'The address to which the charge point connects.' }),
  last_seen_at: nullable(timestamp()),
  connected_at: nullable(timestamp('When its connection began, or the last one.')),
  disconnected_at: nullable(
    timestamp('When its last connection ended; null while it is connected, and if nobody knows.'),
  ),
  last_close: nullable(
    Type.Object(
      {
        code: Type.Integer({ description: 'The close code of the WebSocket; 1006 if it was not closed properly.' }),
        reason: Type.String(),
        at: timestamp(),
      },
      { description: 'How its last connection ended.' },
    ),
  ),
  remote_address: nullable(Type.String({ description: 'From where it is, or was, connected last.' })),
  security_profile: nullable(Type.Integer({ minimum: 0, maximum: 3 })),
  over_tls: nullable(Type.Boolean()),
  password_set: Type.Boolean(),
  certificate_expires_at: nullable(timestamp('The end of the client certificate with which it has come last.')),
  registration: nullable(
    Type.Enum(['Accepted', 'Pending', 'Rejected'], {
      description: 'What its BootNotification was answered; null if it has sent none.',
    }),
  ),
  boot: nullable(
    Type.Object(
      {
        vendor: Type.String(),
        model: Type.String(),
        serial_number: nullable(Type.String()),
        firmware_version: nullable(Type.String()),
        iccid: nullable(Type.String()),
        imsi: nullable(Type.String()),
        meter_type: nullable(Type.String()),
        meter_serial_number: nullable(Type.String()),
        booted_at: timestamp(),
      },
      { description: 'What it has said of itself when it started.' },
    ),
  ),
  firmware_status: nullable(Type.String({ description: 'Of its last FirmwareStatusNotification.' })),
  diagnostics_status: nullable(Type.String({ description: 'Of its last DiagnosticsStatusNotification.' })),
  clock_offset_seconds: nullable(
    Type.Number({
      description:
        'The time of arrival less the time that the charge point has reported; null if it is not suspicious.',
    }),
  ),
  configuration: nullable(
    Type.String({
      description: 'How the configuration stands that the service has applied; null if it has applied none.',
    }),
  ),
  connector_count: nullable(Type.Integer()),
  controller: nullable(
    Type.Object(
      {
        status: Type.Enum([...connectorStatuses]),
        status_since: timestamp(),
        error_code: Type.String(),
        vendor_error_code: nullable(Type.String()),
        info: nullable(Type.String()),
      },
      { description: 'What it has said of connector 0, the charge point itself.' },
    ),
  ),
  connectors: Type.Array(connectorSchema),
  power_watts: Type.Number({ description: 'What all connectors draw, as last metered.' }),
  limits: Type.Array(limitSchema, {
    description:
      'The limits that its site has given it. Empty where the site is not managed: see the history of its commands.',
  }),
  open_alerts: Type.Array(alertSchema, { description: `The newest of them, at most ${limits.alertsOfState}.` }),
})

const getChargePointState = area.get('/chargepoints/{charge_point_id}/state', {
  operationId: 'getChargePointState',
  summary: 'Get all that is known of a charge point now',
  description:
    'Its connection, its connectors with their sessions, what it has said when it started, its limits and its open alerts. Of a charge point that is ' +
    'offline, what it has said last.',
  of: chargePoints,
  answer: chargePointStateSchema,
  read: ({ row }, services) => chargePointStateView(row, services),
})

function chargePointStateView(chargePoint: ChargePoint, services: Services) {
  const view = services.view()
  const now = services.clock.now()
  const { live } = services.presence
  const { charge_point_id, organization_id } = chargePoint
  const state = stateOf(view, chargePoint)
  const online = isOnline(state, live)
  const { boot, registration } = state ?? {}
  const controller = state?.connectors.find(({ connector_id }) => connector_id === 0)
  return {
    charge_point_id,
    name: chargePoint.name,
    address: chargePoint.address,
    site_id: chargePoint.site_id ?? null,
    previous_charge_point_id: besideOf(view, chargePoint, { to: [charge_point_id], reverse: true }),
    next_charge_point_id: besideOf(view, chargePoint, { from: [`${charge_point_id}\0`] }),
    as_of: formatTimestamp(now),
    status: chargePointStatus(state, live),
    online,
    ocpp_endpoint: endpointOf(services.config, charge_point_id),
    last_seen_at: (state && lastSeenAt(view, state)) ?? null,
    connected_at: state?.connected_at ?? null,
    disconnected_at: online ? null : (state?.disconnected_at ?? null),
    last_close: state?.last_close ?? null,
    remote_address: state?.remote_address ?? null,
    security_profile: state?.security_profile ?? null,
    over_tls: state?.over_tls ?? null,
    password_set: chargePoint.authorization_key !== undefined,
    certificate_expires_at: state?.renewal === undefined ? null : formatTimestamp(state.renewal.expires_at),
    registration: registration === undefined || registration === 'none' ? null : registration,
    boot:
      boot === undefined
        ? null
        : {
            vendor: boot.vendor,
            model: boot.model,
            serial_number: boot.serial_number ?? null,
            firmware_version: boot.firmware_version ?? null,
            iccid: boot.iccid ?? null,
            imsi: boot.imsi ?? null,
            meter_type: boot.meter_type ?? null,
            meter_serial_number: boot.meter_serial_number ?? null,
            booted_at: boot.booted_at,
          },
    firmware_status: state?.firmware_status ?? null,
    diagnostics_status: state?.diagnostics_status ?? null,
    clock_offset_seconds: state?.clock_skew_seconds ?? null,
    configuration: state?.configuration?.state ?? null,
    connector_count: connectorCount(chargePoint, state) ?? null,
    controller: controller === undefined ? null : toldOf(controller),
    connectors: connectorsOf(chargePoint, state, view, now),
    power_watts: online ? (state?.power_watts ?? 0) : 0,
    limits: limitsOf(view, chargePoint),
    open_alerts: view
      .listBy(alertsTable, 'openOfChargePoint', [charge_point_id], { reverse: true, limit: limits.alertsOfState })
      .filter((alert) => alert.organization_id === organization_id)
      .map((alert) => alertView(alert, { view })),
  }
}

function besideOf(view: ReadView, { organization_id }: ChargePoint, query: ListQuery): string | null {
  const [beside] = view.listBy(chargePointsTable, 'byOrganization', [organization_id], { ...query, limit: 1 })
  return beside?.charge_point_id ?? null
}

type Told = ChargePointState['connectors'][number]

function toldOf({ status, timestamp, error_code, vendor_error_code, info }: Told) {
  return { status, status_since: timestamp, error_code, vendor_error_code: vendor_error_code ?? null, info }
}

const nothingTold = { status: null, status_since: null, error_code: null, vendor_error_code: null, info: null }

/** Those that it has, as far as is known, whether or not it has said anything of them. */
function connectorsOf(chargePoint: ChargePoint, state: ChargePointState | undefined, view: ReadView, now: number) {
  const told = state === undefined ? [] : outlets(state)
  const { charge_point_id, organization_id, max_power_kw } = chargePoint
  const running = view.listBy(sessionsTable, 'activeAtChargePoint', [organization_id, charge_point_id], {
    limit: limits.connectorsOfState,
  })
  const count = Math.min(connectorCount(chargePoint, state) ?? 0, limits.connectorsOfState)
  const ids = new Set([
    ...Array.from({ length: count }, (_, index) => index + 1),
    ...told.map(({ connector_id }) => connector_id),
  ])
  return [...ids]
    .sort((one, other) => one - other)
    .slice(0, limits.connectorsOfState)
    .map((connector_id) => {
      const said = told.find((one) => one.connector_id === connector_id)
      const session = running.findLast((one) => one.connector_id === connector_id)
      return {
        connector_id,
        ...(said === undefined ? nothingTold : toldOf(said)),
        power_watts: state?.power_by_connector?.[connector_id] ?? null,
        max_power_watts: max_power_kw === undefined ? null : max_power_kw * 1000,
        session: session === undefined ? null : sessionOf(view, session, now),
      }
    })
}

function sessionOf(view: ReadView, session: Session, now: number) {
  const energyWh = energyDeliveredWh(view, session)
  return {
    session_id: session.session_id,
    transaction_id: session.transaction_id,
    started_at: session.started_at,
    energy_kwh: energyWh / 1000,
    cost: priceSoFar(view, session, { asOf: now, energyWh })?.total ?? session.cost_so_far ?? null,
    currency: session.currency ?? null,
    auth_method: session.auth_method ?? null,
  }
}

type Held = SiteCharger['standing']

function limitsOf(view: ReadView, { site_id, charge_point_id, phases = 3 }: ChargePoint) {
  const row = site_id === undefined ? undefined : view.get(siteChargersTable, [site_id, charge_point_id])
  if (row === undefined) return []
  const shown = (
    connector_id: number | null,
    { amperes, sent }: Held,
    used: number,
    applied_at: string | undefined,
  ) => ({
    connector_id,
    amperes: amperes ?? null,
    watts: amperes === undefined ? null : Math.round(amperes * nominalVolts * used),
    asked_amperes: sent ?? null,
    applied_at: applied_at ?? null,
  })
  return [
    ...row.connectors.map((one) => shown(one.connector_id, one.limit, one.phases ?? phases, one.applied_at)),
    ...(row.standing.amperes === undefined && row.standing.sent === undefined
      ? []
      : [shown(null, row.standing, phases, undefined)]),
  ]
}

export const chargePointStateRoute = getChargePointState
