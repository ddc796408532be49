// How installers see their charge points.

import { Type } from 'typebox'
import { type InstalledChargePoint, isUnclaimed } from '../../../records/charge-point.js'
import type { ChargePointState } from '../../../records/charge-point-state.js'
import { installerStatus, installerStatuses, isHandedOver } from '../../../records/installer-status.js'
import { lastSeenAt } from '../../../records/sign-of-life.js'
import { line } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Showing } from '../../pipeline/record-routes.js'
import { named, nameText, nullable, timestamp } from '../../pipeline/schemas.js'
import { chargePointFields, endpointOf, stateOf } from '../charge-points/charge-points.js'

/** What an installer says of a charge point. */
export const fields = {
  model: nameText(),
  vendor: nameText(),
  project_id: Type.String({
    minLength: 1,
    maxLength: 64,
    ...line,
    description: 'Your own name of the project that the charge point belongs to.',
  }),
  location: Type.Object(
    {
      latitude: Type.Optional(chargePointFields.latitude),
      longitude: Type.Optional(chargePointFields.longitude),
      address: Type.Optional(chargePointFields.address),
    },
    { description: 'Where the charge point is. Latitude and longitude come together.' },
  ),
}

const listed = {
  charge_point_id: Type.String(),
  model: Type.String(),
  vendor: Type.String(),
  status: Type.Enum([...installerStatuses]),
  project_id: Type.String(),
  last_seen_at: nullable(timestamp('null once the handover is complete.')),
}

export const listedSchema = Type.Object(listed)

export const installerChargePointSchema = named('InstallerChargePoint', {
  ...listed,
  serial_number: Type.String(),
  ocpp_endpoint: Type.String({ description: 'The address to which the charge point connects.' }),
  registered_at: timestamp(),
  commissioned_at: nullable(timestamp()),
  claimed: Type.Boolean({ description: 'Whether an organization has claimed the charge point.' }),
  identity_verified: Type.Boolean({
    description: 'Whether the charge point has reported the serial number that you registered (BootNotification).',
  }),
  tls_enabled: Type.Boolean({ description: 'Whether `ocpp_endpoint` is an address with TLS (`wss://`).' }),
  location: nullable(
    Type.Object({
      latitude: nullable(Type.Number()),
      longitude: nullable(Type.Number()),
      address: nullable(Type.String()),
    }),
  ),
})

function shownOf(chargePoint: InstalledChargePoint, state: ChargePointState | undefined, showing: Showed) {
  const { model, vendor, project_id } = chargePoint.installed
  return {
    charge_point_id: chargePoint.charge_point_id,
    model,
    vendor,
    status: installerStatus(chargePoint, state, showing.presence.live),
    project_id,
    last_seen_at: isHandedOver(chargePoint) ? null : ((state && lastSeenAt(showing.view, state)) ?? null),
  }
}

type Showed = Pick<Showing, 'presence'> & { readonly view: ReadView }

export function listedView(chargePoint: InstalledChargePoint, showing: Showed) {
  return shownOf(chargePoint, stateOf(showing.view, chargePoint), showing)
}

export function installerChargePointView(chargePoint: InstalledChargePoint, showing: Omit<Showing, 'now'>) {
  const { charge_point_id, installed } = chargePoint
  const { serial_number, registered_at, commissioned_at = null, location } = installed
  const state = stateOf(showing.view, chargePoint)
  const ocpp_endpoint = endpointOf(showing.config, charge_point_id)
  return {
    ...shownOf(chargePoint, state, showing),
    serial_number,
    ocpp_endpoint,
    registered_at,
    commissioned_at,
    claimed: !isUnclaimed(chargePoint),
    identity_verified: state?.boot?.serial_number?.toLowerCase() === serial_number.toLowerCase(),
    tls_enabled: ocpp_endpoint.startsWith('wss:'),
    location: location === undefined ? null : { ...unknownPlace, ...location },
  }
}

const unknownPlace = { latitude: null, longitude: null, address: null }
