// Cars at a site share its power: over the built service, with charge points that hold the limits that they are sent.

import { test } from 'tap'
import { bootChargePoint, command } from '../support/charge-point.js'
import { limitedBox, type SentProfile } from '../support/limited-box.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const site = { name: 'Quayside', address: 'Quay 1', max_grid_power_kw: 60, latitude: 53.5, longitude: 9.9 }

async function siteWith(
  tenant: Tenant,
  ids: readonly string[],
  fields: object = {},
  refuses: (id: string, profile: SentProfile) => boolean = () => false,
) {
  const { site_id } = (await tenant.request('POST', '/api/v1/sites', site)).body
  const boxes = []
  for (const id of ids) {
    const client = await bootChargePoint(tenant, id, { connector_count: 1, max_power_kw: 22.08, ...fields })
    boxes.push({ client, box: limitedBox(client, { refuses: (profile) => refuses(id, profile) }) })
    await tenant.request('POST', `/api/v1/sites/${site_id}/chargers/${id}/link`)
  }
  const path = `/api/v1/smart-charging/sites/${site_id}`
  return {
    boxes,
    path,
    site_id,
    configure: (body: object) => tenant.request('PUT', `${path}/config`, body),
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
    allocation: async (): Promise<any> => (await tenant.request('GET', `${path}/allocation`)).body,
  }
}

test('site power - cars share the budget, more of it when one leaves, and none of it is left behind', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const { boxes, path, site_id, configure, allocation } = await siteWith(tenant, ['SP-1', 'SP-2', 'SP-3'])
  t.equal((await tenant.request('GET', `${path}/allocation`)).body.error.code, 'site_not_managed')
  const tooMuch = await configure({ max_power_kw: 70, strategy: 'equal' })
  t.equal(tooMuch.body.error.code, 'exceeds_grid_capacity')
  t.equal((await configure({ max_power_kw: 50, strategy: 'equal' })).status, 200)
  // Each has a standing limit of its floor: 6 A.
  await until(() => boxes.every(({ box }) => box.limitOf(1) === 6))

  const transactions = []
  for (const { box } of boxes) transactions.push(await box.start())
  await until(async () => (await allocation()).chargers.every(({ state }: { state: string }) => state === 'applied'))
  const shared = await allocation()
  t.match(shared, { total_budget_kw: 50, strategy: 'equal', unlimited: [] })
  t.ok(shared.counted_kw <= 50, `${shared.counted_kw} kW are counted`)
  for (const charger of shared.chargers) {
    t.match(charger, { allocated_kw: 16.629, reason: 'share', alone_kw: 22.08, counted_kw: 16.629 })
    t.match(charger.explanation, /16.63 kW is its equal share: 50 kW are shared by 3 cars/)
  }
  t.same(
    boxes.map(({ box }) => box.limitOf(1)),
    [24.1, 24.1, 24.1],
  )

  const configuration = { max_power_kw: 20, strategy: 'priority', priority_order: ['SP-2'] }
  const supposed = (await tenant.request('POST', `${path}/simulate`, { configuration })).body
  t.match(
    supposed.chargers.map((charger: { allocated_kw: number; reason: string }) => [
      charger.allocated_kw,
      charger.reason,
    ]),
    [
      [4.14, 'priority'],
      [11.661, 'priority'],
      [4.14, 'priority'],
    ],
  )
  t.equal(supposed.total_budget_kw, 20)
  t.equal((await allocation()).total_budget_kw, 50, 'which changes nothing')

  await boxes[0]?.box.stop(transactions[0] as number)
  await until(() => boxes[1]?.box.limitOf(1) === 32 && boxes[2]?.box.limitOf(1) === 32)
  t.equal(boxes[0]?.box.limitOf(1), 6, 'the standing limit is there for the next car')

  const rebalanced = await tenant.request('POST', `${path}/rebalance`)
  t.match(rebalanced.body, { site_id, chargers_recalculated: 2 })

  await t.test('what operators may do beside it', async (t) => {
    const own = await command(tenant, 'SP-2', 'set_power_limit', { connector_id: 1, limit_watts: 22_000 })
    t.match([own.status, own.body.error?.code], [409, 'managed_by_site'])
    const whole = await command(tenant, 'SP-2', 'set_power_limit', { connector_id: 0, limit_watts: 11_000 })
    t.equal(whole.status, 200, 'a limit of the whole charge point only lowers what it may draw')
  })

  t.equal((await tenant.request('DELETE', `/api/v1/sites/${site_id}/chargers/SP-3`)).status, 204)
  await until(() => boxes[2]?.box.profiles.size === 0)
  t.equal((await tenant.request('DELETE', `${path}/config`)).status, 204)
  await until(() => boxes[0]?.box.profiles.size === 0 && boxes[1]?.box.limitOf(1) === 11_000)
})

test('site power - a session that an operator ends is counted until the charge point has lowered its limit', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const refusing = new Set<string>()
  const ids = ['SE-1', 'SE-2', 'SE-3']
  const { boxes, configure, allocation, path } = await siteWith(tenant, ids, {}, (id) => refusing.has(id))
  await configure({ max_power_kw: 50, strategy: 'equal' })
  const held = (): readonly (number | undefined)[] => boxes.map(({ box }) => box.limitOf(1))
  await until(() => held().every((amperes) => amperes === 6))
  for (const { box } of boxes) await box.start()
  await until(() => held().every((amperes) => amperes === 24.1))

  const end = async (id: string): Promise<void> => {
    const { body } = await tenant.request('GET', `/api/v1/sessions?charge_point_id=${id}&status=active`)
    t.equal(
      (
        await tenant.request('POST', `/api/v1/sessions/${body.sessions[0].session_id}/close`, {
          reason: 'Other',
        })
      ).status,
      200,
    )
  }
  refusing.add('SE-2')
  const asked = boxes[1]?.box.actions.length ?? 0
  await end('SE-2')
  await until(() => (boxes[1]?.box.actions.length ?? 0) >= asked + 2)
  const { unlimited, counted_kw, chargers } = await allocation()
  t.match(unlimited, [{ charge_point_id: 'SE-2', counted_kw: 16.629, reason: /was ended without its word/ }])
  t.ok(counted_kw <= 50, `${counted_kw} kW are counted`)
  t.equal(chargers.length, 2)
  t.same(held(), [24.1, 24.1, 24.1], 'nobody has what its car may still draw')

  await end('SE-1')
  await until(() => boxes[0]?.box.limitOf(1) === 6 && Number(boxes[2]?.box.limitOf(1)) > 24.1)
  t.ok((await allocation()).counted_kw <= 50, 'what was lowered goes to another')
  // The car has left after all.
  const status = { connectorId: 1, status: 'Available', errorCode: 'NoError', timestamp: new Date().toISOString() }
  await boxes[1]?.client.call('StatusNotification', status)
  await tenant.request('POST', `${path}/rebalance`)
  t.same((await allocation()).unlimited, [])
})

test('site power - a car is on fewer phases only where what is metered on them is all that it draws', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const { boxes, configure, allocation } = await siteWith(tenant, ['SM-1', 'SM-2'])
  await configure({ max_power_kw: 30, strategy: 'equal' })
  const held = (): readonly (number | undefined)[] => boxes.map(({ box }) => box.limitOf(1))
  await until(() => held().every((amperes) => amperes === 6))
  const transactionId = await boxes[0]?.box.start()
  await boxes[1]?.box.start()
  await until(() => held().every((amperes) => amperes === 21.7))

  /** Watts in all, and amperes of L1 and so on. */
  async function meter(watts: number | undefined, ...amperes: number[]): Promise<void> {
    const currents = amperes.map((value, index) => ({
      value: value.toFixed(1),
      measurand: 'Current.Import',
      unit: 'A',
      phase: `L${index + 1}`,
    }))
    const power = watts === undefined ? [] : [{ value: String(watts), measurand: 'Power.Active.Import', unit: 'W' }]
    await boxes[0]?.client.call('MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [{ timestamp: new Date().toISOString(), sampledValue: [...power, ...currents] }],
    })
  }

  const first = async () =>
    (await allocation()).chargers.find((one: { charge_point_id: string }) => one.charge_point_id === 'SM-1')

  await meter(14_970, 21.7)
  await until(async () => (await first()).drawn_kw === 14.97)
  t.match(await first(), { phases: 3, counted_kw: 14.973 }, 'one of its three phases is metered')
  await meter(undefined, 21.6)
  await until(async () => (await first()).drawn_kw !== 14.97)
  t.match(await first(), { phases: 3 }, 'nobody knows what the others carry')
  t.same(held(), [21.7, 21.7], 'nobody else has what it draws')
  await meter(4_900, 21.7)
  t.ok(await until(async () => (await first()).phases === 1), 'all that it draws is on one')
  await meter(undefined, 21.5, 0, 0)
  t.match(await first(), { phases: 1 }, 'all three are metered')
  await meter(9_900, 21.6, 21.6, 0)
  t.ok(await until(async () => (await first()).phases === 2), 'and two carry something')
})

test('site power - limits are cleared although the connection breaks before the charge point has answered', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const { boxes, configure, allocation, site_id } = await siteWith(tenant, ['SL-1'])
  await configure({ max_power_kw: 50, strategy: 'equal' })
  // What others have set is cleared, too.
  await until(async () => (await allocation()).counted_kw === 4.14)
  await boxes[0]?.client.close()
  const silent = await connectOcpp(`${tenant.ocppUrl}/SL-1`)
  await silent.boot()
  t.equal((await tenant.request('DELETE', `/api/v1/sites/${site_id}/chargers/SL-1`)).status, 204)
  // It answers what its site has sent, and nothing of what clears it.
  for (;;) {
    const [, id, action] = (await silent.nextFrame()) as [number, string, string]
    if (action === 'ClearChargingProfile') break
    silent.raw(JSON.stringify([3, id, { status: 'Accepted' }]))
  }
  await silent.close()
  const again = await connectOcpp(`${tenant.ocppUrl}/SL-1`)
  const box = limitedBox(again)
  await again.boot()
  await until(() => box.actions.filter((sent) => sent === 'ClearChargingProfile').length === 2)
})

test('site power - a connector that a charge point shows later counts from then on', async () => {
  const tenant = await tenantOf(await sharedService())
  const { boxes, configure, allocation } = await siteWith(tenant, ['SC-1'])
  await configure({ max_power_kw: 10, strategy: 'equal' })
  await until(() => boxes[0]?.box.limitOf(1) === 6)
  await until(async () => (await allocation()).counted_kw === 4.14)
  for (const connectorId of [2, 3, 4])
    await boxes[0]?.client.call('StatusNotification', { connectorId, status: 'Available', errorCode: 'NoError' })
  await until(() => boxes[0]?.box.limitOf(1) === 0)
  await until(async () => (await allocation()).counted_kw === 0)
})

test('site power - what one that refuses the standing limit leaves is given to the others, all of it', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const isStanding = (profile: SentProfile): boolean => profile.connectorId === 0
  const { boxes, configure, allocation } = await siteWith(tenant, ['SR-1', 'SR-2'], {}, (id, profile) => {
    return id === 'SR-1' && isStanding(profile)
  })
  await configure({ max_power_kw: 30, strategy: 'equal' })
  await until(async () => (await allocation()).unlimited.length === 1)
  for (const { box } of boxes) await box.start()
  // 30 kW less the 22.08 kW that the next car of SR-1 may draw at any time.
  await until(() => boxes[1]?.box.limitOf(1) === 11.4)
  t.ok((await allocation()).counted_kw <= 30)
})

test('site power - an organization asks its sites a few questions at a time, and the rest is refused', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const { path, configure } = await siteWith(tenant, ['SQ-1'])
  await configure({ max_power_kw: 50, strategy: 'equal' })
  const answers = await Promise.all(Array.from({ length: 400 }, () => tenant.request('GET', `${path}/allocation`)))
  const statuses = new Set(answers.map(({ status }) => status))
  const refused = answers.filter(({ status }) => status === 503)
  t.same([...statuses].sort(), [200, 503])
  t.match(refused[0]?.body.error, { code: 'overloaded', message: /too many questions of this organization/ })
  t.equal((await tenant.request('GET', `${path}/allocation`)).status, 200)
})
