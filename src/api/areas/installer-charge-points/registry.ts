// The charge points of an installer: registered, listed, read, updated, deleted.

import { type Static, Type } from 'typebox'
import {
  type ChargePoint,
  chargePointsTable,
  type InstalledChargePoint,
  type InstalledLocation,
} from '../../../records/charge-point.js'
import { verificationStatusOf } from '../../../records/installer.js'
import { installerStatus, installerStatuses } from '../../../records/installer-status.js'
import { conflict, overloaded } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import { kept } from '../../pipeline/kept.js'
import { type List, readFilteredPage, readPage } from '../../pipeline/paging.js'
import { showingOf } from '../../pipeline/record-routes.js'
import { chargePointId, nullable } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { acceptedTerms } from '../../surfaces/installer-requirements.js'
import { announceRegistration } from '../charge-points/change-charge-point.js'
import { stateOf } from '../charge-points/charge-points.js'
import { chargePointExists, serialNumberTaken } from '../charge-points/errors.js'
import { idTaken, requireFreeId, requireFreeSerial, serialNumber } from '../charge-points/names.js'
import { area, installerChargePoints } from './area.js'
import { changeInstalled, requireUnclaimed } from './change-installed.js'
import { chargePointClaimed } from './errors.js'
import {
  fields,
  installerChargePointSchema,
  installerChargePointView,
  listedSchema,
  listedView,
} from './installer-charge-points.js'
import { limits } from './limits.js'
import { removeUnclaimed, whatIsRemoved } from './remove-unclaimed.js'

/** Throws `validation_error` for half a place. */
function locationOf(location: Static<typeof fields.location>): InstalledLocation {
  for (const [one, other] of [
    ['latitude', 'longitude'],
    ['longitude', 'latitude'],
  ] as const)
    if (location[one] !== undefined && location[other] === undefined)
      throw invalid([{ path: `/location/${other}`, message: `is needed with ${one}` }])
  return location
}

/** Throws `conflict`. */
function requireRoom(draft: Draft, installerId: string, isVerified: boolean): void {
  const own = { index: 'byOrganization', group: [installerId] }
  const most = isVerified ? limits.unclaimedChargePoints : limits.unclaimedOfUnverified
  const whose = isVerified ? 'an installer' : 'an installer whose identity is not approved'
  const tooMany = conflict(
    `${whose} has at most ${most} charge points that no organization has claimed: delete one, or hand one over, before you register another`,
  )
  draft.requireRoom(chargePointsTable, own, most, tooMany)
  const full = conflict(
    `the installation has at most ${limits.unclaimedInAll} charge points that no organization has claimed: ask its operator to have some handed over or deleted`,
  )
  draft.requireRoom(chargePointsTable, { index: 'unclaimed', group: [] }, limits.unclaimedInAll, full)
  if (isVerified) return
  const room = limits.unclaimedOfAllUnverified
  const crowded = conflict(
    `installers whose identity is not approved have at most ${room} charge points together that no organization has claimed: submit your documents`,
  )
  draft.requireRoom(chargePointsTable, { index: 'unclaimedOfUnverified', group: [] }, room, crowded)
}

const register = area.post('', {
  operationId: 'registerInstallerChargePoint',
  summary: 'Register a charge point that you install',
  description:
    'The charge point is yours until an organization claims it. Ids and serial numbers are unique in the whole installation, in upper or lower case.',
  requires: [acceptedTerms],
  body: Type.Object({
    charge_point_id: chargePointId(),
    model: fields.model,
    vendor: fields.vendor,
    serial_number: serialNumber(),
    project_id: fields.project_id,
    location: Type.Optional(fields.location),
  }),
  answer: installerChargePointSchema,
  status: 201,
  errors: [chargePointExists, serialNumberTaken, conflict],
  examples: {
    wallBox: {
      charge_point_id: 'CP-1',
      model: 'Wall Box 22',
      vendor: 'Example',
      serial_number: 'WB22-000123',
      project_id: 'Quayside',
      location: { address: 'Example street 1, Amsterdam' },
    },
  },
  change({ principal: { installer }, body }, draft, services) {
    const { charge_point_id, serial_number, model, vendor, project_id, location } = body
    const { installer_id } = installer
    const isVerified = verificationStatusOf(installer) === 'approved'
    requireRoom(draft, installer_id, isVerified)
    requireFreeId(draft, charge_point_id)
    requireFreeSerial(draft, serial_number, charge_point_id)
    const now = formatTimestamp(services.clock.now())
    const stored = draft.put<ChargePoint>(
      chargePointsTable,
      {
        charge_point_id,
        organization_id: installer_id,
        name: charge_point_id,
        // What an organization says of the place is not known yet.
        latitude: 0,
        longitude: 0,
        address: '',
        serial_number,
        installed: {
          installer_id,
          model,
          vendor,
          serial_number,
          project_id,
          ...(location !== undefined && { location: locationOf(location) }),
          registered_at: now,
          ...(!isVerified && { by_unverified: true as const }),
        },
        created_at: now,
        updated_at: now,
      },
      idTaken(charge_point_id),
    )
    announceRegistration(draft, charge_point_id)
    return installerChargePointView(stored as InstalledChargePoint, showingOf(services))
  },
})

const list = area.list('', {
  operationId: 'listInstallerChargePoints',
  summary: 'List the charge points that you have registered',
  filters: {
    project_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Returns only charge points of this project.' }),
    ),
    status: Type.Optional(
      Type.Enum([...installerStatuses], { description: 'Returns only charge points with this status.' }),
    ),
  },
  name: 'charge_points',
  row: listedSchema,
  perPage: 20,
  maximum: 100,
  async read({ principal: { installer }, query }, services) {
    const showing = showingOf(services)
    const { view, presence } = showing
    const { project_id, status } = query
    const { installer_id } = installer
    const list: List =
      project_id === undefined
        ? { index: 'byInstaller', group: [installer_id] }
        : { index: 'byProject', group: [installer_id, project_id] }
    const begin = services.longReads.of(installer_id)
    const options = { view, begin, table: chargePointsTable, list, query }
    const has = (row: ChargePoint): boolean =>
      installerStatus(row as InstalledChargePoint, stateOf(view, row), presence.live) === status
    const { rows, total } =
      status === undefined ? await readPage(options) : await readFilteredPage({ ...options, keep: has })
    return { rows: rows.map((row) => listedView(row as InstalledChargePoint, showing)), total }
  },
})

const get = area.get('/{charge_point_id}', {
  operationId: 'getInstallerChargePoint',
  summary: 'Get a charge point that you have registered',
  of: installerChargePoints,
  answer: installerChargePointSchema,
  read: ({ row }, services) => installerChargePointView(row, showingOf(services)),
})

const update = area.put('/{charge_point_id}', {
  operationId: 'updateInstallerChargePoint',
  summary: 'Update a charge point that you have registered',
  description:
    'Fields that you leave out keep their values. The id and the serial number cannot change: delete a charge point that was registered with a wrong one.',
  of: installerChargePoints,
  body: Type.Object({
    model: Type.Optional(fields.model),
    vendor: Type.Optional(fields.vendor),
    project_id: Type.Optional(fields.project_id),
    location: Type.Optional(nullable(fields.location)),
  }),
  answer: installerChargePointSchema,
  errors: [chargePointClaimed],
  examples: { move: { location: { address: 'Example street 3, Amsterdam' } } },
  change({ row, body }, draft, services) {
    requireUnclaimed(row)
    const { model, vendor, project_id, location } = row.installed
    const changed = {
      model: body.model ?? model,
      vendor: body.vendor ?? vendor,
      project_id: body.project_id ?? project_id,
      location: kept(location, body.location && locationOf(body.location)),
    }
    return installerChargePointView(changeInstalled(draft, row, changed, services), showingOf(services))
  },
})

const remove = area.route({
  method: 'DELETE',
  path: '/{charge_point_id}',
  operationId: 'deleteInstallerChargePoint',
  summary: 'Delete a charge point that you have registered',
  description: whatIsRemoved,
  of: installerChargePoints,
  responses: { 204: null },
  errors: [chargePointClaimed, conflict, overloaded],
  async handle({ row: { charge_point_id }, principal }, services) {
    await removeUnclaimed((draft) => installerChargePoints.own(draft, principal, charge_point_id), services)
    return { status: 204 }
  },
})

export const registryRoutes = [register, list, get, update, remove]
