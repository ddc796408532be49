// What an operator sets up for a simulated city over the API, before its charge points connect: a tariff with a cheaper night, the cards of
// drivers, sites, and the passwords of those that will present another one. What is there already stays as it is.

import type { SimulationApi } from '../client/api.js'
import type { City } from './cities.js'
import type { PlannedChargePoint } from './plan.js'

/** What the cars at the car park share, for charge points of 22 kW on two connectors each. */
const carParkKilowatts = 80
const simultaneous = 8
const cardCount = 120

export interface SetUp {
  readonly city: City
  readonly planned: readonly PlannedChargePoint[]
  /** Those that this start has registered. */
  readonly created: ReadonlySet<string>
  readonly prefix: string
}

/** The cards of drivers, `BER-CARD-001`; the last one is blocked. */
export const cardsOf = (prefix: string): readonly string[] =>
  Array.from({ length: cardCount }, (_, index) => `${prefix}CARD-${String(index + 1).padStart(3, '0')}`)

async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = [...items]
  await Promise.all(
    Array.from({ length: simultaneous }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
    }),
  )
}

/** Only where nothing says yet what charging costs: one tariff for all, one to compare it with, and a rule. */
async function setUpTariff(api: SimulationApi, { city }: SetUp): Promise<void> {
  const organization = (await api('GET', '/organizations')).body.data[0].id as string
  const path = `/organizations/${organization}/settings`
  const { body: settings } = await api('GET', path)
  if (settings.default_tariff_id !== null) return
  const { body: tariff } = await api('POST', '/billing/tariffs', {
    name: `${city.name}, public`,
    currency: 'EUR',
    tax_percentage: city.country === 'DE' ? 19 : city.country === 'AT' ? 20 : 21,
    components: [
      { type: 'energy', price: 0.46 },
      { type: 'idle', price: 6, grace_minutes: 45 },
    ],
  })
  await api('POST', `/tariffs/${tariff.tariff_id}/rates`, [
    { band: 'night', components: [{ type: 'energy', price: 0.32 }] },
    {
      band: 'day',
      components: [
        { type: 'energy', price: 0.46 },
        { type: 'idle', price: 6, grace_minutes: 45 },
      ],
    },
  ])
  await api('PUT', `/tariffs/${tariff.tariff_id}/schedule`, [
    { band: 'night', start_time: '22:00', end_time: '06:00' },
    { band: 'day', start_time: '06:00', end_time: '22:00' },
  ])
  await api('POST', '/billing/tariffs', {
    name: `${city.name}, members`,
    currency: 'EUR',
    tax_percentage: tariff.tax_percentage,
    components: [
      { type: 'energy', price: 0.38 },
      { type: 'flat', price: 0.35 },
    ],
  })
  await api('POST', '/billing/rules', {
    name: 'Five percent less from 40 kWh on',
    priority: 1,
    conditions: [{ field: 'energy_kwh', operator: 'gte', value: 40 }],
    actions: [{ type: 'discount_percent', value: 5 }],
  })
  await api('PUT', path, { default_tariff_id: tariff.tariff_id, default_currency: 'EUR', timezone: city.timeZone })
}

async function setUpCards(api: SimulationApi, { prefix }: SetUp): Promise<void> {
  const cards = cardsOf(prefix)
  await each(cards, (id_tag) =>
    api(
      'POST',
      '/id-tags',
      {
        id_tag,
        label: `Card of driver ${Number(id_tag.slice(-3))}`,
        ...(id_tag === cards.at(-1) && { status: 'Blocked' }),
      },
      [409],
    ),
  )
}

async function setUpSites(api: SimulationApi, { city, planned }: SetUp): Promise<void> {
  const { body } = await api('GET', '/sites?per_page=100')
  const known = new Map((body.sites as { name: string; site_id: string }[]).map(({ name, site_id }) => [name, site_id]))
  for (const [kind, place, kilowatts] of [
    ['car park', city.carPark, carParkKilowatts],
    ['airport', city.airport, 600],
  ] as const) {
    const own = planned.filter(({ site }) => site === kind)
    const name = `${place.name} (${kind})`
    if (own.length === 0 || known.has(name)) continue
    const { latitude, longitude } = place
    const address = `${place.name}, ${city.name}`
    const site = { name, address, latitude, longitude, max_grid_power_kw: kilowatts }
    const { site_id } = (await api('POST', '/sites', site)).body
    if (kind === 'car park')
      await api('PUT', `/smart-charging/sites/${site_id}/config`, { max_power_kw: kilowatts, strategy: 'equal' })
    await each(own, ({ id }) => api('POST', `/sites/${site_id}/chargers/${id}/link`, undefined, [409]))
  }
}

export async function setUpCity(api: SimulationApi, setUp: SetUp): Promise<void> {
  const { planned, created } = setUp
  await setUpTariff(api, setUp)
  await Promise.all([setUpCards(api, setUp), setUpSites(api, setUp)])
  const locked = planned.filter(({ id, trouble }) => trouble?.type === 'refused' && created.has(id))
  await each(locked, ({ id }) => api('POST', `/chargepoints/${id}/authorization-key`))
}
