// The drivers at simulated sites: their cars come, charge until they are full or their drivers leave, and others come. What flows is summed up
// at every change, so that not even the shortest peak is missed.

import type { ChargePoint } from '../charge-point/charge-point.js'
import type { Timetable } from '../charge-point/timetable.js'
import { type BatteryVehicle, batteryVehicle, nominalVolts } from '../charge-point/vehicle.js'
import type { Random } from './random.js'
import type { SimulatedSite } from './sites.js'

export interface SiteDriversOptions {
  readonly sites: readonly SimulatedSite[]
  readonly connectors: number
  /** Share of the connectors of a site at which a car is; one at least. */
  readonly share: number
  readonly random: Random
  readonly timetable: Pick<Timetable, 'now' | 'after'>
  /** Somebody has come or left: a sentence. */
  readonly news: (text: string) => void
}

/** What happens at a connector with a car. */
export interface Visit {
  readonly chargePointId: string
  readonly connectorId: number
  readonly vehicle: BatteryVehicle
  readonly leavesAt: number
}

export interface SiteTraffic {
  readonly site: SimulatedSite
  /** By charge point and connector. */
  readonly visits: ReadonlyMap<string, Visit>
  /** What really flows, and the most that has ever flowed. */
  drawnWatts: number
  peakWatts: number
}

export interface SiteDrivers {
  readonly traffic: readonly SiteTraffic[]
  /** The car at a connector; undefined where no driver has brought one. */
  vehicleAt(chargePointId: string, connectorId: number): BatteryVehicle | undefined
  drew(chargePointId: string, connectorId: number, watts: number): void
  start(chargePoints: readonly ChargePoint[]): void
  /** All cars leave, and no others come. */
  leave(): void
}

const checkMs = 1_000
/** Between two cars that come to a site. */
const gapMinimumMs = 4_000
const gapMaximumMs = 10_000
const stayMinimumMs = 120_000
const stayMaximumMs = 480_000
/** In which its empty battery would be full at its full power: real ones take hours, and nobody watches for so long. */
const batteryMinimumHours = 3 / 60
const batteryMaximumHours = 6 / 60
const storedMinimum = 0.3
const storedMaximum = 0.7

/** One after the other at each site, so that every site has cars of all kinds. */
const kinds = [
  { phases: 3, maximumAmperes: 32 },
  { phases: 1, maximumAmperes: 32 },
  { phases: 3, maximumAmperes: 32 },
  { phases: 3, maximumAmperes: 16 },
  { phases: 3, maximumAmperes: 32 },
] as const

interface State extends SiteTraffic {
  readonly visits: Map<string, Visit>
  readonly watts: Map<string, number>
  chargePoints: readonly ChargePoint[]
  cars: number
  nextAt: number
}

const placeOf = (chargePointId: string, connectorId: number): string => `${chargePointId}/${connectorId}`

export function createSiteDrivers(options: SiteDriversOptions): SiteDrivers {
  const { connectors, share, random, timetable, news } = options
  const between = (least: number, most: number): number => least + random() * (most - least)
  const states = options.sites.map(
    (site): State => ({
      site,
      visits: new Map(),
      watts: new Map(),
      drawnWatts: 0,
      peakWatts: 0,
      chargePoints: [],
      cars: 0,
      nextAt: 0,
    }),
  )
  const stateOf = new Map(states.flatMap((state) => state.site.chargePointIds.map((id) => [id, state] as const)))
  /** Charge points that have held a limit: before, what a car draws there is limited by nobody. */
  const limited = new Set<string>()
  let running = false

  const called = ({ chargePointId, connectorId }: Visit): string =>
    connectors === 1 ? chargePointId : `${chargePointId} connector ${connectorId}`

  function arrive(state: State): void {
    const free = state.chargePoints
      .filter(({ accepted, id }) => accepted && limited.has(id))
      .flatMap((chargePoint) => chargePoint.connectors.all.map((connector) => ({ chargePoint, connector })))
      .filter(({ chargePoint, connector }) => {
        return connector.status === 'Available' && !state.visits.has(placeOf(chargePoint.id, connector.id))
      })
    const place = free[Math.floor(random() * free.length)]
    if (place === undefined) return
    const { chargePoint, connector } = place
    const kind = kinds[state.cars % kinds.length] as (typeof kinds)[number]
    const watts = kind.phases * kind.maximumAmperes * nominalVolts
    const capacityWh = watts * between(batteryMinimumHours, batteryMaximumHours)
    const vehicle = batteryVehicle({
      ...kind,
      capacityWh,
      storedWh: capacityWh * between(storedMinimum, storedMaximum),
    })
    const leavesAt = timetable.now() + between(stayMinimumMs, stayMaximumMs)
    const visit = { chargePointId: chargePoint.id, connectorId: connector.id, vehicle, leavesAt }
    state.visits.set(placeOf(chargePoint.id, connector.id), visit)
    const idTag = `TAG${chargePoint.id.slice(-13)}-${connector.id}`
    if (!chargePoint.connectors.start(connector.id, idTag, false)) {
      state.visits.delete(placeOf(chargePoint.id, connector.id))
      return
    }
    state.cars++
    state.nextAt = timetable.now() + between(gapMinimumMs, gapMaximumMs)
    const phases = kind.phases === 1 ? 'one phase' : 'three phases'
    news(`A car has come to ${called(visit)}: ${phases}, up to ${(watts / 1000).toFixed(2)} kW.`)
  }

  /** One that is full, or whose time has come; or that somebody else has stopped, or not let in. */
  function mayLeave(state: State, visit: Visit, chargePoint: ChargePoint): void {
    const { connectorId, vehicle, leavesAt } = visit
    const connector = chargePoint.connectors.find(connectorId)
    const isGone = connector?.transaction === undefined && connector?.status !== 'Preparing'
    const taken = chargePoint.connectors.takenWh(connectorId)
    const isFull = vehicle.stateOfCharge(taken) >= 1
    if (!isGone && !isFull && leavesAt > timetable.now()) return
    state.visits.delete(placeOf(visit.chargePointId, connectorId))
    if (isGone) return
    chargePoint.connectors.stop(connectorId, 'Local')
    news(`The car at ${called(visit)} has left${isFull ? ', full' : ''}, with ${(taken / 1000).toFixed(2)} kWh.`)
  }

  function look(): void {
    if (!running) return
    for (const state of states) {
      for (const chargePoint of state.chargePoints) {
        const isLimited = chargePoint.connectors.all.every(
          ({ id }) => chargePoint.connectors.limitWatts(id) < Number.POSITIVE_INFINITY,
        )
        if (isLimited) limited.add(chargePoint.id)
        // The draw follows the battery, and limits end with time.
        chargePoint.connectors.applyLimits()
        for (const visit of state.visits.values())
          if (visit.chargePointId === chargePoint.id) mayLeave(state, visit, chargePoint)
      }
      const wanted = Math.max(1, Math.ceil(state.chargePoints.length * connectors * share))
      if (state.visits.size < wanted && timetable.now() >= state.nextAt) arrive(state)
    }
    timetable.after(checkMs, look)
  }

  return {
    traffic: states,
    vehicleAt: (chargePointId, connectorId) =>
      stateOf.get(chargePointId)?.visits.get(placeOf(chargePointId, connectorId))?.vehicle,
    drew(chargePointId, connectorId, watts) {
      const state = stateOf.get(chargePointId)
      if (state === undefined) return
      state.watts.set(placeOf(chargePointId, connectorId), watts)
      state.drawnWatts = [...state.watts.values()].reduce((sum, one) => sum + one, 0)
      state.peakWatts = Math.max(state.peakWatts, state.drawnWatts)
    },
    start(chargePoints) {
      for (const state of states)
        state.chargePoints = chargePoints.filter(({ id }) => state.site.chargePointIds.includes(id))
      running = true
      timetable.after(checkMs, look)
    },
    leave() {
      running = false
      for (const { chargePoints, visits } of states) {
        for (const chargePoint of chargePoints)
          for (const { id, transaction } of chargePoint.connectors.all)
            if (transaction !== undefined) chargePoint.connectors.stop(id, 'Local')
        visits.clear()
      }
    },
  }
}
