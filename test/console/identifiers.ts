// What stands in the paths of the console's pages in the place of a parameter: how the tests get something that there is, so that every page is opened on a
// thing. A parameter of a new page is a line here.

import { installerOf } from '../support/installer.js'
import type { Service } from '../support/service.js'
import { siteOwnerAt } from '../support/site-owner.js'

export type FindsIdentifier = (service: Service) => Promise<string> | string

/** The charge point of the installation's stage (stage.ts), which is connected and charging. */
export const stagedChargePoint = 'CONSOLE-0000'

/** A charge point is in one rollout at a time. */
let rollouts = 0
let siteOwners = 0

/** By the name of the parameter. */
export const identifiers: Readonly<Record<string, FindsIdentifier>> = {
  charge_point_id: () => stagedChargePoint,
  tariff_id: async (service) => {
    const tariff = { name: 'Public', currency: 'EUR', components: [{ type: 'energy', price: 0.49 }] }
    return (await service.request('POST', '/api/v1/billing/tariffs', tariff)).body.tariff_id
  },
  run_id: async (service) => {
    const percentiles = { p50: 4, p90: 7, p99: 19, p999: 38, maximum: 55 }
    const second = (second: number) => ({
      second,
      answered: 50 + second,
      errors: second === 3 ? 1 : 0,
      p50: 4,
      p99: 19,
    })
    const run = {
      started_at: '2026-01-05T10:00:00Z',
      ended_at: '2026-01-05T10:01:00Z',
      ended_by: 'duration',
      profile: 'mixed',
      charge_points: 100,
      figures: {
        sent: 3_001,
        answered: 3_000,
        errors: 1,
        answered_per_second: 50,
        target_per_second: 50,
        latency_milliseconds: percentiles,
        service_time_milliseconds: percentiles,
        tool_late_milliseconds: 0.4,
      },
      result: {
        seconds: Array.from({ length: 60 }, (_, at) => second(at)),
        errors: [{ kind: 'Heartbeat: timeout', phase: 'measured', count: 1 }],
        thresholds: [{ name: 'p99', limit: '30 ms', measured: '19 ms', met: true }],
        configuration: { durationSeconds: 60, rate: 50 },
        machine: { cpu: 'Example', cores: 2 },
        generator: { warnings: ['The tool was at its limit.'] },
      },
    }
    const run_id = 'run_01KJ0000000000000000000000'
    await service.request('POST', `/api/v1/load-runs/${run_id}/result`, run)
    return run_id
  },
  site_id: async (service) => {
    const site = {
      name: 'Harbour',
      address: 'Quay 1',
      max_grid_power_kw: 100,
      latitude: 52.4,
      longitude: 4.9,
    }
    const { site_id } = (await service.request('POST', '/api/v1/sites', site)).body
    const configuration = { max_power_kw: 40, strategy: 'equal' }
    await service.request('PUT', `/api/v1/smart-charging/sites/${site_id}/config`, configuration)
    return site_id
  },
  partner_id: async (service) =>
    (await service.request('POST', '/api/v1/ocpi/partners', { name: 'Example Mobility' })).body.id,
  id_tag: async (service) => {
    await service.request('POST', '/api/v1/id-tags', { id_tag: 'CARD-0001', label: 'Fleet card 7' })
    return 'CARD-0001'
  },
  model_id: async (service) => (await service.request('GET', '/api/v1/charge-point-models')).body.data[0].model_id,
  installer_id: async (service) => (await installerOf(service)).id,
  site_owner_id: async (service) => {
    const email = `anna-${++siteOwners}@example.com`
    await service.request('POST', '/api/v1/site-owner/invitations', { email, name: 'Anna' })
    return await siteOwnerAt(service, email)
  },
  rollout_id: async (service) => {
    const id = `ROLLOUT-${++rollouts}`
    await service.register(id)
    const rollout = { charge_point_ids: [id], firmware_url: 'https://firmware.example/2.4.1.bin', strategy: 'canary' }
    return (await service.request('POST', '/api/v1/cpo/firmware/rollout', rollout)).body.rollout_id
  },
  session_id: async (service) => (await service.request('GET', '/api/v1/sessions')).body.data.at(-1).session_id,
}

/** Links of pages that choose or filter by something that the organization of the stage has: how one of it is found. */
export const chosen: Readonly<Record<string, FindsIdentifier>> = {
  '/fleet?q=id:': () => stagedChargePoint,
  '/fleet?q=': () => stagedChargePoint,
  '/sessions?charger=': () => stagedChargePoint,
  '/sessions?tag=': () => 'TAG-1',
  '/sessions?tariff=': async (service) =>
    (await service.request('GET', '/api/v1/billing/tariffs')).body.data[0].tariff_id,
  '/rules?rule=': async (service) => {
    const actions = [{ type: 'discount_percent', value: 10 }]
    const rule = { name: 'Tenth', priority: 1, conditions: [], actions, active: true }
    return (await service.request('POST', '/api/v1/billing/rules', rule)).body.rule_id
  },
  '/audit-log?entry=': async (service) => (await service.request('GET', '/api/v1/org/audit-log')).body.data[0].id,
  '/events?event=': async (service) => (await service.request('GET', '/api/v1/events')).body.data[0].id,
  '/webhooks?endpoint=': async (service) => {
    const endpoint = { url: 'https://receiver.invalid/hook', events: ['session.ended'] }
    return (await service.request('POST', '/api/v1/webhooks/endpoints', endpoint)).body.id
  },
}

/** Nobody's, and of the same form. */
export const absentOf = (id: string): string =>
  /^[a-z]+_[0-9A-Z]{26}$/.test(id) ? id.replace(/_.*/, `_${'0'.repeat(26)}`) : `N${id.slice(1, -1)}0`

/** The path with what there is in the place of its parameters. */
export async function pathWith(service: Service, path: string): Promise<string> {
  let filled = path
  for (const [, name] of path.matchAll(/:(\w+)/g)) {
    const find = identifiers[name as string]
    if (find === undefined) throw new Error(`test/console/identifiers.ts has no line for ${name}, which is in ${path}`)
    filled = filled.replace(`:${name}`, encodeURIComponent(await find(service)))
  }
  return filled
}
