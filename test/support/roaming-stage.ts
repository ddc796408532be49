// What tests of roaming begin with: an organization that is a party, partners of it on real sockets, a charge point that they see, a driver.

import { bootChargePoint, secondsAgo, sessionOf, startRequest } from './charge-point.js'
import {
  asPartner,
  credentialsOf,
  invitePartner,
  type Misbehaviour,
  type OcpiPartnerStub,
  type PartnerRequest,
  party,
  startPartner,
} from './ocpi-partner.js'
import type { OcppClient } from './ocpp-client.js'
import { type Tenant, tenantOf } from './organization.js'
import type { Service, Teardowns } from './service.js'
import { until } from './until.js'

/** Partners of tests are on this machine. */
export const roamingFlags = ['--allow-insecure-webhooks', 'true']
export const modules = '/ocpi/cpo/2.2.1'

let count = 0

/** A party id that no other test of the process has. */
export const nextPartyId = (letter: string): string =>
  `${letter}${(++count).toString(36).padStart(2, '0')}`.toUpperCase()

export interface Operator extends Tenant {
  readonly partyId: string
}

export async function operatorOf(service: Service, fields: object = {}): Promise<Operator> {
  const tenant = await tenantOf(service)
  const partyId = nextPartyId('R')
  const { status } = await tenant.request('PUT', '/api/v1/ocpi/party', { ...party, party_id: partyId, ...fields })
  if (status !== 200) throw new Error('the party was not set')
  return { ...tenant, partyId }
}

export interface Partner extends OcpiPartnerStub {
  readonly id: string
  readonly partyId: string
  /** By which it calls the service. */
  readonly token: string
  readonly call: ReturnType<typeof asPartner>
  /** What it was sent of a module by itself, oldest first. */
  sent(module: string): readonly PartnerRequest[]
}

export interface PartnerOptions {
  /** What the operator decides of it. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Beside EMSP. */
  readonly roles?: readonly string[]
  readonly partyId?: string
  readonly misbehaviour?: (stub: OcpiPartnerStub) => Misbehaviour
}

export const emspRole = (party_id: string, role = 'EMSP') => ({
  role,
  country_code: 'NL',
  party_id,
  business_details: { name: 'Example Mobility' },
})

/** A partner that has registered. */
export async function partnerOf(
  t: Teardowns,
  service: Pick<Service, 'request'>,
  { fields = {}, roles = [], partyId = nextPartyId('E'), misbehaviour }: PartnerOptions = {},
): Promise<Partner> {
  const stub = await startPartner(t)
  stub.misbehave(misbehaviour?.(stub))
  const invited = await invitePartner(service, fields)
  const all = ['EMSP', ...roles].map((role) => emspRole(partyId, role))
  const credentials = credentialsOf(stub, `b-${invited.id}`, all)
  const { body } = await asPartner(service, invited.token)('POST', `${modules}/credentials`, credentials)
  if (body.status_code !== 1000) throw new Error(`the partner was not registered: ${JSON.stringify(body)}`)
  return {
    ...stub,
    id: invited.id,
    partyId,
    token: body.data.token,
    call: asPartner(service, body.data.token),
    sent: (module) => stub.requests.filter(({ path }) => path.startsWith(`/${module}`)),
  }
}

/** Sees to it that the partner knows the location. */
export async function publishedChargePoint(
  tenant: Tenant,
  { call }: Pick<Partner, 'call'>,
  id: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<OcppClient> {
  const client = await bootChargePoint(tenant, id, { connector_count: 2, ...fields })
  await tenant.request('PUT', `/api/v1/chargepoints/${id}/ocpi`, { publish: true, city: 'Utrecht' })
  await until(async () => (await call('GET', `${modules}/locations/${id}`)).status === 200)
  return client
}

export const setStatus = (client: OcppClient, connectorId: number, status: string) =>
  client.call('StatusNotification', { connectorId, status, errorCode: 'NoError' })

/** The newest status of an EVSE that the partner was told. */
export function toldStatus({ sent }: Pick<Partner, 'sent'>, uid: string): string | undefined {
  const told = sent('locations').flatMap(({ method, path, json }) => {
    if (method === 'PATCH') return path.endsWith(`/${uid}`) ? [json.status] : []
    return json.evses.filter((evse: { uid: string }) => evse.uid === uid).map((evse: { status: string }) => evse.status)
  })
  return told.at(-1)
}

export const tokenOf = ({ partyId }: Pick<Partner, 'partyId'>, uid: string, more: object = {}) => ({
  country_code: 'NL',
  party_id: partyId,
  uid,
  type: 'RFID',
  contract_id: `NL-${partyId}-${uid}`.slice(0, 36),
  issuer: 'Example Mobility',
  valid: true,
  whitelist: 'ALWAYS',
  last_updated: '2026-01-01T10:00:00Z',
  ...more,
})

/** A driver of the partner is known at every charge point of the organization. */
export async function sendToken(partner: Partner, uid: string, more: object = {}): Promise<void> {
  const path = `${modules}/tokens/NL/${partner.partyId}/${encodeURIComponent(uid)}`
  const { body } = await partner.call('PUT', path, tokenOf(partner, uid, more))
  if (body.status_code !== 1000) throw new Error(`the token was not taken: ${JSON.stringify(body)}`)
}

export const authorize = async (client: OcppClient, idTag: string): Promise<string> =>
  (await client.call('Authorize', { idTag })).payload.idTagInfo.status

export interface Charged {
  readonly transactionId: number
  readonly sessionId: string
}

/** Resolves when the start is answered, and so stored. */
export async function startCharge(
  tenant: Service,
  client: OcppClient,
  chargePointId: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Charged> {
  const { payload } = await client.call('StartTransaction', startRequest(fields))
  const { session_id: sessionId } = await sessionOf(tenant, chargePointId, payload.transactionId)
  return { transactionId: payload.transactionId, sessionId }
}

export const stopCharge = (client: OcppClient, { transactionId }: Pick<Charged, 'transactionId'>, meterStop: number) =>
  client.call('StopTransaction', { transactionId, meterStop, timestamp: secondsAgo(0), reason: 'Local' })

/** What the partner was posted to an address of its own: the result of a command. */
export const resultAt = ({ requests }: OcpiPartnerStub, path: string): Promise<string> =>
  until(() => requests.find((one) => one.path === path)?.json.result)
