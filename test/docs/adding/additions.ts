// One of each kind of thing that can be added, as CONTRIBUTING.md says that it is added: what its files say, and its line in a list.
// Together they are a small story, so that each can be seen to work: a charge point with a parking sensor.

export interface Addition {
  /** What the table in CONTRIBUTING.md calls it. */
  readonly what: string
  /** What stands in the place of `<name>` and the like in the paths of the table. */
  readonly names: Readonly<Record<string, string>>
  /** The texts of its files, in the order of the table. */
  readonly files: readonly string[]
  readonly line: Line
}

/** An entry after the opening of a list, with its import; without an opening, a line at the end. */
export interface Line {
  readonly import?: string
  readonly opening?: string
  readonly entry: string
}

const permission: Addition = {
  what: 'a permission',
  names: {},
  files: [],
  line: { opening: 'export const scopes = [', entry: "'read:parking'," },
}

const setting: Addition = {
  what: 'a setting',
  names: {},
  files: [],
  line: {
    opening: 'export const settingsSchema = Type.Object({',
    entry: "parking_minutes: integer('For how long a vehicle may stand before a connector.', 30, 1, 1_440),",
  },
}

const table: Addition = {
  what: 'a table',
  names: { name: 'parking' },
  files: [
    `// How often vehicles have parked at a charge point. Written by its parking-guard actor alone.

import { defineTable } from '../runtime/store/table.js'

export interface Parking {
  readonly charge_point_id: string
  readonly parked: number
}

export const parkingsTable = defineTable<Parking>({ name: 'parkings', key: (row) => [row.charge_point_id] })
`,
  ],
  line: {
    import: "import { parkingsTable } from './parking.js'",
    opening: 'export const tables = [',
    entry: 'parkingsTable,',
  },
}

const event: Addition = {
  what: 'an event of a new area',
  names: { area: 'parking' },
  files: [
    `// Events of parking sensors.

import { Type } from 'typebox'
import { chargePointId, connectorId, defineEvent } from './define-event.js'

export const vehicleParked = defineEvent({
  name: 'parking.occupied',
  description: 'A vehicle has parked before a connector.',
  data: Type.Object({ charge_point_id: chargePointId(), connector_id: connectorId() }),
})
`,
  ],
  line: {
    import: "import * as parking from './parking.js'",
    opening: 'const areas: readonly Area[] = [',
    entry: 'parking,',
  },
}

const alertKind: Addition = {
  what: 'an alert kind',
  names: { name: 'parking-blocked' },
  files: [
    `// A vehicle stands before a connector and does not charge.

import { defineAlertKind } from './define-kind.js'

export const parkingBlocked = defineAlertKind({
  name: 'parking_blocked',
  severity: 'warning',
  meaning: 'A vehicle stands before a connector and does not charge.',
  lasts: false,
  nextStep: 'Have the vehicle moved.',
  find: (connectorId: number) => ({ message: \`a vehicle stands before connector \${connectorId} and does not charge\` }),
})
`,
  ],
  line: {
    import: "import { parkingBlocked } from './parking-blocked.js'",
    opening: 'const kinds = [',
    entry: 'parkingBlocked,',
  },
}

const actorKind: Addition = {
  what: 'an actor kind',
  names: { kind: 'parking-guard' },
  files: [
    `// What the parking guard of a charge point is sent.

import type { Address } from '../../runtime/actor/actor.js'

export const parkingGuardKind = 'parking-guard'

export function parkingGuardAddress(chargePointId: string): Address {
  return { kind: parkingGuardKind, id: chargePointId }
}

export interface ParkedMessage {
  readonly type: 'parked'
}
`,
    `// Counts the vehicles that have parked at a charge point.

import { parkingsTable } from '../../records/parking.js'
import { type ActorDefinition, effect } from '../../runtime/actor/actor.js'
import { type ParkedMessage, parkingGuardKind } from './messages.js'

interface ParkingGuardState {
  parked: number
}

export const parkingGuard: ActorDefinition<ParkingGuardState, ParkedMessage> = {
  kind: parkingGuardKind,
  load: (context) => ({ parked: context.read().get(parkingsTable, [context.id])?.parked ?? 0 }),
  idle: () => true,
  handle(state, _message, context) {
    state.parked++
    return [effect.put(parkingsTable, { charge_point_id: context.id, parked: state.parked })]
  },
}
`,
  ],
  line: {
    import: "import { parkingGuard } from './parking-guard/parking-guard.js'",
    opening: '  return [',
    entry: 'parkingGuard,',
  },
}

const notification: Addition = {
  what: 'an OCPP message',
  names: { name: 'parking-notification' },
  files: [
    `// ParkingNotification: a vehicle has parked before a connector.

import { Type } from 'typebox'
import { defineMessage } from './define-message.js'
import { integer, statusOnly, strict } from './common.js'

export const parkingNotification = defineMessage({
  action: 'ParkingNotification',
  from: 'charge-point',
  profile: 'Core',
  request: Type.Object({ connectorId: integer(0) }, strict),
  response: statusOnly(['Accepted', 'Rejected']),
})
`,
  ],
  line: { entry: "export * from './parking-notification.js'" },
}

const handler: Addition = {
  what: 'its handler, where charge points send it',
  names: { name: 'parking-notification' },
  files: [
    `// ParkingNotification: counted, published, and noticed.

import { finding, noticeAtMostHourly } from '../../alerts/alert.js'
import { parkingBlocked } from '../../alert-kinds/parking-blocked.js'
import { emit } from '../../events/define-event.js'
import { vehicleParked } from '../../events/parking.js'
import { parkingNotification as message } from '../../ocpp16/index.js'
import { effect } from '../../runtime/actor/actor.js'
import { parkingGuardAddress } from '../parking-guard/messages.js'
import { defineHandler } from './request-handler.js'
import { aboutChargePoint } from './state.js'

export const parkingNotification = defineHandler({
  message,
  needs: 'Pending',
  handle(state, { connectorId }, context) {
    const about = aboutChargePoint(state, context)
    return {
      response: { status: 'Accepted' as const },
      effects: [
        emit(vehicleParked, about, { charge_point_id: context.id, connector_id: connectorId }),
        ...noticeAtMostHourly(finding(parkingBlocked, { ...about, chargePointId: context.id }, connectorId), context),
        effect.send(parkingGuardAddress(context.id), { type: 'parked' }),
      ],
    }
  },
})
`,
  ],
  line: { entry: "export { parkingNotification } from './parking-notification.js'" },
}

const light: Addition = {
  what: 'an OCPP message',
  names: { name: 'set-parking-light' },
  files: [
    `// SetParkingLight: has the charge point light the place before a connector.

import { Type } from 'typebox'
import { defineMessage } from './define-message.js'
import { integer, statusOnly, strict } from './common.js'

export const setParkingLight = defineMessage({
  action: 'SetParkingLight',
  from: 'central-system',
  profile: 'Core',
  request: Type.Object({ connectorId: integer(0), on: Type.Boolean() }, strict),
  response: statusOnly(['Accepted', 'Rejected']),
})
`,
  ],
  line: { entry: "export * from './set-parking-light.js'" },
}

const command: Addition = {
  what: 'a command of operators',
  names: { name: 'light-parking' },
  files: [
    `// light_parking: SetParkingLight.

import { Type } from 'typebox'
import { callOf, setParkingLight as message } from '../../../ocpp16/index.js'
import { defineCommand } from '../define-command.js'
import { connectorOrAll } from '../parameters.js'

export const lightParking = defineCommand({
  name: 'light_parking',
  summary: 'Light the place before a connector',
  parameters: Type.Object({ connector_id: connectorOrAll() }),
  call: ({ connector_id }) => callOf(message, { connectorId: connector_id, on: true }),
})
`,
  ],
  line: { entry: "export { lightParking } from './light-parking.js'" },
}

const rawCommand: Addition = {
  what: 'a raw command with a route of its own',
  names: { name: 'set-parking-light' },
  files: [
    `// set_parking_light: SetParkingLight.

import { Type } from 'typebox'
import { setParkingLight as message } from '../../../ocpp16/index.js'
import { connectorId } from '../../pipeline/schemas.js'
import { defineRaw } from './define-raw.js'

export const setParkingLight = defineRaw(message, {
  summary: 'Light the place before a connector',
  body: { connector_id: connectorId(0), on: Type.Boolean() },
  example: { connector_id: 1, on: true },
})
`,
  ],
  line: { entry: "export { setParkingLight } from './set-parking-light.js'" },
}

const route: Addition = {
  what: 'a route',
  names: { subject: 'charge-points', name: 'parking' },
  files: [
    `// How often vehicles have parked at a charge point.

import { Type } from 'typebox'
import { parkingsTable } from '../../../records/parking.js'
import { area, chargePoints } from './area.js'

export const parkingRoute = area.get('/chargepoints/{charge_point_id}/parking', {
  operationId: 'getParking',
  summary: 'Get how often vehicles have parked at a charge point',
  scopes: ['read:parking'],
  of: chargePoints,
  answer: Type.Object({ parked: Type.Integer() }),
  read: ({ row }, services) => ({ parked: services.view().get(parkingsTable, [row.charge_point_id])?.parked ?? 0 }),
})
`,
  ],
  line: {
    import: "import { parkingRoute } from './parking.js'",
    opening: 'export const chargePointRoutes = [',
    entry: 'parkingRoute,',
  },
}

export const additions: readonly Addition[] = [
  ...[route, notification, handler, light, command, rawCommand, actorKind],
  ...[table, setting, event, alertKind, permission],
]
