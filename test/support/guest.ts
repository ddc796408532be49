// Guests of a service under test: asking for a charge, charging, and what the sandbox provider knows afterwards.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxAccount } from '../../src/jobs/payments/sandbox.js'
import { bootChargePoint, secondsAgo } from './charge-point.js'
import type { OcppClient } from './ocpp-client.js'
import { sellEnergyAt } from './sell.js'
import { type Answer, type Service, startService, type Teardowns } from './service.js'
import { until } from './until.js'

export const guestPath = '/api/v1/sessions/guest'

export function ask(service: Service, method: string, token: string, what: string): Promise<Answer> {
  return service.request(method, `${guestPath}/${token}/${what}`)
}

export const wish = (payment_method_id = 'pm_card_ok') => ({
  charge_point_id: 'CP-1',
  connector_id: 1,
  payment_method_id,
})

/** Asks for a guest's charge and has the charge point answer. */
export async function authorize(
  service: Service,
  client: OcppClient,
  method?: string,
  status = 'Accepted',
): Promise<{ answer: Answer; token: string; idTag: string }> {
  const asked = service.request('POST', `${guestPath}/authorize`, wish(method))
  const call = await client.answerNext({ status })
  const answer = await asked
  return { answer, token: answer.body.session_token, idTag: (call[3] as { idTag: string }).idTag }
}

export async function begin(
  client: OcppClient,
  idTag: string,
  connectorId = 1,
  timestamp = secondsAgo(1800),
): Promise<{ id: number; status: string }> {
  const { payload } = await client.call('StartTransaction', { connectorId, idTag, meterStart: 1000, timestamp })
  return { id: payload.transactionId, status: payload.idTagInfo.status }
}

export function finish(client: OcppClient, transactionId: number, meterStop = 11_000) {
  return client.call('StopTransaction', { transactionId, meterStop, timestamp: secondsAgo(0) })
}

/** What the provider knows, one entry for each authorisation. */
export function accounts({ data }: Service): SandboxAccount[] {
  const folder = join(data, 'payments-sandbox')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as SandboxAccount)
}

export async function statusIs(service: Service, token: string, payment: string): Promise<Answer> {
  return until(async () => {
    const answer = await ask(service, 'GET', token, 'status')
    return answer.body.payment_status === payment && answer
  })
}

/** A charge point that sells energy at 0.40 EUR per kWh, and is connected. */
export async function setUp(
  t: Teardowns,
  flags: readonly string[] = [],
): Promise<{ service: Service; client: OcppClient }> {
  const service = await sellEnergyAt(t, 'CP-1', 0.4, flags)
  return { service, client: await bootChargePoint(service, 'CP-1') }
}

export const again = (t: Teardowns, { data, key }: Service): Promise<Service> => startService(t, { data, key })
