// Many charge points and their drivers: who charges where, for how long, and what the fleet as a whole is doing.

import type { ChargePoint } from '../charge-point/charge-point.js'
import type { Misbehaviour } from '../charge-point/misbehaviours.js'
import type { Timetable } from '../charge-point/timetable.js'
import type { Vehicle } from '../charge-point/vehicle.js'
import { createRandom } from './random.js'
import { createSocketChargePoint, type SocketOptions } from './socket-charge-point.js'
import { createTimetable } from './timetable.js'

export interface FleetOptions {
  readonly ids: readonly string[]
  /** ws://host:port/ocpp16 */
  readonly url: string
  readonly connectors: number
  readonly meterIntervalSeconds: number
  /** Share of all connectors that charge at any time; one at least does. Without it, no driver comes. */
  readonly sessionShare: number | undefined
  readonly seed: number
  readonly tls?: SocketOptions['tls']
  /** The charge points take them in turn. */
  readonly misbehaviours: readonly Misbehaviour[]
  /** One of its own otherwise. */
  readonly timetable?: Timetable
  /** What its vehicles are; steady ones where it does not say. */
  readonly vehicleAt?: (chargePointId: string, connectorId: number) => Vehicle | undefined
  /** What really flows at a connector from now on. */
  readonly drew?: (chargePointId: string, connectorId: number, watts: number) => void
}

export interface FleetSummary {
  readonly connected: number
  readonly charging: number
  /** Messages received from the server. */
  readonly messages: number
  readonly commands: number
  /** The newest last, `SIM-0001 Reset`. */
  readonly lastCommands: readonly string[]
  readonly lastRefusal: string | undefined
}

export interface Fleet {
  readonly chargePoints: readonly ChargePoint[]
  start(): void
  stop(): void
  summary(): FleetSummary
}

export const simulatedModel = 'AS-22'
const lastCommandsShown = 3
const connectSpacingMs = 5
const driverCheckMs = 1_000
const sessionMinimumMs = 120_000
const sessionMaximumMs = 900_000

export function createFleet(options: FleetOptions): Fleet {
  const timetable = options.timetable ?? createTimetable()
  const random = createRandom(options.seed)
  const lastCommands: string[] = []
  let messages = 0
  let commands = 0
  let running = false
  let lastRefusal: string | undefined
  /** When the driver of `charge point/connector` leaves, on the timetable's clock. */
  const departures = new Map<string, number>()

  const chargePoints = options.ids.map((id, index) =>
    createSocketChargePoint(
      {
        id,
        url: options.url,
        connectors: options.connectors,
        model: simulatedModel,
        configuration: { MeterValueSampleInterval: String(options.meterIntervalSeconds) },
        seed: options.seed * 1_000_003 + index,
        timetable,
        tls: options.tls,
        misbehaviour: options.misbehaviours[index % options.misbehaviours.length],
        vehicleAt: (connectorId) => options.vehicleAt?.(id, connectorId),
      },
      {
        received: () => {
          messages++
        },
        command(action) {
          commands++
          lastCommands.push(`${id} ${action}`)
          if (lastCommands.length > lastCommandsShown) lastCommands.shift()
        },
        disconnected(_code, reason, refusal) {
          // A restart that it was asked for is no refusal.
          if (reason !== 'reboot') lastRefusal = refusal ? `HTTP ${refusal.statusCode}` : reason
        },
        transactionStopped: (connectorId) => departures.delete(`${id}/${connectorId}`),
        drew: (connectorId, watts) => options.drew?.(id, connectorId, watts),
      },
    ),
  )

  function charging(): number {
    let count = 0
    for (const { connectors } of chargePoints) for (const one of connectors.all) if (one.transaction) count++
    return count
  }

  /** Connectors that charge, or are about to: their start waits for an answer. */
  function occupied(): number {
    let count = 0
    for (const { connectors } of chargePoints)
      for (const one of connectors.all) if (one.transaction !== undefined || one.status === 'Preparing') count++
    return count
  }

  const wanted = Math.max(1, Math.ceil(chargePoints.length * options.connectors * (options.sessionShare ?? 0)))

  /** A driver takes a connector, if it is free. */
  function arrive(chargePoint: ChargePoint, connectorId: number, staysMs: number): boolean {
    if (chargePoint.connectors.find(connectorId)?.status !== 'Available') return false
    // A tag of its own for every connector: one tag on two charge points at once is not what drivers do.
    const idTag = `TAG${chargePoint.id.slice(-13)}-${connectorId}`
    if (!chargePoint.connectors.start(connectorId, idTag, false)) return false
    departures.set(`${chargePoint.id}/${connectorId}`, timetable.now() + staysMs)
    return true
  }

  /**
   * One look at the fleet: drivers whose time has come leave, and new ones take free connectors. The first connector of
   * the first charge point is never free for long: whoever looks at a fleet finds one transaction there.
   */
  function drivers(): void {
    if (!running) return
    for (const chargePoint of chargePoints) {
      for (const connector of chargePoint.connectors.all) {
        const departure = departures.get(`${chargePoint.id}/${connector.id}`)
        if (departure === undefined || departure > timetable.now()) continue
        departures.delete(`${chargePoint.id}/${connector.id}`)
        if (connector.transaction) chargePoint.connectors.stop(connector.id, 'Local')
      }
    }
    const booted = chargePoints.filter((chargePoint) => chargePoint.accepted)
    let missing = booted.length === 0 ? 0 : wanted - occupied()
    const first = chargePoints[0]
    if (first?.accepted && arrive(first, 1, Number.POSITIVE_INFINITY)) missing--
    for (let tries = 0; missing > 0 && tries < wanted * 4; tries++) {
      const chargePoint = booted[Math.floor(random() * booted.length)] as ChargePoint
      const connectorId = 1 + Math.floor(random() * options.connectors)
      const staysMs = sessionMinimumMs + random() * (sessionMaximumMs - sessionMinimumMs)
      if (arrive(chargePoint, connectorId, staysMs)) missing--
    }
    timetable.after(driverCheckMs, drivers)
  }

  return {
    chargePoints,
    start() {
      running = true
      chargePoints.forEach((chargePoint, index) => {
        timetable.after(index * connectSpacingMs, () => {
          if (running) chargePoint.start()
        })
      })
      if (options.sessionShare !== undefined) timetable.after(driverCheckMs, drivers)
    },
    stop() {
      running = false
      for (const chargePoint of chargePoints) chargePoint.stop()
    },
    summary: () => ({
      connected: chargePoints.filter((chargePoint) => chargePoint.connected).length,
      charging: charging(),
      messages,
      commands,
      lastCommands: [...lastCommands],
      lastRefusal,
    }),
  }
}
