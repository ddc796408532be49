// From a tariff to a bill, and to what the bill would have been: the whole of billing over the built service.

import { test } from 'tap'
import { bootChargePoint, energyAt, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import type { OcppClient } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'

const service = await tenantOf(await sharedService())

const tariff = {
  name: 'Energy, time and idle time',
  currency: 'EUR',
  tax_percentage: 20,
  components: [
    { type: 'energy', price: 0.5 },
    { type: 'time', price: 1, step_size: 300 },
    { type: 'idle', price: 6 },
  ],
}
const discount = {
  name: 'A tenth less',
  priority: 1,
  conditions: [{ field: 'energy_kwh', operator: 'gte', value: 1 }],
  actions: [{ type: 'discount_percent', value: 10 }],
}

/** Two sessions of one charge point begin on different connectors: else the second were a repeat of the first. */
async function start(client: OcppClient, connectorId = 1): Promise<number> {
  const { payload } = await client.call('StartTransaction', startRequest({ connectorId, timestamp: secondsAgo(3_600) }))
  const status = { connectorId, status: 'Charging', errorCode: 'NoError', timestamp: secondsAgo(3_600) }
  await client.call('StatusNotification', status)
  return payload.transactionId as number
}

async function stop(client: OcppClient, transactionId: number, connectorId = 1): Promise<void> {
  const meterValue = [energyAt(secondsAgo(1_800), 5_000)]
  await client.call('MeterValues', { connectorId, transactionId, meterValue })
  const full = { connectorId, status: 'SuspendedEV', errorCode: 'NoError', timestamp: secondsAgo(1_200) }
  await client.call('StatusNotification', full)
  await client.call('StopTransaction', { transactionId, meterStop: 11_000, timestamp: secondsAgo(0) })
}

test('billing - a session keeps the tariff of its start, takes the rules of its end, and simulates to its own cost', async (t) => {
  const client = await bootChargePoint(service, 'BI-BILLED')
  const made = await service.request('POST', '/api/v1/billing/tariffs', tariff)
  const path = `/api/v1/billing/tariffs/${made.body.tariff_id}`
  await service.request('PUT', '/api/v1/chargepoints/BI-BILLED/tariff', { tariff_id: made.body.tariff_id })
  const first = await start(client)
  const dearer = { ...tariff, currency: 'USD', components: [{ type: 'energy', price: 5 }] }
  t.equal((await service.request('PUT', path, dearer)).status, 200)
  const rule = await service.request('POST', '/api/v1/billing/rules', discount)
  await stop(client, first)

  const session = await sessionOf(service, 'BI-BILLED', first)
  t.match(session, { status: 'completed', currency: 'EUR', tariff_id: made.body.tariff_id })
  // 10 kWh are 5.00; of the hour 40 minutes charging and 20 idle, give or take the seconds of this test.
  t.ok(session.cost > 8 && session.cost < 8.5, `${session.cost}`)
  const period = { from: secondsAgo(7_200), to: secondsAgo(-3_600) }
  const simulated = async (rules: object) =>
    (await service.request('POST', '/api/v1/billing/rules/simulate', { ...period, ...rules })).body
  t.match(await simulated({ rule_ids: [rule.body.rule_id] }), {
    sessions: [{ session_id: session.session_id, cost: session.cost, simulated_cost: session.cost, difference: 0 }],
    totals: [{ currency: 'EUR', sessions: 1, changed_sessions: 0 }],
  })
  const free = { ...discount, actions: [{ type: 'set_total', value: 0 }] }
  t.match(await simulated({ rules: [free] }), { sessions: [{ simulated_cost: 0, difference: -session.cost }] })
  t.match(await sessionOf(service, 'BI-BILLED', first), { cost: session.cost }, 'nothing was changed by it')

  const second = await start(client, 2)
  await stop(client, second, 2)
  t.match(
    await sessionOf(service, 'BI-BILLED', second),
    { currency: 'USD', cost: 54 },
    '10 kWh at 5, less a tenth, with tax',
  )
})

test('billing - a tariff that is taken away and removed in the middle of a session still bills it', async (t) => {
  const client = await bootChargePoint(service, 'BI-REMOVED')
  const made = await service.request('POST', '/api/v1/billing/tariffs', {
    ...tariff,
    components: [{ type: 'energy', price: 0.1 }],
  })
  const assignment = '/api/v1/chargepoints/BI-REMOVED/tariff'
  await service.request('PUT', assignment, { tariff_id: made.body.tariff_id })
  const running = await start(client)
  await service.request('PUT', assignment, { tariff_id: null })
  t.equal((await service.request('DELETE', `/api/v1/billing/tariffs/${made.body.tariff_id}`)).status, 204)
  await stop(client, running)
  t.match(await sessionOf(service, 'BI-REMOVED', running), { cost: 1.08, currency: 'EUR' })
  const unpriced = await start(client, 2)
  await stop(client, unpriced, 2)
  t.match(await sessionOf(service, 'BI-REMOVED', unpriced), { cost: null, currency: null }, 'without a tariff, no cost')
})
