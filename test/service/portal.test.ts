// A charge at the built service from its tariff to its receipt: what the driver sees, disputes, and what the operator earns.

import { execFileSync, spawnSync } from 'node:child_process'
import { type Test, test } from 'tap'
import { limits } from '../../src/process/limits.js'
import { bootChargePoint, energyAt, secondsAgo, startRequest } from '../support/charge-point.js'
import type { OcppClient } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import type { Service } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'

const reader = { skip: spawnSync('pdftotext', ['-v']).error === undefined ? false : 'pdftotext is not installed' }

/** A charge point of an organization of its own, at 0.50 a kWh and 1.00 a session, with 10 percent of tax. */
async function selling(t: Test, id: string): Promise<{ service: Service; client: OcppClient }> {
  const service = await tenantOf(await sharedService())
  const client = await bootChargePoint(service, id, { name: 'Café Łódź', address: 'Straße 1' })
  const components = [
    { type: 'energy', price: 0.5 },
    { type: 'flat', price: 1 },
  ]
  const tariff = { name: 'Public', currency: 'EUR', tax_percentage: 10, components }
  const { body } = await service.request('POST', '/api/v1/billing/tariffs', tariff)
  const { tariff_id } = body
  t.equal((await service.request('PUT', `/api/v1/chargepoints/${id}/tariff`, { tariff_id })).status, 200)
  return { service, client }
}

async function portal(service: Service, rest = '', body?: unknown) {
  return service.request(body === undefined ? 'GET' : 'POST', `/api/v1/portal/sessions${rest}`, body)
}

async function receipt(service: Service, sessionId: string): Promise<{ name: string; text: string; bytes: Buffer }> {
  const url = `${service.url}/api/v1/portal/sessions/${sessionId}/receipt`
  const response = await fetch(url, { headers: { authorization: `Bearer ${service.key}` } })
  if (response.headers.get('content-type') !== 'application/pdf') throw new Error(await response.text())
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: bytes, encoding: 'utf8' })
  return { name: response.headers.get('content-disposition') ?? '', text, bytes }
}

test('portal - a charge is seen while it runs, and has breakdown, receipt, dispute and revenue', reader, async (t) => {
  const { service, client } = await selling(t, 'PORTAL-1')
  const { transactionId } = (await client.call('StartTransaction', startRequest())).payload
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue: [energyAt(secondsAgo(900), 5_000)] })
  const running = (await portal(service)).body.data[0]
  t.match(running, { status: 'active', energy_kwh: 4, cost: 3.3, currency: 'EUR', ended_at: null })
  const { session_id: id } = running
  t.match((await portal(service, `/${id}/cost-breakdown`)).body, { final: false, subtotal: 3, tax: 0.3, total: 3.3 })
  t.match(await portal(service, `/${id}/receipt`), { status: 409, body: { error: { code: 'session_not_ended' } } })

  await client.call('StopTransaction', { transactionId, meterStop: 11_000, timestamp: secondsAgo(60), reason: 'Local' })
  t.match((await portal(service)).body, { total: 1, data: [{ status: 'completed', energy_kwh: 10, cost: 6.6 }] })
  const breakdown = (await portal(service, `/${id}/cost-breakdown`)).body
  t.match(breakdown, { final: true, subtotal: 6, tax_percentage: 10, tax: 0.6, total: 6.6, lines: { length: 2 } })
  const first = await receipt(service, id)
  for (const part of ['R-000001', 'Café Łódź', 'Straße 1', 'ID TAG', 'TAG-1', '€6.60', '10.00 kWh'])
    t.ok(first.text.includes(part), part)
  t.ok((await receipt(service, id)).bytes.equals(first.bytes))
  t.match(await portal(service, `/${id}/dispute`, { reason: 'twice the price' }), {
    status: 201,
    body: { status: 'open' },
  })
  const revenue = await service.request('GET', '/api/v1/billing/revenue?group_by=charge_point')
  t.match(revenue.body, {
    groups: [{ key: 'PORTAL-1', count: 1, total: 6.6 }],
    totals: [{ total: 6.6, energy_kwh: 10 }],
  })
})

test('portal - the receipt of an estimated end says so, and is corrected under its number', reader, async (t) => {
  const { service, client } = await selling(t, 'PORTAL-2')
  const { transactionId } = (await client.call('StartTransaction', startRequest())).payload
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue: [energyAt(secondsAgo(900), 5_000)] })
  // Another start on the connector: the charge point has lost the end of the first one.
  await client.call('StartTransaction', startRequest({ idTag: 'TAG-2', meterStart: 5_000, timestamp: secondsAgo(300) }))
  const { session_id: id, status, cost } = (await portal(service)).body.data[1]
  t.match({ status, cost }, { status: 'estimated', cost: 3.3 })
  const estimated = await receipt(service, id)
  t.match(estimated.text, /R-000001/)
  t.match(estimated.text, /has not reported the end of this session/)

  await client.call('StopTransaction', { transactionId, meterStop: 7_000, timestamp: secondsAgo(600) })
  const corrected = await receipt(service, id)
  t.equal(corrected.name, estimated.name)
  t.match(corrected.text, /R-000001/)
  t.match(corrected.text, /revision 2/)
  t.match(corrected.text, /€4\.40/)
  t.notMatch(corrected.text, /has not reported/)
})

test('portal - who asks for too many receipts at once is asked to come back, and gets them then', async (t) => {
  const { service, client } = await selling(t, 'PORTAL-3')
  const { transactionId } = (await client.call('StartTransaction', startRequest())).payload
  await client.call('StopTransaction', { transactionId, meterStop: 11_000, timestamp: secondsAgo(60), reason: 'Local' })
  const { session_id: id } = (await portal(service)).body.data[0]
  const ask = (): Promise<Response> =>
    fetch(`${service.url}/api/v1/portal/sessions/${id}/receipt`, {
      headers: { authorization: `Bearer ${service.key}` },
    })
  const answers = await Promise.all(Array.from({ length: 2 * limits.printsPerOrganization }, ask))
  const refused = answers.filter(({ status }) => status === 503)
  t.ok(refused.length > 0, `${refused.length} were refused`)
  t.equal(refused[0]?.headers.get('retry-after'), '5')
  t.match(await refused[0]?.json(), { error: { code: 'overloaded' } })
  t.ok(answers.filter(({ status }) => status === 200).length >= limits.printsPerOrganization)
  t.equal((await ask()).status, 200)
})
