// `ampshard simulate --city`: a city with charge points of several models at squares and streets that exist, drivers, prices and troubles, so
// that somebody who has just installed the service sees what it is for.

import { type CityName, cities } from './city/cities.js'
import { createCityFleet } from './city/city-fleet.js'
import { type PlannedChargePoint, planCity, type Trouble } from './city/plan.js'
import { cardsOf, setUpCity } from './city/set-up.js'
import { simulationApi } from './client/api.js'
import type { Fleet } from './client/fleet.js'
import { createRandom } from './client/random.js'
import { registerChargePoints } from './client/register.js'
import { createTimetable } from './client/timetable.js'

export const cityNames = Object.keys(cities) as readonly CityName[]

export interface CityOptions {
  readonly city: CityName
  readonly count: number
  /** That of the city otherwise. */
  readonly prefix: string | undefined
  readonly url: string
  readonly endpoint: string
  readonly key: string
  readonly share: number
  readonly meterIntervalSeconds: number
  readonly hoursOfHistory: number
  readonly seed: number
  readonly signal: AbortSignal
  readonly waiting: (reason: string) => void
}

export interface SimulatedCity {
  readonly fleet: Fleet
  /** What there is to see, as sentences. */
  readonly sights: readonly string[]
}

const fieldsOf = ({ id, name, address, latitude, longitude, model }: PlannedChargePoint) => ({
  chargePointId: id,
  connectorCount: model.connectors,
  fields: { name, address, latitude, longitude, max_power_kw: model.kilowatts, phases: model.phases },
})

/** Sorted by the id, so that the first ones are the car park and the airport. */
export async function simulateCity(options: CityOptions): Promise<SimulatedCity> {
  const { url, key, seed, signal } = options
  const city = cities[options.city]
  const prefix = options.prefix ?? city.prefix
  const planned = planCity({ city, count: options.count, prefix, random: createRandom(seed) })
  const registration = await registerChargePoints({
    url,
    key,
    chargePoints: planned.map(fieldsOf),
    signal,
    waiting: options.waiting,
  })
  const created = new Set(registration.created)
  await setUpCity(simulationApi({ url, key, signal }), { city, planned, created, prefix })
  const fleet = createCityFleet({
    planned,
    created,
    cards: cardsOf(prefix),
    timeZone: city.timeZone,
    url: options.endpoint,
    meterIntervalSeconds: options.meterIntervalSeconds,
    share: options.share,
    hoursOfHistory: options.hoursOfHistory,
    timetable: createTimetable(),
    random: createRandom(seed + 1),
    seed,
  })
  const counts = `${created.size} charge points registered in ${city.name}, ${registration.known} known before.`
  return { fleet, sights: [counts, ...sightsOf(planned)] }
}

function sightsOf(planned: readonly PlannedChargePoint[]): readonly string[] {
  const having = (type: Trouble['type']): readonly PlannedChargePoint[] =>
    planned.filter(({ trouble }) => trouble?.type === type)
  const say = (some: readonly PlannedChargePoint[], words: string): readonly string[] => {
    const [first] = some
    return first === undefined ? [] : [`${some.length} ${words} (${first.id})`]
  }
  const sights = [
    ...say(having('faulted'), 'get a fault, most of them of one model with its older firmware'),
    ...say(having('refused'), 'are refused for a wrong password'),
    ...say(having('network'), 'at the airport lose their network together after 25 seconds, for 8 minutes'),
    ...say(
      planned.filter(({ site }) => site === 'car park'),
      'at the car park share 80 kW',
    ),
    ...say(having('deviates'), 'write their messages against the standard'),
    ...say(having('clock'), 'have a clock that is two hours off'),
    ...say(having('unavailable'), 'are out of service'),
  ]
  return sights.length === 0 ? [] : [`Of them, ${sights.join('; ')}.`]
}
