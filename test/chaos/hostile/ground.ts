// What a hostile organization has from honest days: tariffs, and sessions that have ended.

import { connectOcpp } from '../../support/ocpp-client.js'
import type { Tenant } from '../../support/organization.js'

/** So that all its charge points sell energy. */
export async function sellEverywhere(tenant: Tenant): Promise<void> {
  const components = [{ type: 'energy', price: 0.4 }]
  const made = await tenant.request('POST', '/api/v1/billing/tariffs', { name: 'Energy', currency: 'EUR', components })
  const settings = { default_tariff_id: made.body.tariff_id }
  const answer = await tenant.request('PUT', `/api/v1/organizations/${tenant.id}/settings`, settings)
  if (answer.status !== 200) throw new Error(`there is no tariff: ${JSON.stringify(answer.body)}`)
}

/** Ended sessions of one of its charge points; returns the newest of their ids. */
export async function endSessions(tenant: Tenant, chargePointId: string, count: number): Promise<string> {
  await sellEverywhere(tenant)
  const client = await connectOcpp(`${tenant.ocppUrl}/${chargePointId}`)
  await client.boot()
  for (let at = 0; at < count; at++) {
    const begunAt = Date.now() - (count - at) * 60_000
    const timestamp = new Date(begunAt).toISOString()
    const begin = { connectorId: 1, idTag: 'TAG-1', meterStart: 1_000, timestamp }
    const { payload } = await client.call('StartTransaction', begin)
    const end = {
      transactionId: payload.transactionId,
      meterStop: 11_000,
      timestamp: new Date(begunAt + 30_000).toISOString(),
    }
    await client.call('StopTransaction', end)
  }
  await client.close()
  const { body } = await tenant.request('GET', `/api/v1/sessions?charge_point_id=${chargePointId}&per_page=1`)
  return body.sessions[0].session_id
}
