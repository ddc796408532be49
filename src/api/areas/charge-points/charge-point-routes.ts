// The registry of charge points: registered, read, updated, deleted.

import { Type } from 'typebox'
import { placeOf } from '../../../ocpi/location/read-place.js'
import { type ChargePoint, chargePointsTable, isInstalled } from '../../../records/charge-point.js'
import { chargePointStatuses } from '../../../records/charge-point-state.js'
import { chargePointStatus } from '../../../records/presence.js'
import { conflict } from '../../../runtime/errors.js'
import { kept } from '../../pipeline/kept.js'
import { recordRoutes, showingOf } from '../../pipeline/record-routes.js'
import { chargePointId, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { requireRecentSignIn, signInAgain } from '../../surfaces/recent-sign-in.js'
import { announcePlace } from './announce-place.js'
import { announceSite } from './announce-site.js'
import { area, chargePoints } from './area.js'
import { announceRegistration, changeChargePoint } from './change-charge-point.js'
import {
  chargePointSchema,
  chargePointView,
  endpointOf,
  chargePointFields as fields,
  signWithoutPassword,
  stateOf,
  wiringFaults,
  wiringFields,
} from './charge-points.js'
import { claim, findClaimable } from './claim.js'
import { chargePointExists, serialNumberTaken } from './errors.js'
import { handoverOf, handoverSchema } from './handover.js'
import { limits } from './limits.js'
import { idTaken, requireFreeId, requireFreeSerial, serialNumber } from './names.js'
import { publishRegistered } from './publish.js'
import { removeAlong } from './removal.js'

const routes = recordRoutes(area, chargePoints, {
  path: '/chargepoints',
  schema: chargePointSchema,
  show: chargePointView,
})

const wiring = {
  phases: Type.Optional(wiringFields.phases),
  phase_rotation: Type.Optional(wiringFields.phase_rotation),
}

function requireSoundWiring(wired: Parameters<typeof wiringFaults>[0]): void {
  const faults = wiringFaults(wired)
  if (faults.length > 0) throw invalid(faults)
}

const registerChargePoint = area.post('/chargepoints', {
  operationId: 'registerChargePoint',
  summary: 'Register a charge point',
  description:
    'Ids are case-sensitive, but two ids that differ only in case cannot both be registered. With the id of a charge point that an installer has ' +
    'registered, and that belongs to no organization yet, you take it over from the installer: it stays connected and keeps its certificates. With ' +
    '`serial_number`, you only take over a charge point that has it.',
  body: Type.Object({
    charge_point_id: chargePointId(),
    ...fields,
    ...wiring,
    serial_number: Type.Optional(serialNumber()),
  }),
  answer: Type.Object({
    charge_point_id: Type.String(),
    name: Type.String(),
    status: Type.Enum([...chargePointStatuses]),
    created_at: timestamp(),
    ocpp_endpoint: Type.String(),
    handover: nullable(handoverSchema),
  }),
  status: 201,
  errors: [chargePointExists, serialNumberTaken, conflict],
  examples: {
    registration: {
      charge_point_id: 'CP-1',
      name: 'Car park, bay 1',
      latitude: 52.37,
      longitude: 4.9,
      address: 'Example street 1, Amsterdam',
      connector_count: 2,
      max_power_kw: 22,
    },
  },
  change({ principal, body }, draft, services) {
    const { charge_point_id, serial_number } = body
    const { organization_id } = principal.organization
    const own = { index: 'byOrganization', group: [organization_id] }
    const tooMany = conflict(
      `an organization has at most ${limits.chargePoints} charge points: delete one that is no longer needed before you create another`,
    )
    draft.requireRoom(chargePointsTable, own, limits.chargePoints, tooMany)
    const said = {
      charge_point_id,
      organization_id,
      name: body.name,
      latitude: body.latitude,
      longitude: body.longitude,
      address: body.address,
      connector_count: body.connector_count,
      max_power_kw: body.max_power_kw,
      phases: body.phases ?? undefined,
      phase_rotation: body.phase_rotation ?? undefined,
      serial_number,
    }
    requireSoundWiring(said)
    const installed = findClaimable(draft, charge_point_id)
    if (installed !== undefined) return answerOf(claim(draft, installed, said, services), services)
    requireFreeId(draft, charge_point_id)
    requireFreeSerial(draft, serial_number, charge_point_id)
    const now = formatTimestamp(services.clock.now())
    const row = { ...said, created_at: now, updated_at: now }
    const stored = draft.put(chargePointsTable, row, idTaken(charge_point_id))
    announceRegistration(draft, charge_point_id)
    publishRegistered(draft, stored, services)
    // Who had the id before may have left what is to be shown of it.
    announcePlace(draft, organization_id, placeOf(stored), `registration-${stored.version}`, services)
    return answerOf(stored, services)
  },
})

function answerOf(stored: ChargePoint, services: Services) {
  const { charge_point_id, name, created_at } = stored
  const ocpp_endpoint = endpointOf(services.config, charge_point_id)
  if (!isInstalled(stored))
    return { charge_point_id, name, status: 'offline', created_at, ocpp_endpoint, handover: null }
  // One that was claimed may be connected.
  const view = services.view()
  const status = chargePointStatus(stateOf(view, stored), services.presence.live)
  return { charge_point_id, name, status, created_at, ocpp_endpoint, handover: handoverOf(stored, services) }
}

const updateChargePoint = area.patch('/chargepoints/{charge_point_id}', {
  operationId: 'updateChargePoint',
  summary: 'Update a charge point',
  description:
    'Fields that you leave out keep their values. `connector_count` applies from now on; it grows again when the charge point names a ' +
    'connector beyond it.',
  of: chargePoints,
  body: Type.Object({
    name: Type.Optional(fields.name),
    address: Type.Optional(fields.address),
    latitude: Type.Optional(fields.latitude),
    longitude: Type.Optional(fields.longitude),
    connector_count: Type.Optional(fields.connector_count),
    max_power_kw: Type.Optional(fields.max_power_kw),
    ...wiring,
    ping_interval_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600,
        description: 'The time between WebSocket pings. 0 sends none, for a charge point that cannot handle them.',
      }),
    ),
    registration: Type.Optional(
      Type.Enum(['Accepted', 'Pending', 'Rejected'], { description: 'The answer to BootNotification.' }),
    ),
    serial_number: Type.Optional(nullable(serialNumber())),
    certificate_required: Type.Optional(
      nullable(
        Type.Boolean({
          description:
            'Whether the charge point must present a client certificate when it connects. null means that it must, once it has presented one.',
        }),
      ),
    ),
    sign_without_password: Type.Optional(Type.Boolean({ description: signWithoutPassword })),
  }),
  answer: chargePointSchema,
  errors: [serialNumberTaken, signInAgain],
  examples: { rename: { name: 'Car park, bay 2' } },
  change({ row: before, body, principal }, draft, services) {
    if (needsLess(before, body)) requireRecentSignIn(principal)
    const serial_number = kept(before.serial_number, body.serial_number)
    if (serial_number?.toLowerCase() !== before.serial_number?.toLowerCase())
      requireFreeSerial(draft, serial_number, before.charge_point_id)
    const wired = {
      phases: kept(before.phases, body.phases),
      phase_rotation: kept(before.phase_rotation, body.phase_rotation),
    }
    requireSoundWiring(wired)
    const isRecounted = body.connector_count !== undefined
    const stored = changeChargePoint(
      draft,
      before,
      {
        name: body.name ?? before.name,
        address: body.address ?? before.address,
        latitude: body.latitude ?? before.latitude,
        longitude: body.longitude ?? before.longitude,
        connector_count: kept(before.connector_count, body.connector_count),
        ...(isRecounted && { connector_count_changes: (before.connector_count_changes ?? 0) + 1 }),
        max_power_kw: kept(before.max_power_kw, body.max_power_kw),
        ...wired,
        ping_interval_seconds: kept(before.ping_interval_seconds, body.ping_interval_seconds),
        registration: kept(before.registration, body.registration),
        serial_number,
        certificate_required: kept(before.certificate_required, body.certificate_required),
        sign_without_password: kept(before.sign_without_password, body.sign_without_password),
      },
      services,
    )
    if (stored.site_id !== undefined) announceSite(draft, stored.site_id)
    return chargePointView(stored, showingOf(services))
  },
})

/** Whether somebody who is not the charge point could connect as it more easily. */
function needsLess(
  before: ChargePoint,
  after: { readonly certificate_required?: boolean | null; readonly sign_without_password?: boolean },
): boolean {
  const { certificate_required: certificate, sign_without_password: without } = after
  const isLoosened = certificate === false || (certificate === null && before.certificate_required === true)
  return isLoosened || (without === true && before.sign_without_password !== true)
}

const getChargePoint = routes.get({ operationId: 'getChargePoint', summary: 'Get a charge point' })

const deleteChargePoint = routes.remove({
  operationId: 'deleteChargePoint',
  summary: 'Delete a charge point',
  description:
    'Its sessions and commands are kept; the assignment of its tariff is deleted. A charge point with a running session cannot be deleted.',
  along(row, draft, services) {
    const message = 'the charge point has a running session; close it first (POST /api/v1/sessions/{session_id}/close)'
    removeAlong(draft, row, conflict(message, { chargePointId: row.charge_point_id }), services)
    if (row.site_id !== undefined) announceSite(draft, row.site_id)
  },
})

export const registryRoutes = [registerChargePoint, updateChargePoint, getChargePoint, deleteChargePoint]
