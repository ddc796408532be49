// Which charge points a simulated city has, where they stand, and what happens to each. The same seed makes the same city.

import type { Random } from '../client/random.js'
import type { City, Place } from './cities.js'
import { type DeviationName, deviationNames } from './deviations.js'
import { type Model, models } from './models.js'

/** What is wrong with a charge point; most have nothing. */
export type Trouble =
  | { readonly type: 'faulted'; readonly errorCode: string }
  /** It presents another password than the one that it was given. */
  | { readonly type: 'refused' }
  /** Its network fails from time to time, and that of its neighbours with it. */
  | { readonly type: 'network' }
  | { readonly type: 'unavailable' }
  | { readonly type: 'deviates'; readonly deviation: DeviationName }
  /** It takes local time for UTC. */
  | { readonly type: 'clock' }

export interface PlannedChargePoint {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly latitude: number
  readonly longitude: number
  readonly model: Model
  readonly firmware: string
  /** Of those charge points that stand at the car park or at the airport. */
  readonly site: 'car park' | 'airport' | undefined
  readonly trouble: Trouble | undefined
}

export interface PlanOptions {
  readonly city: City
  readonly count: number
  readonly prefix: string
  readonly random: Random
}

/** Of a hundred charge points, so many. */
const shares = { carPark: 5, airport: 6, faulted: 3.5, refused: 1.5, unavailable: 1.5, deviates: 3, clock: 1 } as const

/** About 60 m. */
const spreadDegrees = 0.0006

const [duo, pole, , fast] = models

function modelOf(random: Random): Model {
  let left = random() * 100
  for (const model of models) {
    left -= model.share
    if (left < 0) return model
  }
  return duo
}

function near({ latitude, longitude }: Place, random: Random): { latitude: number; longitude: number } {
  const moved = (degrees: number, spread: number): number =>
    Number((degrees + (random() - 0.5) * 2 * spread).toFixed(5))
  return { latitude: moved(latitude, spreadDegrees), longitude: moved(longitude, spreadDegrees * 1.6) }
}

/** Every order of the items is as likely as any other. */
function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

export function planCity({ city, count, prefix, random }: PlanOptions): readonly PlannedChargePoint[] {
  const share = (percent: number): number => Math.round((count * percent) / 100)
  const order = shuffled(city.places, random)
  const standing = new Map<Place, number>()

  function chargePoint(index: number): PlannedChargePoint {
    const isCarPark = index < share(shares.carPark)
    const isAirport = !isCarPark && index < share(shares.carPark) + share(shares.airport)
    const place = isCarPark ? city.carPark : isAirport ? city.airport : (order[index % order.length] as Place)
    const model = isCarPark ? duo : isAirport ? (index % 3 === 0 ? fast : duo) : modelOf(random)
    const number = (standing.get(place) ?? 0) + 1
    standing.set(place, number)
    const isOld = model.firmwares.length > 1 && random() < 0.25
    return {
      id: `${prefix}${String(index + 1).padStart(4, '0')}`,
      name: `${place.name} ${number}`,
      address: `${place.name}, ${city.name}`,
      ...near(place, random),
      model,
      firmware: isCarPark || !isOld ? model.firmwares[0] : (model.firmwares[1] as string),
      site: isCarPark ? 'car park' : isAirport ? 'airport' : undefined,
      trouble: isAirport ? { type: 'network' } : undefined,
    }
  }

  const all = Array.from({ length: count }, (_, index) => chargePoint(index))

  /** Takes charge points that have no trouble yet, those that fit best first. */
  function trouble(wanted: number, fits: (one: PlannedChargePoint) => boolean, of: (at: number) => Trouble): void {
    const free = all.map((one, at) => ({ one, at })).filter(({ one }) => one.site === undefined && !one.trouble)
    const chosen = shuffled(
      free.filter(({ one }) => fits(one)),
      random,
    ).slice(0, wanted)
    for (const [nth, { one, at }] of chosen.entries()) all[at] = { ...one, trouble: of(nth) }
  }

  // One cause in many places: the older firmware of one model.
  const faulted = Math.max(count >= 20 ? 3 : 0, share(shares.faulted))
  for (const { one, at } of shuffled(
    all.map((one, at) => ({ one, at })).filter(({ one }) => one.model === duo && one.site === undefined),
    random,
  ).slice(0, faulted))
    all[at] = { ...one, firmware: duo.firmwares[1], trouble: { type: 'faulted', errorCode: 'GroundFailure' } }
  trouble(
    count >= 20 ? 1 : 0,
    ({ model }) => model === pole,
    () => ({ type: 'faulted', errorCode: 'ConnectorLockFailure' }),
  )
  trouble(
    count >= 20 ? 1 : 0,
    ({ model }) => model.isFast,
    () => ({ type: 'faulted', errorCode: 'HighTemperature' }),
  )
  trouble(
    share(shares.refused),
    () => true,
    () => ({ type: 'refused' }),
  )
  trouble(
    share(shares.unavailable),
    () => true,
    () => ({ type: 'unavailable' }),
  )
  trouble(
    share(shares.deviates),
    ({ model }) => model === pole,
    (nth) => ({ type: 'deviates', deviation: deviationNames[nth % deviationNames.length] as DeviationName }),
  )
  trouble(
    share(shares.clock),
    () => true,
    () => ({ type: 'clock' }),
  )
  return all
}
