// `ampshard simulate --sites`: what comes to a fleet so that its cars share the power of sites, and how it is shown.

import { setTimeout as delay } from 'node:timers/promises'
import type { ChargePoint } from './charge-point/charge-point.js'
import type { Fleet, FleetOptions } from './client/fleet.js'
import { createRandom } from './client/random.js'
import { createSiteDrivers, type SiteTraffic } from './client/site-drivers.js'
import { type CarRow, type SiteFigures, siteTables } from './client/site-table.js'
import { makeSites, readAllocation, type SitesOptions } from './client/sites.js'
import { createTimetable } from './client/timetable.js'

/** What its connectors can do, so that a few cars are enough for a site: 32 A on three phases. */
export const siteFields = { max_power_kw: 22.08, phases: 3 } as const

export interface SimulatedSites {
  readonly fleetOptions: Pick<FleetOptions, 'timetable' | 'vehicleAt' | 'drew'>
  start(fleet: Fleet): void
  /** Of all sites, as they are now. */
  tables(): Promise<readonly string[]>
  /** Cars leave, and the charge points say so if the server answers in time. */
  leave(): Promise<void>
}

export interface SimulatedSitesOptions extends SitesOptions {
  readonly connectors: number
  readonly share: number
  readonly seed: number
  readonly news: (text: string) => void
}

const goodbyeMs = 3_000
const goodbyeCheckMs = 50

export async function simulateSites(options: SimulatedSitesOptions): Promise<SimulatedSites> {
  const { connectors, share, seed, news } = options
  const sites = await makeSites(options)
  const timetable = createTimetable()
  const drivers = createSiteDrivers({ sites, connectors, share, random: createRandom(seed), timetable, news })
  let fleet: Fleet | undefined

  async function figuresOf(traffic: SiteTraffic): Promise<SiteFigures> {
    const { name, budgetKw, siteId, chargePointIds } = traffic.site
    const allocation = await readAllocation(options, siteId)
    // All of one moment, so that the cars add up to the sum.
    const { drawnWatts, peakWatts } = traffic
    const cars = chargePointIds.flatMap((id) => carsAt(fleet?.chargePoints.find((one) => one.id === id)))
    return { name, budgetKw, drawnWatts, peakWatts, cars, namesConnectors: connectors > 1, allocation }
  }

  function carsAt(chargePoint: ChargePoint | undefined): readonly CarRow[] {
    if (chargePoint === undefined) return []
    const { id, connectors: own } = chargePoint
    return own.all.flatMap(({ id: connectorId, transaction, powerWatts }) => {
      if (transaction === undefined) return []
      return [
        {
          chargePointId: id,
          connectorId,
          phases: transaction.vehicle.phases,
          drawnWatts: powerWatts,
          limitWatts: own.limitWatts(connectorId),
          stateOfCharge: drivers.vehicleAt(id, connectorId)?.stateOfCharge(own.takenWh(connectorId)),
        },
      ]
    })
  }

  return {
    fleetOptions: { timetable, vehicleAt: drivers.vehicleAt, drew: drivers.drew },
    start(started) {
      fleet = started
      drivers.start(started.chargePoints)
    },
    tables: async () => siteTables(await Promise.all(drivers.traffic.map(figuresOf))),
    async leave() {
      drivers.leave()
      const deadline = performance.now() + goodbyeMs
      const isWaiting = (): boolean =>
        fleet?.chargePoints.some((one) => one.connected && one.waitingTransactionMessages > 0) ?? false
      while (isWaiting() && performance.now() < deadline) await delay(goodbyeCheckMs)
    },
  }
}
