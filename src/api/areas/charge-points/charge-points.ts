// How the API shows charge points, and what routes know of their connectors.

import { Type } from 'typebox'
import { phaseRotations } from '../../../power/electricity.js'
import { type ChargePoint, isOwnedBy, withoutReplacedKeys } from '../../../records/charge-point.js'
import {
  type ChargePointState,
  chargePointStatesTable,
  chargePointStatuses,
} from '../../../records/charge-point-state.js'
import { connectorCount, mayHaveConnector } from '../../../records/connector-count.js'
import { chargePointStatus, faultedConnectors, isOnline } from '../../../records/presence.js'
import { lastSeenAt } from '../../../records/sign-of-life.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { line } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Fields } from '../../pipeline/draft.js'
import type { Showing } from '../../pipeline/record-routes.js'
import { named, nameText, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'

/** What an operator says of a charge point. */
export const chargePointFields = {
  name: nameText(),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  address: Type.String({ maxLength: 500, ...line }),
  connector_count: Type.Integer({ minimum: 1, maximum: 1_000 }),
  max_power_kw: Type.Number({
    exclusiveMinimum: 0,
    maximum: 10_000,
    description: 'The maximum power of each connector.',
  }),
}

const phases = 'On how many phases each connector charges. null if unknown: three are assumed.'
const phaseRotation =
  'To which lines of the site the conductors of its connectors lead, the first conductor first: R, S and T are L1, L2 and L3 (OCPP 1.6, ' +
  'ConnectorPhaseRotation). null if unknown: RST is assumed.'

/** What its operator may say of how it is wired. */
export const wiringFields = {
  phases: nullable(Type.Enum([1, 3], { description: phases })),
  phase_rotation: nullable(Type.Enum([...phaseRotations], { description: phaseRotation })),
}

/** What is wrong with wiring, as it would be stored. */
export function wiringFaults({ phases, phase_rotation }: Wiring): ErrorDetail[] {
  if (phases === 1 || phase_rotation?.length !== 1) return []
  return [{ path: '/phase_rotation', message: 'names one line only: that takes phases to be 1' }]
}

type Wiring = Partial<Fields<Pick<ChargePoint, 'phases' | 'phase_rotation'>>>

export const signWithoutPassword =
  'Whether certificate requests of the charge point (SignCertificate) are signed even if it has connected without a client certificate, and ' +
  'without a password over TLS. Everyone who knows its id can then get a certificate in its name: set it only for as long as you need it.'

export const chargePointSchema = named('ChargePoint', {
  charge_point_id: Type.String(),
  ...chargePointFields,
  connector_count: nullable(
    Type.Integer({
      description: 'null if unknown: the charge point registered itself and has not named a connector yet.',
    }),
  ),
  max_power_kw: nullable(Type.Number({ description: 'The maximum power of each connector; null if unknown.' })),
  ...wiringFields,
  site_id: nullable(Type.String()),
  serial_number: nullable(Type.String()),
  certificate_required: nullable(
    Type.Boolean({
      description:
        'Whether the charge point must present a client certificate. null means that it must, once it has presented one.',
    }),
  ),
  sign_without_password: Type.Boolean({ description: signWithoutPassword }),
  registration: nullable(
    Type.Enum(['Accepted', 'Pending', 'Rejected'], {
      description: 'The answer to BootNotification. null means that nothing was set: the answer is Accepted.',
    }),
  ),
  ping_interval_seconds: nullable(Type.Integer({ description: "null means that the service's own setting applies." })),
  status: Type.Enum([...chargePointStatuses], {
    description:
      'Whether it can be used: `faulted` only where no connector can be used. `faulted_connectors` tells of single ones.',
  }),
  faulted_connectors: Type.Integer({
    minimum: 0,
    description: 'How many connectors report a fault now; 0 while the charge point is offline.',
  }),
  online: Type.Boolean(),
  ocpp_endpoint: Type.String({ description: 'The address to which the charge point connects.' }),
  password_set: Type.Boolean(),
  last_seen_at: nullable(timestamp()),
  vendor: nullable(Type.String()),
  model: nullable(Type.String()),
  firmware_version: nullable(Type.String()),
  created_at: timestamp(),
  updated_at: timestamp(),
})

/** What the charge point has reported while it was this organization's, or its installer's before that. */
export function stateOf(view: ReadView, chargePoint: ChargePoint): ChargePointState | undefined {
  const state = view.get(chargePointStatesTable, [chargePoint.charge_point_id])
  return state !== undefined && isOwnedBy(chargePoint, state.organization_id) ? state : undefined
}

/** Throws `validation_error` for a connector that the charge point cannot have, as far as is known. */
export function requireConnector(
  view: ReadView,
  chargePoint: ChargePoint,
  connectorId: number,
  path = '/connector_id',
): void {
  const state = stateOf(view, chargePoint)
  if (mayHaveConnector(chargePoint, state, connectorId)) return
  const count = connectorCount(chargePoint, state)
  throw invalid([{ path, message: `is not a connector of the charge point, which has ${count}` }])
}

export const endpointOf = ({ ocppUrl }: Showing['config'], chargePointId: string): string =>
  `${ocppUrl}/ocpp16/${chargePointId}`

/** The stored object as callers see it: without secrets, with what is known of it now. */
export function chargePointView(chargePoint: ChargePoint, { view, presence: { live }, config }: Omit<Showing, 'now'>) {
  const state = stateOf(view, chargePoint)
  const {
    authorization_key,
    organization_id,
    version,
    connector_count_changes,
    certificates_revoked_at,
    authorization_key_changed_at,
    installed,
    ...shown
  } = withoutReplacedKeys(chargePoint)
  return {
    ...shown,
    connector_count: connectorCount(chargePoint, state) ?? null,
    max_power_kw: chargePoint.max_power_kw ?? null,
    phases: chargePoint.phases ?? null,
    phase_rotation: chargePoint.phase_rotation ?? null,
    site_id: chargePoint.site_id ?? null,
    serial_number: chargePoint.serial_number ?? null,
    certificate_required: chargePoint.certificate_required ?? null,
    sign_without_password: chargePoint.sign_without_password ?? false,
    registration: chargePoint.registration ?? null,
    ping_interval_seconds: chargePoint.ping_interval_seconds ?? null,
    status: chargePointStatus(state, live),
    faulted_connectors: faultedConnectors(state, live),
    online: isOnline(state, live),
    ocpp_endpoint: endpointOf(config, chargePoint.charge_point_id),
    password_set: authorization_key !== undefined,
    last_seen_at: (state && lastSeenAt(view, state)) ?? null,
    vendor: state?.boot?.vendor ?? installed?.vendor ?? null,
    model: state?.boot?.model ?? installed?.model ?? null,
    firmware_version: state?.boot?.firmware_version ?? null,
  }
}
