// Sites of simulated charge points, made through the REST API as an operator would: found again by their names, with the charge points
// linked to them evenly, and with a budget that their cars share. What was made stays.

import { setTimeout as delay } from 'node:timers/promises'

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

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape of what it has asked for
  readonly body: any
}

type Api = (method: string, path: string, body?: object) => Promise<Answer>

const againAfterMs = 1_000
const sitesOfPage = 100
const simultaneous = 8
const patienceMs = 2_000

/** Waits where the server asks for patience; rejects when it refuses. */
function apiOf({ url, key, signal }: Pick<SitesOptions, 'url' | 'key' | 'signal'>): Api {
  return async (method, path, body) => {
    for (;;) {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal,
      })
      const text = await response.text()
      if (response.ok) return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
      if (response.status !== 429 && response.status !== 503)
        throw new Error(`the server answered ${response.status} to ${method} ${path}: ${text.slice(0, 300)}`)
      await delay(againAfterMs, undefined, { signal })
    }
  }
}

export async function makeSites(options: SitesOptions): Promise<readonly SimulatedSite[]> {
  const { count, prefix, budgetKw, chargePointIds } = options
  const api = apiOf(options)
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

async function siteIdsByName(api: Api): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (let page = 1; ; page++) {
    const { body } = await api('GET', `/sites?per_page=${sitesOfPage}&page=${page}`)
    for (const { name, site_id } of body.sites as { name: string; site_id: string }[]) ids.set(name, site_id)
    if (page * sitesOfPage >= body.total) return ids
  }
}

/** The id of the site, with this budget. */
async function siteNamed(
  api: Api,
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
async function link(api: Api, id: string, siteId: string, { known, fields }: SitesOptions): Promise<void> {
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
