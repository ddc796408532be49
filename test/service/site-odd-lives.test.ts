// Sites to which something odd happens while cars charge, over the built service with charge points that hold what they are sent.

import { type Test, test } from 'tap'
import { bootChargePoint, command, secondsAgo } from '../support/charge-point.js'
import { type LimitedBox, limitedBox } from '../support/limited-box.js'
import type { OcppClient } from '../support/ocpp-client.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const place = { name: 'Quayside', address: 'Quay 1', max_grid_power_kw: 100, latitude: 53.5, longitude: 9.9 }
const volts = 230

interface Member {
  readonly id: string
  readonly client: OcppClient
  readonly box: LimitedBox
}

async function memberOf(tenant: Tenant, id: string, fields: object = {}, configuration: object = {}): Promise<Member> {
  const client = await bootChargePoint(tenant, id, { connector_count: 1, max_power_kw: 22.08, ...fields })
  return { id, client, box: limitedBox(client, { configuration: { ...configuration } }) }
}

async function siteOf(tenant: Tenant, members: readonly Member[]) {
  const { site_id } = (await tenant.request('POST', '/api/v1/sites', place)).body
  const path = `/api/v1/smart-charging/sites/${site_id}`
  const chargers = `/api/v1/sites/${site_id}/chargers`
  const site = {
    site_id,
    link: (id: string) => tenant.request('POST', `${chargers}/${id}/link`),
    unlink: (id: string) => tenant.request('DELETE', `${chargers}/${id}`),
    configure: (max_power_kw: number, fields: object = {}) =>
      tenant.request('PUT', `${path}/config`, { max_power_kw, strategy: 'equal', ...fields }),
    unmanage: () => tenant.request('DELETE', `${path}/config`),
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
    allocation: async (): Promise<any> => (await tenant.request('GET', `${path}/allocation`)).body,
  }
  for (const { id } of members) await site.link(id)
  return site
}

const held = (members: readonly Member[]): readonly (number | undefined)[] => members.map(({ box }) => box.limitOf(1))

/** What the cars may draw by the limits that are in force, kW; they have three phases. */
function mayDraw(members: readonly Member[]): number {
  const amperes = held(members).map((limit) => Math.min(32, limit ?? 32))
  return amperes.reduce((sum, limit) => sum + limit * 3 * volts, 0) / 1_000
}

const isSettled = async (site: Awaited<ReturnType<typeof siteOf>>): Promise<boolean> => {
  const { chargers } = await site.allocation()
  return chargers.every(({ state }: { readonly state: string }) => state === 'applied' || state === 'paused')
}

test('site odd lives - a limit that an operator has set before does not take the place of the standing one', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const members = [await memberOf(tenant, 'OL-1A'), await memberOf(tenant, 'OL-1B')]
  const own = await command(tenant, 'OL-1A', 'set_power_limit', { connector_id: 1, limit_watts: 20_000 })
  t.equal(own.status, 200)
  t.equal(members[0]?.box.limitOf(1), 20_000, 'which would be in force for the next car')
  const site = await siteOf(tenant, members)
  await site.configure(22)
  await until(() => held(members).every((limit) => limit === 6))
  await members[1]?.box.start()
  await until(async () => Number(held(members)[1]) > 6 && (await isSettled(site)))
  t.ok(mayDraw(members) <= 22, `${mayDraw(members)} kW`)
  t.match(await site.allocation(), { unlimited: [], chargers: [{ allocated_kw: 17.802 }] })
  t.equal((await command(tenant, 'OL-1A', 'set_power_limit', { connector_id: 1, limit_watts: 20_000 })).status, 409)
  t.equal(held(members)[0], 6)
})

test('site odd lives - a budget that falls below the sum of the floors, to 0, and comes back', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const ids = ['OL-2A', 'OL-2B', 'OL-2C']
  const members = await Promise.all(ids.map((id) => memberOf(tenant, id)))
  const site = await siteOf(tenant, members)
  const settles = async (budgetKw: number, paused: number, total: number): Promise<void> => {
    t.equal((await site.configure(budgetKw)).status, 200)
    const is = async (): Promise<boolean> => {
      const { chargers, total_budget_kw, counted_kw } = await site.allocation()
      const states: readonly string[] = chargers.map(({ state }: { readonly state: string }) => state)
      const isThere = states.filter((state) => state === 'paused').length === paused && total_budget_kw === budgetKw
      return isThere && counted_kw <= budgetKw && !states.includes('pending') && states.length === total
    }
    await until(is)
    t.ok(mayDraw(members) <= budgetKw, `${mayDraw(members)} of ${budgetKw} kW`)
  }
  await settles(50, 0, 0)
  for (const { box } of members) await box.start()
  await settles(50, 0, 3)
  t.same(held(members), [24.1, 24.1, 24.1])
  await settles(10, 1, 3)
  await settles(3, 3, 3)
  await settles(0, 3, 3)
  t.same(held(members), [0, 0, 0])
  await settles(50, 0, 3)
  t.same(held(members), [24.1, 24.1, 24.1])
})

test('site odd lives - a configuration that is removed while cars charge clears their limits; with another they have limits again', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const members = [await memberOf(tenant, 'OL-3A'), await memberOf(tenant, 'OL-3B')]
  const site = await siteOf(tenant, members)
  await site.configure(20)
  for (const { box } of members) await box.start()
  await until(async () => isSettled(site))
  t.ok(mayDraw(members) <= 20)
  t.equal((await site.unmanage()).status, 204)
  await until(() => members.every(({ box }) => box.profiles.size === 0))
  const { body } = await tenant.request('GET', `/api/v1/sessions?site_id=${site.site_id}&status=active`)
  t.equal(body.total, 2, 'the sessions go on')
  await site.configure(15)
  await until(async () => (await isSettled(site)) && held(members).every((limit) => limit === 10.8))
  t.same((await site.allocation()).unlimited, [])
})

test('site odd lives - a charge point that is moved while it charges makes room, and is limited where it comes to', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const [moved, stays, there] = (await Promise.all(['OL-4A', 'OL-4B', 'OL-4C'].map((id) => memberOf(tenant, id)))) as [
    Member,
    Member,
    Member,
  ]
  const from = await siteOf(tenant, [moved, stays])
  const to = await siteOf(tenant, [there])
  await from.configure(20)
  await to.configure(20)
  await until(() => held([moved, stays, there]).every((limit) => limit === 6))
  for (const { box } of [moved, stays, there]) await box.start()
  await until(() => moved.box.limitOf(1) === 14.4 && stays.box.limitOf(1) === 14.4)
  await until(() => Number(there.box.limitOf(1)) > 28)
  await from.unlink(moved.id)
  await until(() => Number(stays.box.limitOf(1)) > 28)
  await to.link(moved.id)
  await until(async () => (await isSettled(to)) && moved.box.limitOf(1) === 14.4 && there.box.limitOf(1) === 14.4)
  t.match(await to.allocation(), {
    unlimited: [],
    chargers: [{ charge_point_id: 'OL-4C' }, { charge_point_id: 'OL-4A' }],
  })
  t.match(await from.allocation(), { chargers: [{ charge_point_id: 'OL-4B' }] })
  await to.unlink(moved.id)
  await until(() => moved.box.profiles.size === 0)
  t.equal((await tenant.request('GET', `/api/v1/sessions?charge_point_id=OL-4A&status=active`)).body.total, 1)
})

test('site odd lives - limits have the highest stack level that a charge point takes, which may be 0', async (t: Test) => {
  const tenant = await tenantOf(await sharedService())
  const levels = [0, 8]
  const members = await Promise.all(
    levels.map((level) => memberOf(tenant, `OL-5-${level}`, {}, { ChargeProfileMaxStackLevel: String(level) })),
  )
  for (const { id: charge_point_id } of members) {
    const read = { charge_point_id, command: 'GetConfiguration', payload: {} }
    t.equal((await tenant.request('POST', '/api/v1/ocpp16/send_command', read)).status, 200)
  }
  const site = await siteOf(tenant, members)
  await site.configure(30)
  for (const { box } of members) await box.start()
  await until(async () => isSettled(site))
  for (const [index, { box }] of members.entries()) {
    const profiles = [...box.profiles.values()].map(({ csChargingProfiles }) => csChargingProfiles)
    t.same(
      profiles.map(({ chargingProfilePurpose, stackLevel }) => [chargingProfilePurpose, stackLevel]),
      [
        ['TxDefaultProfile', levels[index]],
        ['TxProfile', levels[index]],
      ],
    )
  }
})

test('site odd lives - a charge point that sends its energy register alone has its full share', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const members = [await memberOf(tenant, 'OL-6A'), await memberOf(tenant, 'OL-6B')]
  const site = await siteOf(tenant, members)
  await site.configure(20)
  const transactions = []
  for (const { box } of members) transactions.push(await box.start())
  await until(async () => isSettled(site))
  const [first] = members
  const sampledValue = [{ value: '5000', measurand: 'Energy.Active.Import.Register', unit: 'Wh' }]
  const meterValue = [{ timestamp: secondsAgo(1), sampledValue }]
  await first?.client.call('MeterValues', { connectorId: 1, transactionId: transactions[0], meterValue })
  const { chargers } = await site.allocation()
  t.match(chargers[0], { drawn_kw: null, state: 'applied', allocated_kw: 9.936, demand_kw: 22.08 })
  t.ok(mayDraw(members) <= 20)
})
