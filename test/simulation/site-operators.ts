// Operators of sites at the API: they make sites, say how the power is to be shared, link charge points, and change their minds.

import type { Faults } from './faults.js'
import { organizations } from './organizations.js'
import type { SimulatedFront } from './service.js'
import { type Stall, siteOrganization } from './stalls.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

export interface SiteOperatorOptions {
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly outside: SimulatedThread
  readonly stalls: readonly Stall[]
  readonly front: () => SimulatedFront | undefined
}

export interface SiteOperators {
  /** One of them does what comes next. */
  act(): void
}

interface Known {
  siteId: string | undefined
  isConfigured: boolean
}

const names = ['Quayside', 'Depot']
const gridKw = 150
const sites = '/api/v1/sites'
const managed = '/api/v1/smart-charging/sites'
/** Of what is done once all is set up; mostly nothing. */
const shares = { configure: 0.05, unmanage: 0.006, unlink: 0.02, rebalance: 0.03 }

export function createSiteOperators(options: SiteOperatorOptions): SiteOperators {
  const { time, faults, outside, stalls, front } = options
  const { random } = faults
  const known: Known[] = names.map(() => ({ siteId: undefined, isConfigured: false }))
  /** By charge point: the site that it was linked to, as far as anybody was told. */
  const links = new Map<string, string>()
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]

  function ask(method: string, path: string, body: unknown, answered: (status: number, text: string) => void): void {
    const over = front()
    if (over === undefined) return
    time.settleAfter(0, over.thread, () => {
      void over.api
        .call(siteOrganization, method, path, body)
        .then(({ status, text }) => time.after(0, outside, () => answered(status, text)))
    })
  }

  function make(site: Known, name: string): void {
    const body = { name, address: 'Quay 1', max_grid_power_kw: gridKw, latitude: 53, longitude: 10 }
    ask('POST', sites, body, (status, text) => {
      if (status === 201) site.siteId = JSON.parse(text).site_id
    })
  }

  function clockIn(minutes: number): string {
    const { offsetMinutes = 0 } = organizations[siteOrganization] ?? {}
    return new Date(time.now() + (offsetMinutes + minutes) * 60_000).toISOString().slice(11, 16)
  }

  function configuration(): object {
    const most = random() < 0.1 ? 0 : 20 + random() * 100
    const perLine = random() < 0.5 ? { max_current_per_phase_a: 40 + random() * 100 } : {}
    const common = { max_power_kw: most, ...perLine, ...(random() < 0.3 && { min_power_kw: 4 }) }
    const dice = random()
    if (dice < 0.3) return { ...common, strategy: 'equal' }
    if (dice < 0.5) {
      const order = [...stalls].sort((one, other) => one.maxAmperes - other.maxAmperes).map(({ id }) => id)
      return { ...common, strategy: 'priority', priority_order: order.slice(0, 5) }
    }
    const [first, second] = [1 + Math.floor(random() * 3), 4 + Math.floor(random() * 3)]
    return {
      ...common,
      strategy: 'scheduled',
      schedule: [
        { start_time: clockIn(first), end_time: clockIn(second), max_power_kw: most * (0.3 + random() * 0.5) },
        { start_time: clockIn(second), end_time: clockIn(second + 90), max_power_kw: 30 + random() * 90 },
      ],
    }
  }

  function configure(site: Known): void {
    ask('PUT', `${managed}/${site.siteId}/config`, configuration(), (status) => {
      if (status < 300) site.isConfigured = true
    })
  }

  function link({ id }: Stall, site: Known): void {
    const { siteId } = site
    if (siteId === undefined) return
    ask('POST', `${sites}/${siteId}/chargers/${id}/link`, undefined, (status) => {
      // That it is linked already he may not have been told.
      if (status < 300 || status === 409) links.set(id, siteId)
    })
  }

  function unmanage(site: Known): void {
    ask('DELETE', `${managed}/${site.siteId}/config`, undefined, (status) => {
      if (status < 300 || status === 404) site.isConfigured = false
    })
  }

  function unlinkOne(): void {
    const [id, siteId] = pick([...links]) ?? []
    if (id === undefined) return
    ask('DELETE', `${sites}/${siteId}/chargers/${id}`, undefined, (status) => {
      if (status < 300 || status === 404) links.delete(id)
    })
  }

  function changeMind(): void {
    const site = pick(known)
    if (site?.siteId === undefined) return
    let dice = random()
    const is = (share: number): boolean => {
      dice -= share
      return dice < 0
    }
    if (is(shares.configure)) configure(site)
    else if (is(shares.unmanage)) unmanage(site)
    else if (is(shares.unlink)) unlinkOne()
    else if (is(shares.rebalance)) ask('POST', `${managed}/${site.siteId}/rebalance`, undefined, () => undefined)
  }

  return {
    act() {
      const unmade = known.findIndex(({ siteId }) => siteId === undefined)
      if (unmade >= 0) return make(known[unmade] as Known, names[unmade] as string)
      const unmanaged = known.find(({ isConfigured }) => !isConfigured)
      if (unmanaged !== undefined) return configure(unmanaged)
      const alone = stalls.find(({ id }) => !links.has(id))
      // Most of them are at the first site.
      if (alone !== undefined) return link(alone, known[random() < 0.75 ? 0 : 1] as Known)
      changeMind()
    },
  }
}
