// The registry of charge points: register, change, read, list, remove.

import { type Static, type TObject, Type } from 'typebox'
import { removalWakeUp } from '../../../actors/charge-point/messages.js'
import { type ChargePoint, chargePointsTable, nameIsFree, reservedIds } from '../../../records/charge-point.js'
import { chargePointStatesTable, chargePointStatuses } from '../../../records/charge-point-state.js'
import { chargePointStatus, listsByStatus } from '../../../records/presence.js'
import { defaultTariff, ownAssignment } from '../../../records/selling-tariff.js'
import { sessionsTable } from '../../../records/session.js'
import { tariffAssignmentsTable } from '../../../records/tariff.js'
import { wakeUpsTable } from '../../../runtime/actor/wake-ups.js'
import { type AmpshardError, conflict, notFound, validationError } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { none, putRow, removeRow } from '../../pipeline/changes.js'
import { defineList } from '../../pipeline/list-route.js'
import {
  type List,
  type Page,
  type PageQuery,
  readFilteredPage,
  readPage,
  readPageOfAll,
} from '../../pipeline/paging.js'
import { type Answer, defineRoute } from '../../pipeline/route.js'
import { chargePointId, chargePointParams, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import { changeChargePoint, registrationChanged } from './change-charge-point.js'
import {
  chargePointSchema,
  chargePointView,
  chargePointFields as fields,
  ownChargePoint,
  stateOf,
} from './charge-points.js'
import { chargePointExists, serialNumberTaken } from './errors.js'

/** The common name of a certificate (RFC 5280: at most 64 characters). */
const serialNumber = () =>
  Type.String({
    ...patternOf('^[!-~]([ -~]{0,62}[!-~])?$', '1 to 64 printable characters, without blanks at the ends'),
    description:
      "The charge point's own serial number, which may be the common name of its client certificate. No other charge point may have it as its id or serial number.",
  })

function exists(chargePointId: string): AmpshardError {
  return chargePointExists('a charge point with this id is registered already', {
    chargePointId,
  })
}

function isTaken(serial: string): AmpshardError {
  const message = 'is the id or the serial number of another charge point'
  return serialNumberTaken(`the serial number ${serial} ${message}`, {
    details: [{ path: '/serial_number', message }],
  })
}

/** One that is its charge point's own id takes no other name. */
function serialIsFree(serial: string | undefined, chargePointId: string): NonNullable<Answer['conditions']> {
  if (serial === undefined || serial.toLowerCase() === chargePointId.toLowerCase()) return []
  return [{ condition: nameIsFree(serial), otherwise: isTaken(serial) }]
}

const registerChargePoint = defineRoute({
  method: 'POST',
  path: '/api/v1/chargepoints',
  operationId: 'registerChargePoint',
  summary: 'Register a charge point',
  description: 'Ids are compared exactly, but two that differ in case only cannot both be registered.',
  tags: ['Charge points'],
  surface: operator,
  scopes: ['write:charge_points'],
  body: Type.Object({ charge_point_id: chargePointId(), ...fields, serial_number: Type.Optional(serialNumber()) }),
  responses: {
    201: Type.Object({
      charge_point_id: Type.String(),
      name: Type.String(),
      status: Type.Enum([...chargePointStatuses]),
      created_at: timestamp(),
      ocpp_endpoint: Type.String(),
    }),
  },
  errors: [chargePointExists, serialNumberTaken],
  sheddable: 'never',
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
  handle({ principal, body }, services) {
    const id = body.charge_point_id
    if (reservedIds.has(id)) {
      const details = [{ path: '/charge_point_id', message: 'is reserved' }]
      throw validationError(`the id ${id} is reserved`, { details })
    }
    if (services.view().total(chargePointsTable, 'byFoldedId', [id.toLowerCase()]) > 0) throw exists(id)
    const now = formatTimestamp(services.clock.now())
    const chargePoint: ChargePoint = {
      charge_point_id: id,
      organization_id: principal.organization.organization_id,
      version: 1,
      name: body.name,
      latitude: body.latitude,
      longitude: body.longitude,
      address: body.address,
      connector_count: body.connector_count,
      max_power_kw: body.max_power_kw,
      ...(body.serial_number !== undefined && { serial_number: body.serial_number }),
      created_at: now,
      updated_at: now,
    }
    return {
      status: 201,
      body: {
        charge_point_id: id,
        name: chargePoint.name,
        status: 'offline',
        created_at: now,
        ocpp_endpoint: `${services.config.ocppUrl}/ocpp16/${id}`,
      },
      changes: [putRow(chargePointsTable, chargePoint)],
      conditions: [
        // Ids that differ in case alone are one.
        { condition: none(chargePointsTable, 'byFoldedId', [id.toLowerCase()]), otherwise: exists(id) },
        { condition: nameIsFree(id), otherwise: exists(id) },
        ...serialIsFree(body.serial_number, id),
      ],
      tell: [registrationChanged(id)],
    }
  },
})

interface Identity {
  readonly serial_number?: string | null | undefined
  readonly certificate_required?: boolean | null | undefined
}

/** A field that is given replaces the one before; null removes it. */
function withIdentity(chargePoint: ChargePoint, given: Identity): ChargePoint {
  const { serial_number: serialBefore, certificate_required: requiredBefore, ...rest } = chargePoint
  const serial = given.serial_number === undefined ? serialBefore : given.serial_number
  const required = given.certificate_required === undefined ? requiredBefore : given.certificate_required
  return {
    ...rest,
    ...(serial !== undefined && serial !== null && { serial_number: serial }),
    ...(required !== undefined && required !== null && { certificate_required: required }),
  }
}

const updateChargePoint = defineRoute({
  method: 'PATCH',
  path: '/api/v1/chargepoints/{charge_point_id}',
  operationId: 'updateChargePoint',
  summary: 'Change a charge point',
  description:
    'Fields that are left out stay. `connector_count` holds from now on; it grows again when the charge point names a connector beyond it.',
  tags: ['Charge points'],
  surface: operator,
  scopes: ['write:charge_points'],
  params: chargePointParams,
  body: Type.Object({
    name: Type.Optional(fields.name),
    address: Type.Optional(fields.address),
    latitude: Type.Optional(fields.latitude),
    longitude: Type.Optional(fields.longitude),
    connector_count: Type.Optional(fields.connector_count),
    max_power_kw: Type.Optional(fields.max_power_kw),
    ping_interval_seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 3_600, description: '0 for a charge point that breaks when pinged' }),
    ),
    registration: Type.Optional(
      Type.Enum(['Accepted', 'Pending', 'Rejected'], { description: 'what BootNotification is answered' }),
    ),
    serial_number: Type.Optional(nullable(serialNumber())),
    certificate_required: Type.Optional(
      nullable(
        Type.Boolean({
          description:
            'Whether the charge point must present a client certificate when it connects. With null it must once it has presented one.',
        }),
      ),
    ),
  }),
  responses: { 200: chargePointSchema },
  errors: [notFound, conflict, serialNumberTaken],
  sheddable: 'never',
  examples: { rename: { name: 'Car park, bay 2' } },
  handle({ principal, params, body }, services) {
    const view = services.view()
    const before = ownChargePoint(view, principal, params.charge_point_id)
    const { latitude, longitude, connector_count } = body
    const { name, address, max_power_kw, ping_interval_seconds, registration } = body
    const after: ChargePoint = {
      ...before,
      ...(name === undefined ? {} : { name }),
      ...(address === undefined ? {} : { address }),
      ...(latitude === undefined ? {} : { latitude }),
      ...(longitude === undefined ? {} : { longitude }),
      ...(connector_count === undefined
        ? {}
        : { connector_count, connector_count_changes: (before.connector_count_changes ?? 0) + 1 }),
      ...(max_power_kw === undefined ? {} : { max_power_kw }),
      ...(ping_interval_seconds === undefined ? {} : { ping_interval_seconds }),
      ...(registration === undefined ? {} : { registration }),
    }
    const { stored, conditions = [], ...answer } = changeChargePoint(before, withIdentity(after, body), services)
    const renamed = stored.serial_number?.toLowerCase() !== before.serial_number?.toLowerCase()
    return {
      status: 200,
      body: chargePointView(stored, stateOf(view, stored), services),
      ...answer,
      conditions: [...conditions, ...(renamed ? serialIsFree(stored.serial_number, stored.charge_point_id) : [])],
    }
  },
})

const getChargePoint = defineRoute({
  method: 'GET',
  path: '/api/v1/chargepoints/{charge_point_id}',
  operationId: 'getChargePoint',
  summary: 'Read a charge point',
  tags: ['Charge points'],
  surface: operator,
  scopes: ['read:charge_points'],
  params: chargePointParams,
  responses: { 200: chargePointSchema },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    const chargePoint = ownChargePoint(view, principal, params.charge_point_id)
    return { status: 200, body: chargePointView(chargePoint, stateOf(view, chargePoint), services) }
  },
})

const deleteChargePoint = defineRoute({
  method: 'DELETE',
  path: '/api/v1/chargepoints/{charge_point_id}',
  operationId: 'deleteChargePoint',
  summary: 'Remove a charge point',
  description:
    'Its sessions and commands stay, the assignment of its tariff goes. One with a running session cannot be removed.',
  tags: ['Charge points'],
  surface: operator,
  scopes: ['write:charge_points'],
  params: chargePointParams,
  responses: { 204: null },
  errors: [notFound, conflict],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    const { charge_point_id, organization_id, version } = ownChargePoint(view, principal, params.charge_point_id)
    const running = [organization_id, charge_point_id]
    const isRunning = conflict('the charge point has a running session', {
      chargePointId: charge_point_id,
    })
    if (view.total(sessionsTable, 'activeAtChargePoint', running) > 0) throw isRunning
    const key = [charge_point_id]
    return {
      status: 204,
      // Whoever registers this id next does not inherit its tariff. What it has said of itself is its actor's to remove.
      changes: [
        removeRow(chargePointsTable, key),
        removeRow(tariffAssignmentsTable, key),
        putRow(wakeUpsTable, removalWakeUp(charge_point_id, version, services.clock.now())),
      ],
      conditions: [
        { condition: { table: chargePointsTable.name, key, is: 'version', version } },
        // A session that starts at this moment keeps its charge point.
        {
          condition: none(sessionsTable, 'activeAtChargePoint', running),
          otherwise: isRunning,
        },
      ],
      tell: [registrationChanged(charge_point_id)],
    }
  },
})

const listFilters = {
  status: Type.Optional(Type.Enum([...chargePointStatuses])),
  site_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  tariff: Type.Optional(
    Type.Enum(['none'], {
      description:
        'none: those that sell at nothing, with neither a tariff of their own nor a default of the organization',
    }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'part of the id, the name, the serial number or the address, in any case',
    }),
  ),
}

const listChargePoints = defineList({
  surface: operator,
  path: '/api/v1/chargepoints',
  operationId: 'listChargePoints',
  summary: 'List charge points',
  tags: ['Charge points'],
  scopes: ['read:charge_points'],
  filters: listFilters,
  name: 'charge_points',
  row: chargePointSchema,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const view = services.view()
    const { rows, total } = await readChargePoints(principal, query, services)
    return { rows: rows.map((row) => chargePointView(row, stateOf(view, row), services)), total }
  },
})

/** What somebody on the phone can read out. */
const searched = ({ charge_point_id, name, serial_number, address }: ChargePoint): readonly (string | undefined)[] => [
  charge_point_id,
  name,
  serial_number,
  address,
]

async function readChargePoints(
  principal: Principal,
  query: Static<TObject<typeof listFilters>> & PageQuery,
  services: Services,
): Promise<Page<ChargePoint>> {
  const view = services.view()
  const { organization_id } = principal.organization
  const { status, site_id, q, tariff } = query
  const isByStatus = status !== undefined && status !== 'offline'
  if (isByStatus && site_id === undefined && q === undefined && tariff === undefined) {
    const lists = listsByStatus(organization_id, status, services.presence.live)
    const states = readPageOfAll({ view, table: chargePointStatesTable, lists, query })
    const rows = states.rows.map((state) => view.get(chargePointsTable, [state.charge_point_id]))
    return { rows: rows.filter((row) => row !== undefined), total: states.total }
  }
  const list: List =
    site_id === undefined
      ? { index: 'byOrganization', group: [organization_id] }
      : { index: 'bySite', group: [organization_id, site_id] }
  const options = { view, table: chargePointsTable, list, query }
  if (status === undefined && q === undefined && tariff === undefined) return readPage(options)
  if (tariff === 'none' && everyOneSells(view, organization_id)) return { rows: [], total: 0 }
  const wanted = q?.toLowerCase()
  return readFilteredPage({
    ...options,
    keep: (row) =>
      (wanted === undefined || searched(row).some((text) => text?.toLowerCase().includes(wanted))) &&
      (tariff === undefined || ownAssignment(view, organization_id, row.charge_point_id) === undefined) &&
      (status === undefined || chargePointStatus(stateOf(view, row), services.presence.live) === status),
  })
}

/** Told by counts alone, so that a list of none costs nothing. */
function everyOneSells(view: ReadView, organizationId: string): boolean {
  const group = [organizationId]
  return (
    defaultTariff(view, organizationId) !== undefined ||
    view.total(tariffAssignmentsTable, 'byOrganization', group) >=
      view.total(chargePointsTable, 'byOrganization', group)
  )
}

export const chargePointRoutes = [
  registerChargePoint,
  updateChargePoint,
  getChargePoint,
  deleteChargePoint,
  listChargePoints,
]
