// Sites of simulated charge points, made through the REST API as an operator would: found again by their names, with the charge points
// linked to them evenly, and with a budget that their cars share. What was made stays.

import { type SimulationApi, simulationApi } from './api.js'

export interface SitesOptions {
  /** http://host:port */
  readonly url: string
  readonly key: string
  readonly prefix: string
  readonly count: number
  readonly budgetKw: number
  readonly chargePointIds: readonly string[]
  /** Those of the charge points that were registered before, whose records may say something else. */
  readonly known: ReadonlySet<string>
  /** What the records of all of them are to say. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

export interface SimulatedSite {
  readonly siteId: string
  readonly name: string
  readonly budgetKw: number
  readonly chargePointIds: readonly string[]
}

/** What the service says of a car (GET .../allocation). */
export interface AllocatedCar {
  readonly charge_point_id: string
  readonly connector_id: number
  readonly allocated_kw: number
  readonly state: string
  readonly explanation: string
  readonly phases: number
}

export interface Allocation {
  readonly total_budget_kw: number
  readonly counted_kw: number
  readonly reserved_kw: number
  readonly chargers: readonly AllocatedCar[]
}

const sitesOfPage = 100
const simultaneous = 8
const patienceMs = 2_000

export async function makeSites(options: SitesOptions): Promise<readonly SimulatedSite[]> {
  const { count, prefix, budgetKw, chargePointIds } = options
  const api = simulationApi(options)
  const idsByName = await siteIdsByName(api)
  const sites: SimulatedSite[] = []
  for (let index = 0; index < count; index++) {
    const name = `Simulated site ${index + 1} (${prefix})`
    const siteId = await siteNamed(api, name, idsByName.get(name), index, budgetKw)
    const own = chargePointIds.filter((_, at) => Math.floor((at * count) / chargePointIds.length) === index)
    sites.push({ siteId, name, budgetKw, chargePointIds: own })
  }
  const links = sites.flatMap(({ siteId, chargePointIds: own }) => own.map((id) => ({ id, siteId })))
  await Promise.all(
    Array.from({ length: simultaneous }, async () => {
      for (let next = links.shift(); next !== undefined; next = links.shift())
        await link(api, next.id, next.siteId, options)
    }),
  )
  return sites
}

async function siteIdsByName(api: SimulationApi): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (let page = 1; ; page++) {
    const { body } = await api('GET', `/sites?per_page=${sitesOfPage}&page=${page}`)
    for (const { name, site_id } of body.sites as { name: string; site_id: string }[]) ids.set(name, site_id)
    if (page * sitesOfPage >= body.total) return ids
  }
}

/** The id of the site, with this budget. */
async function siteNamed(
  api: SimulationApi,
  name: string,
  known: string | undefined,
  index: number,
  budgetKw: number,
): Promise<string> {
  const site = {
    name,
    address: `Simulated quay ${index + 1}`,
    max_grid_power_kw: budgetKw,
    latitude: 52.37 + index / 100,
    longitude: 4.9,
  }
  const siteId = known ?? ((await api('POST', '/sites', site)).body.site_id as string)
  if (known !== undefined) await api('PATCH', `/sites/${known}`, { max_grid_power_kw: budgetKw })
  await api('PUT', `/smart-charging/sites/${siteId}/config`, { max_power_kw: budgetKw, strategy: 'equal' })
  return siteId
}

/** The site counts with what the record says: it has to fit the charge point that is simulated. */
async function link(api: SimulationApi, id: string, siteId: string, { known, fields }: SitesOptions): Promise<void> {
  if (known.has(id)) {
    const { body } = await api('PATCH', `/chargepoints/${encodeURIComponent(id)}`, fields)
    if (body.site_id === siteId) return
    if (body.site_id !== null) await api('DELETE', `/sites/${body.site_id}/chargers/${encodeURIComponent(id)}`)
  }
  await api('POST', `/sites/${siteId}/chargers/${encodeURIComponent(id)}/link`)
}

/** Undefined while the server does not answer. */
export async function readAllocation(
  { url, key }: Pick<SitesOptions, 'url' | 'key'>,
  siteId: string,
): Promise<Allocation | undefined> {
  try {
    const response = await fetch(`${url}/api/v1/smart-charging/sites/${siteId}/allocation`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await response.text()
    return response.ok ? (JSON.parse(text) as Allocation) : undefined
  } catch {
    return undefined
  }
}
