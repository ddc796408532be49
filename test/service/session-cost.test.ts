// A charge under a tariff at the built service, over sockets: its cost while it runs, when it ends, and after a restart.

import { bootChargePoint, command, energyAt, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import type { OcppClient } from '../support/ocpp-client.js'
import type { Tenant } from '../support/organization.js'
import { testOverKill } from '../support/over-a-kill.js'

async function makeTariff({ request }: Tenant): Promise<string> {
  const components = [
    { type: 'energy', price: 0.5 },
    { type: 'flat', price: 1 },
  ]
  const wanted = { name: 'Public', currency: 'EUR', components, tax_percentage: 10 }
  return (await request('POST', '/api/v1/billing/tariffs', wanted)).body.tariff_id
}

async function bootAt(service: Tenant, chargePointId: string, tariff: string): Promise<OcppClient> {
  const client = await bootChargePoint(service, chargePointId)
  await service.request('PUT', `/api/v1/chargepoints/${chargePointId}/tariff`, { tariff_id: tariff })
  return client
}

/** Of a charge that a remote start began, and that has metered 4 kWh so far. */
async function beginCharge(service: Tenant, client: OcppClient, chargePointId: string): Promise<number> {
  const started = command(service, chargePointId, 'start_session', { connector_id: 1, id_tag: 'APP-1' })
  await client.answerNext({ status: 'Accepted' })
  const { status } = await started
  if (status !== 200) throw new Error(`the remote start was answered with ${status}`)
  const { transactionId } = (await client.call('StartTransaction', startRequest({ idTag: 'APP-1' }))).payload
  const meterValue = [energyAt(secondsAgo(600), 5_000)]
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
  return transactionId
}

async function endCharge(client: OcppClient, transactionId: number): Promise<void> {
  const stop = { transactionId, meterStop: 7_000, timestamp: secondsAgo(60), reason: 'Remote' }
  await client.call('StopTransaction', stop)
}

// 4 kWh for 2.00 and the fee of 1.00, with a tenth of tax; and 2 kWh more.
const begun = { status: 'active', cost: 3.3, currency: 'EUR', auth_method: 'remote' }
const finished = { status: 'completed', energy_kwh: 6, cost: 4.4, currency: 'EUR', stop_reason: 'Remote' }

testOverKill(
  'session cost - a remotely started charge is priced while it runs, when it ends, and alike after a kill',
  async (t, first) => {
    const tariff = await makeTariff(first)
    const client = await bootAt(first, 'COST-1', tariff)
    const transactionId = await beginCharge(first, client, 'COST-1')
    const listed = await sessionOf(first, 'COST-1', transactionId)
    t.match(listed, { ...begun, tariff_id: tariff })

    const other = await bootAt(first, 'COST-2', tariff)
    const stopped = await beginCharge(first, other, 'COST-2')
    await endCharge(other, stopped)
    const { session_id } = await sessionOf(first, 'COST-2', stopped)
    const view = async ({ request }: Tenant) => (await request('GET', `/api/v1/sessions/${session_id}`)).body
    const ended = await view(first)
    t.match(ended, finished)

    return async (t, second) => {
      t.same(await view(second), ended, 'a restart changes nothing')
      const path = `/api/v1/sessions/${listed.session_id}`
      t.match((await second.request('GET', path)).body, { status: 'active', cost: 3.3 })
      const again = await bootChargePoint(second, 'COST-1')
      await endCharge(again, transactionId)
      t.match((await second.request('GET', path)).body, finished)

      await again.call('StopTransaction', { transactionId: 99, meterStop: 9_000, timestamp: secondsAgo(30) })
      const { unmatched } = (await second.request('GET', '/api/v1/sessions/unmatched')).body
      t.match(unmatched, [{ charge_point_id: 'COST-1', status: 'open' }])
      const attach = `/api/v1/sessions/unmatched/${unmatched[0].unmatched_id}/attach`
      const refused = await second.request('POST', attach, { session_id: listed.session_id })
      t.match([refused.status, refused.body.error.code], [409, 'session_completed'])
      const next = startRequest({ meterStart: 7_000, timestamp: secondsAgo(50) })
      await again.call('StartTransaction', next)
      const [running] = (await second.request('GET', '/api/v1/sessions?status=active')).body.sessions
      const attached = await second.request('POST', attach, { session_id: running.session_id })
      t.match(attached.body.session, { status: 'completed', energy_kwh: 2, cost: 2.2, flags: ['reconciled'] })
      t.match((await second.request('GET', '/api/v1/id-tags/unknown')).body, { total: 2 })
    }
  },
)
