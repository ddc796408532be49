// The cars of a simulated city: how large their batteries are, how full, and what they take of which charge point.

import { type BatteryVehicle, batteryVehicle, nominalVolts } from '../charge-point/vehicle.js'
import type { Random } from '../client/random.js'
import type { Model } from './models.js'

export interface Car {
  readonly vehicle: BatteryVehicle
  readonly staysMs: number
}

const minuteMs = 60_000

/** At alternating current; two of five have one phase or half the current. */
const slowKinds = [
  { phases: 3, maximumAmperes: 16 },
  { phases: 3, maximumAmperes: 32 },
  { phases: 1, maximumAmperes: 32 },
  { phases: 3, maximumAmperes: 16 },
  { phases: 1, maximumAmperes: 16 },
] as const

const between = (random: Random, least: number, most: number): number => least + random() * (most - least)

/** Of arrivals, so many find their battery nearly full, and the driver somewhere else: they are idle for long. */
const idleShare = 0.15

export function newCar(model: Model, random: Random): Car {
  const isIdle = random() < idleShare
  const most = model.kilowatts * 1000
  const kind = model.isFast
    ? { phases: 3, maximumAmperes: Math.min(most, between(random, 60_000, 240_000)) / (3 * nominalVolts) }
    : (slowKinds[Math.floor(random() * slowKinds.length)] as (typeof slowKinds)[number])
  const maximumAmperes = Math.min(kind.maximumAmperes, most / (kind.phases * nominalVolts))
  const capacityWh = Math.round(between(random, 45_000, 95_000))
  const full = isIdle ? between(random, 0.995, 0.999) : between(random, 0.1, model.isFast ? 0.6 : 0.85)
  const vehicle = batteryVehicle({ phases: kind.phases, maximumAmperes, capacityWh, storedWh: capacityWh * full })
  const staysMs = isIdle ? between(random, 30, 120) * minuteMs : between(random, 3, model.isFast ? 25 : 60) * minuteMs
  return { vehicle, staysMs }
}
