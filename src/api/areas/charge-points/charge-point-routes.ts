// The registry of charge points: registered, read, updated, deleted.

import { Type } from 'typebox'
import { removalWakeUp } from '../../../actors/charge-point/messages.js'
import { chargePointsTable, reservedIds } from '../../../records/charge-point.js'
import { chargePointStatuses } from '../../../records/charge-point-state.js'
import { sessionsTable } from '../../../records/session.js'
import { tariffAssignmentsTable } from '../../../records/tariff.js'
import { wakeUpsTable } from '../../../runtime/actor/wake-ups.js'
import { type AmpshardError, conflict } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { putRow } from '../../pipeline/changes.js'
import type { Draft } from '../../pipeline/draft.js'
import { kept } from '../../pipeline/kept.js'
import { recordRoutes, showingOf } from '../../pipeline/record-routes.js'
import { chargePointId, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area, chargePoints } from './area.js'
import { announceRegistration, changeChargePoint } from './change-charge-point.js'
import {
  chargePointSchema,
  chargePointView,
  endpointOf,
  chargePointFields as fields,
  signWithoutPassword,
} from './charge-points.js'
import { chargePointExists, serialNumberTaken } from './errors.js'
import { limits } from './limits.js'

const routes = recordRoutes(area, chargePoints, {
  path: '/chargepoints',
  schema: chargePointSchema,
  show: chargePointView,
})

/** The common name of a certificate (RFC 5280: at most 64 characters). */
const serialNumber = () =>
  Type.String({
    ...patternOf('^[!-~]([ -~]{0,62}[!-~])?$', '1 to 64 printable characters, without blanks at the ends'),
    description:
      "The charge point's own serial number, which may be the common name of its client certificate. No other charge point may have it as " +
      'its id or serial number.',
  })

/** Ids and serial numbers are one set of names, compared without regard to case. */
function requireFreeName(draft: Draft, name: string, taken: AmpshardError): void {
  draft.requireNone(chargePointsTable, { index: 'byName', group: [name.toLowerCase()] }, taken)
}

/** One that is its charge point's own id takes no other name. */
function requireFreeSerial(draft: Draft, serial: string | undefined, chargePointId: string): void {
  if (serial === undefined || serial.toLowerCase() === chargePointId.toLowerCase()) return
  const message = 'is the id or the serial number of another charge point'
  const details = [{ path: '/serial_number', message }]
  requireFreeName(draft, serial, serialNumberTaken(`the serial number ${serial} ${message}`, { details }))
}

const registerChargePoint = area.post('/chargepoints', {
  operationId: 'registerChargePoint',
  summary: 'Register a charge point',
  description: 'Ids are case-sensitive, but two ids that differ only in case cannot both be registered.',
  body: Type.Object({ charge_point_id: chargePointId(), ...fields, serial_number: Type.Optional(serialNumber()) }),
  answer: Type.Object({
    charge_point_id: Type.String(),
    name: Type.String(),
    status: Type.Enum([...chargePointStatuses]),
    created_at: timestamp(),
    ocpp_endpoint: Type.String(),
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
    if (reservedIds.has(charge_point_id)) throw invalid([{ path: '/charge_point_id', message: 'is a reserved word' }])
    const { organization_id } = principal.organization
    const own = { index: 'byOrganization', group: [organization_id] }
    const tooMany = conflict(
      `an organization has at most ${limits.chargePoints} charge points: delete one that is no longer needed before you create another`,
    )
    draft.requireRoom(chargePointsTable, own, limits.chargePoints, tooMany)
    const message =
      'this id, or one that differs only in case, is already the id or the serial number of a charge point; choose another one'
    const exists = chargePointExists(message, { chargePointId: charge_point_id })
    requireFreeName(draft, charge_point_id, exists)
    requireFreeSerial(draft, serial_number, charge_point_id)
    const now = formatTimestamp(services.clock.now())
    const { name, created_at } = draft.put(
      chargePointsTable,
      {
        charge_point_id,
        organization_id,
        name: body.name,
        latitude: body.latitude,
        longitude: body.longitude,
        address: body.address,
        connector_count: body.connector_count,
        max_power_kw: body.max_power_kw,
        serial_number,
        created_at: now,
        updated_at: now,
      },
      exists,
    )
    announceRegistration(draft, charge_point_id)
    const ocpp_endpoint = endpointOf(services.config, charge_point_id)
    return { charge_point_id, name, status: 'offline', created_at, ocpp_endpoint }
  },
})

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
  errors: [serialNumberTaken],
  examples: { rename: { name: 'Car park, bay 2' } },
  change({ row: before, body }, draft, services) {
    const serial_number = kept(before.serial_number, body.serial_number)
    if (serial_number?.toLowerCase() !== before.serial_number?.toLowerCase())
      requireFreeSerial(draft, serial_number, before.charge_point_id)
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
        ping_interval_seconds: kept(before.ping_interval_seconds, body.ping_interval_seconds),
        registration: kept(before.registration, body.registration),
        serial_number,
        certificate_required: kept(before.certificate_required, body.certificate_required),
        sign_without_password: kept(before.sign_without_password, body.sign_without_password),
      },
      services,
    )
    return chargePointView(stored, showingOf(services))
  },
})

const getChargePoint = routes.get({ operationId: 'getChargePoint', summary: 'Get a charge point' })

const deleteChargePoint = routes.remove({
  operationId: 'deleteChargePoint',
  summary: 'Delete a charge point',
  description:
    'Its sessions and commands are kept; the assignment of its tariff is deleted. A charge point with a running session cannot be deleted.',
  along({ charge_point_id, organization_id, version }, draft, services) {
    const running = { index: 'activeAtChargePoint', group: [organization_id, charge_point_id] }
    const message = 'the charge point has a running session; close it first (POST /api/v1/sessions/{session_id}/close)'
    const isRunning = conflict(message, { chargePointId: charge_point_id })
    // A session that starts at this moment keeps its charge point.
    draft.requireNone(sessionsTable, running, isRunning)
    // Whoever registers this id next does not inherit its tariff. What the charge point has reported is its actor's to remove.
    draft.clear(tariffAssignmentsTable, [charge_point_id])
    draft.add({ changes: [putRow(wakeUpsTable, removalWakeUp(charge_point_id, version, services.clock.now()))] })
    announceRegistration(draft, charge_point_id)
  },
})

export const registryRoutes = [registerChargePoint, updateChargePoint, getChargePoint, deleteChargePoint]
