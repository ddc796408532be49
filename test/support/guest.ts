// Guests of a service under test: asking for a charge, charging, and what the sandbox provider knows afterwards.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxAccount } from '../../src/jobs/payments/sandbox.js'
import { bootChargePoint, secondsAgo } from './charge-point.js'
import type { OcppClient } from './ocpp-client.js'
import { tenantOf } from './organization.js'
import { priceEnergyAt } from './sell.js'
import { type Answer, type Service, startService, type Teardowns } from './service.js'
import { sharedService } from './shared-services.js'
import { until } from './until.js'

export const guestPath = '/api/v1/sessions/guest'

export function ask(service: Service, method: string, token: string, what: string): Promise<Answer> {
  return service.request(method, `${guestPath}/${token}/${what}`)
}

export interface GuestChargePoint extends OcppClient {
  readonly id: string
}

export const wish = ({ id }: GuestChargePoint, payment_method_id = 'pm_card_ok') => ({
  charge_point_id: id,
  connector_id: 1,
  payment_method_id,
})

/** Asks for a guest's charge and has the charge point answer. */
export async function authorize(
  service: Service,
  client: GuestChargePoint,
  method?: string,
  status = 'Accepted',
): Promise<{ answer: Answer; token: string; idTag: string }> {
  const asked = service.request('POST', `${guestPath}/authorize`, wish(client, method))
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

/** A service that sells to guests. */
export interface GuestService extends Service {
  /** Files of the provider that were there before. */
  readonly earlier: ReadonlySet<string>
}

function accountFiles({ data }: Service): string[] {
  const folder = join(data, 'payments-sandbox')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
}

/** What the provider knows, one entry for each authorisation. */
export function accounts(service: GuestService): SandboxAccount[] {
  return accountFiles(service)
    .filter((path) => !service.earlier.has(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as SandboxAccount)
}

export async function statusIs(service: Service, token: string, payment: string): Promise<Answer> {
  return until(async () => {
    const answer = await ask(service, 'GET', token, 'status')
    return answer.body.payment_status === payment && answer
  })
}

export interface Stage {
  readonly service: GuestService
  readonly client: GuestChargePoint
}

let chargePoints = 0

async function stage(service: Service): Promise<Stage> {
  const id = `GUEST-${++chargePoints}`
  const connected = await bootChargePoint(service, id)
  return { service: { ...service, earlier: new Set(accountFiles(service)) }, client: { ...connected, id } }
}

async function selling(stage: Stage): Promise<Stage> {
  await priceEnergyAt(stage.service, stage.client.id, 0.4)
  return stage
}

/** A charge point that is connected, of an organization of its own; tests share the service, which none of them may end. */
export async function setUpWithoutTariff(flags: readonly string[] = []): Promise<Stage> {
  return stage(await tenantOf(await sharedService(flags)))
}

/** The same, selling energy at 0.40 EUR per kWh. */
export async function setUp(flags: readonly string[] = []): Promise<Stage> {
  return selling(await setUpWithoutTariff(flags))
}

/** The same at a service that is the test's own. */
export async function setUpAlone(t: Teardowns): Promise<Stage> {
  return setUpAt(await startService(t))
}

/** One more charge point of the service's organization. */
export async function setUpAt(service: Service): Promise<Stage> {
  return selling(await stage(service))
}

export const again = (t: Teardowns, { data, key }: Service): Promise<Service> => startService(t, { data, key })
