// Every kind of identifier that the API takes: how a tenant comes by one, and one that nobody has. A route whose identifiers
// are here is covered by the tests of this folder; one with an identifier that is not makes them fail.

import type { Route } from '../../src/api/pipeline/route.js'
import { startRequest } from '../support/charge-point.js'
import { until } from '../support/until.js'
import type { Charger } from './charger.js'
import { type Exception, exceptions, notIdentifiers } from './exceptions.js'
import type { Id, Kit } from './kit.js'
import { type Place, placesOf } from './places.js'
import { inTurn, invite, makeSite, siteOf, type Tenant, unique } from './tenants.js'

export interface Identifier {
  /** Well-formed, and nobody's. */
  absent(): Id
  /** It comes by mail, which takes a second: it is begun before it is needed. */
  readonly slow?: true
  /** Makes a thing and resolves with its identifier. */
  make(kit: Kit): Promise<Id>
}

const without = (prefix: string) => (): string => `${prefix}_${'0'.repeat(26)}`
let absentees = 0
const notGiven = (): string => `ABSENT-${++absentees}`

/** The charge point of the kit, which sells at its tariff. */
async function selling(kit: Kit): Promise<Charger> {
  const [charger, tariff_id] = [await kit.charger(), await kit.id('tariff_id')]
  await kit.tenant.make('PUT', `/api/v1/chargepoints/${charger.id}/tariff`, { tariff_id })
  return charger
}

/** Somebody who was invited, and has accepted. */
async function member(kit: Kit): Promise<string> {
  const { token } = await invite(kit.tenant, 'member')
  const body = { token, name: kit.tenant.mark }
  const path = '/api/v1/organizations/invitations/accept'
  return (await inTurn(kit.tenant, () => kit.tenant.make('POST', path, body))).body.user_id
}

/** Nothing else that kits do makes it: a delivery of it comes when it is made, and no other follows. */
const rareEvent = 'firmware.update_started'

/** Starts a transaction that runs on. */
async function started(kit: Kit, connectorId: number): Promise<number> {
  const { client, running } = await kit.charger()
  const { payload } = await client.call('StartTransaction', startRequest({ connectorId, idTag: kit.tenant.mark }))
  running.add(payload.transactionId)
  return payload.transactionId
}

async function sessionOf(kit: Kit, transactionId: number): Promise<string> {
  const { body } = await kit.tenant.make('GET', `/api/v1/sessions?charge_point_id=${await kit.id('charge_point_id')}`)
  const session = body.sessions.find(({ transaction_id: id }: { transaction_id: number }) => id === transactionId)
  return session.session_id
}

/** As whom the tenant appears to roaming partners: no two of them are the same party. */
async function setParty({ mark, make }: Tenant): Promise<void> {
  const party_id = `${mark[0]}${mark[2]}${mark.at(-1)}`
  await make('PUT', '/api/v1/ocpi/party', { country_code: 'NL', party_id, business_details: { name: mark } })
}

/** With a configuration, without which it shares no power. */
const managedSite: Identifier = {
  absent: without('site'),
  async make({ tenant }) {
    const { site_id } = await makeSite(tenant)
    await tenant.make('PUT', `/api/v1/smart-charging/sites/${site_id}/config`, { max_power_kw: 10, strategy: 'equal' })
    return site_id
  },
}

const seededSite: Identifier = { absent: notGiven, make: async ({ tenant }) => siteOf(tenant.mark) }

/** By the name of the parameter or property; `operationId.name` where one operation means something else by it. */
export const identifiers: Readonly<Record<string, Identifier>> = {
  charge_point_id: {
    absent: notGiven,
    async make({ tenant }) {
      const charge_point_id = unique(tenant)
      await tenant.make('POST', '/api/v1/chargepoints', {
        charge_point_id,
        name: tenant.mark,
        address: tenant.mark,
        latitude: 52.5,
        longitude: 13.4,
        connector_count: 3,
        max_power_kw: 22,
      })
      return charge_point_id
    },
  },
  id_tag: {
    absent: notGiven,
    async make({ tenant }) {
      const id_tag = unique(tenant)
      await tenant.make('POST', '/api/v1/id-tags', { id_tag, parent_id_tag: `${tenant.mark}-P`, label: tenant.mark })
      return id_tag
    },
  },
  capture_id: {
    absent: without('cap'),
    async make(kit) {
      const path = `/api/v1/chargepoints/${await kit.id('charge_point_id')}/captures`
      const { data } = (await kit.tenant.make('GET', path)).body
      // One of a charge point runs at a time.
      for (const { capture_id, running } of data) if (running) await kit.tenant.make('DELETE', `${path}/${capture_id}`)
      return (await kit.tenant.make('POST', path, { minutes: 60 })).body.capture_id
    },
  },
  key_id: {
    absent: without('key'),
    async make({ tenant }) {
      const body = { name: tenant.mark, scopes: ['read:charge_points'] }
      return (await tenant.make('POST', '/api/v1/org/api-keys', body)).body.id
    },
  },
  /** Of a member who has a key, and has changed a charge point with it. */
  user_id: {
    slow: true,
    absent: without('usr'),
    async make(kit) {
      const { tenant } = kit
      const id = await kit.id('listAuditEntries.key_id')
      return (await tenant.make('GET', `/api/v1/org/api-keys/${id}`)).body.user_id
    },
  },
  'listAuditEntries.key_id': {
    slow: true,
    absent: without('key'),
    async make(kit) {
      const { tenant } = kit
      const body = { name: tenant.mark, scopes: ['write:charge_points'], user_id: await member(kit) }
      const { id, key } = (await tenant.make('POST', '/api/v1/org/api-keys', body)).body
      const authorization = `Bearer ${key}`
      const path = `/api/v1/chargepoints/${await kit.id('charge_point_id')}`
      await tenant.request('PATCH', path, { name: tenant.mark }, { authorization })
      return id
    },
  },
  invitation_id: {
    slow: true,
    absent: without('ivt'),
    make: async ({ tenant }) => (await invite(tenant, 'member')).id,
  },
  'revokeSiteOwnerInvitation.invitation_id': {
    slow: true,
    absent: without('ivt'),
    make: async ({ tenant }) => (await invite(tenant, 'site owner')).id,
  },
  /** Of one who acts with a key of their own. */
  site_owner_id: {
    slow: true,
    absent: without('own'),
    async make({ tenant }) {
      const { token } = await invite(tenant, 'site owner')
      const body = { name: tenant.mark, scopes: ['write:organisations'] }
      const authorization = `Bearer ${(await tenant.make('POST', '/api/v1/org/api-keys', body)).body.key}`
      const path = `/api/v1/site-owner/accept-invitation/${token}`
      const { site_owner_id } = (await inTurn(tenant, () => tenant.request('POST', path, undefined, { authorization })))
        .body
      const account = { account_holder: tenant.mark, iban: 'NL91ABNA0417164300' }
      await tenant.request('PUT', '/api/v1/site-owner/onboarding/bank-details', account, { authorization })
      return site_owner_id
    },
  },
  /** Of the site owner that the tenant's own key acts for. */
  document_id: {
    absent: without('doc'),
    async make({ tenant }) {
      const body = { type: 'proof_of_ownership', name: tenant.mark, url: 'https://files.example.com/deed.pdf' }
      return (await tenant.make('POST', '/api/v1/site-owner/onboarding/documents', body)).body.document_id
    },
  },
  org_id: { absent: without('org'), make: async ({ tenant }) => tenant.organizationId },
  /** All of one session, which the tenant began with. */
  'listSessions.charge_point_id': { absent: notGiven, make: async ({ tenant }) => `${tenant.mark}-SITE` },
  'listSessions.id_tag': { absent: notGiven, make: async ({ tenant }) => tenant.mark },
  'listPortalSessions.id_tag': { absent: notGiven, make: async ({ tenant }) => tenant.mark },
  'listSessions.tariff_id': { absent: without('trf'), make: async ({ tenant }) => `trf_${tenant.mark}` },
  site_id: { absent: without('site'), make: async ({ tenant }) => (await makeSite(tenant)).site_id },
  /** Of one that has a charge point, sessions and what they cost, which the tenant began with. */
  'listChargePoints.site_id': seededSite,
  'listChargePointStatus.site_id': seededSite,
  'searchChargePoints.site_id': { absent: notGiven, make: (kit) => kit.id('unlinkCharger.site_id') },
  'listFleetFirmware.site_id': seededSite,
  'listSessions.site_id': seededSite,
  'listAlerts.site_id': {
    absent: notGiven,
    async make(kit) {
      await kit.id('alert_id')
      return kit.id('unlinkCharger.site_id')
    },
  },
  'listEvents.site_id': { absent: notGiven, make: (kit) => kit.id('unlinkCharger.site_id') },
  'getRevenue.site_id': seededSite,
  'simulateBillingRules.site_id': seededSite,
  'simulateTariff.site_id': seededSite,
  sessions_of_tariff_id: { absent: without('trf'), make: async ({ tenant }) => `trf_${tenant.mark}` },
  project_id: seededSite,
  'getPowerAllocation.site_id': managedSite,
  'getSmartChargingConfiguration.site_id': managedSite,
  'deleteSmartChargingConfiguration.site_id': managedSite,
  'rebalanceSite.site_id': managedSite,
  'simulateAllocation.site_id': managedSite,
  /** To which the charge point of the kit is linked. */
  'unlinkCharger.site_id': {
    absent: without('site'),
    async make(kit) {
      const { site_id } = await makeSite(kit.tenant)
      await kit.tenant.make('POST', `/api/v1/sites/${site_id}/chargers/${await kit.id('charge_point_id')}/link`)
      return site_id
    },
  },
  asset_id: {
    absent: without('ast'),
    async make(kit) {
      const asset = {
        type: 'battery',
        name: kit.tenant.mark,
        rated_capacity_kw: 10,
        metadata: { maker: kit.tenant.mark },
      }
      const path = `/api/v1/sites/${await kit.id('site_id')}/energy-assets`
      return (await kit.tenant.make('POST', path, asset)).body.asset_id
    },
  },
  tariff_id: {
    absent: without('trf'),
    async make({ tenant }) {
      const components = [{ type: 'energy', price: 0.5 }]
      const body = { name: tenant.mark, currency: 'EUR', components }
      const { tariff_id } = (await tenant.make('POST', '/api/v1/billing/tariffs', body)).body
      await tenant.make('POST', `/api/v1/tariffs/${tariff_id}/rates`, [
        { band: 'night', components },
        { band: 'day', components },
      ])
      return tariff_id
    },
  },
  template_id: {
    absent: without('tpl'),
    async make({ tenant }) {
      const body = { name: tenant.mark, vendor: tenant.mark, parameters: { HeartbeatInterval: 300 } }
      return (await tenant.make('POST', '/api/v1/configuration-templates', body)).body.template_id
    },
  },
  rule_id: {
    absent: without('rul'),
    async make({ tenant }) {
      const actions = [{ type: 'discount_percent', value: 10 }]
      const body = { name: tenant.mark, priority: 1, conditions: [], actions, active: true }
      return (await tenant.make('POST', '/api/v1/billing/rules', body)).body.rule_id
    },
  },
  session_id: {
    absent: without('ses'),
    async make(kit) {
      const { client } = await selling(kit)
      const transactionId = await started(kit, 1)
      await client.call('StopTransaction', { transactionId, meterStop: 9000, timestamp: new Date().toISOString() })
      return sessionOf(kit, transactionId)
    },
  },
  /** Of the tenant's own session. */
  dispute_id: {
    absent: without('dsp'),
    async make(kit) {
      const path = `/api/v1/portal/sessions/${await kit.id('session_id')}/dispute`
      return (await kit.tenant.make('POST', path, { reason: kit.tenant.mark })).body.dispute_id
    },
  },
  rollout_id: {
    absent: without('rol'),
    async make(kit) {
      const charge_point_ids = [await kit.id('charge_point_id')]
      const body = { charge_point_ids, firmware_url: 'https://firmware.example/2.bin', strategy: 'all_at_once' }
      return (await kit.tenant.make('POST', '/api/v1/cpo/firmware/rollout', body)).body.rollout_id
    },
  },
  certificate_id: {
    absent: without('cert'),
    async make(kit) {
      const path = `/api/v1/chargepoints/${await kit.id('charge_point_id')}/certificates/generate`
      return (await kit.tenant.make('POST', path, { key_type: 'p-256' })).body.certificate_id
    },
  },
  /** A message is attached to a session that still runs. */
  'attachUnmatchedTransaction.session_id': {
    absent: without('ses'),
    make: async (kit) => sessionOf(kit, await started(kit, 2)),
  },
  transaction_id: { absent: () => 2_000_000_001, make: (kit) => started(kit, 2) },
  unmatched_id: {
    absent: without('unm'),
    async make(kit) {
      const { client, id } = await kit.charger()
      const stop = { transactionId: 987_654_321, meterStop: 5000, timestamp: new Date().toISOString() }
      await client.call('StopTransaction', { ...stop, idTag: kit.tenant.mark })
      return (await kit.tenant.make('GET', `/api/v1/sessions/unmatched?charge_point_id=${id}`)).body.unmatched[0]
        .unmatched_id
    },
  },
  reservation_id: {
    absent: without('res'),
    async make(kit) {
      const [id_tag, { id }] = [await kit.id('id_tag'), await kit.charger()]
      const body = { charge_point_id: id, connector_id: 2, expiry_date: '2099-01-01T00:00:00Z', id_tag }
      return (await kit.tenant.make('POST', '/api/v1/reservations', body)).body.reservation_id
    },
  },
  /** Of a guest's charge that is over and paid. */
  session_token: {
    absent: () => `gst_${'A'.repeat(22)}`,
    async make(kit) {
      const { client, id, calls } = await selling(kit)
      const body = { charge_point_id: id, connector_id: 1, payment_method_id: 'pm_card_ok' }
      const { session_token } = (await kit.tenant.make('POST', '/api/v1/sessions/guest/authorize', body)).body
      const idTag = calls.findLast(({ action }) => action === 'RemoteStartTransaction')?.payload.idTag
      const { payload } = await client.call('StartTransaction', startRequest({ idTag }))
      const stop = { transactionId: payload.transactionId, meterStop: 9000, timestamp: new Date().toISOString() }
      await client.call('StopTransaction', stop)
      const path = `/api/v1/sessions/guest/${session_token}/status`
      await until(async () => (await kit.tenant.request('GET', path)).body.status === 'stopped')
      return session_token
    },
  },
  invoice_id: {
    absent: without('ivc'),
    make: async ({ tenant }) => (await tenant.make('GET', '/api/v1/billing/invoices')).body.data[0].invoice_id,
  },
  endpoint_id: {
    absent: without('whe'),
    async make({ tenant }) {
      const body = { url: tenant.receiverUrl, events: [rareEvent], description: tenant.mark }
      return (await tenant.make('POST', '/api/v1/webhooks/endpoints', body)).body.id
    },
  },
  partner_id: {
    absent: without('ptn'),
    async make({ tenant }) {
      await setParty(tenant)
      return (await tenant.make('POST', '/api/v1/ocpi/partners', { name: tenant.mark })).body.id
    },
  },
  /** Of one that has arrived. */
  delivery_id: {
    absent: without('dlv'),
    async make(kit) {
      const [endpoint, { client }] = [await kit.id('endpoint_id'), await kit.charger()]
      await client.call('FirmwareStatusNotification', { status: 'Downloading' })
      const path = `/api/v1/webhooks/endpoints/${endpoint}/deliveries?status=succeeded`
      return until(async () => (await kit.tenant.make('GET', path)).body.data[0]?.id)
    },
  },
  /** Of a connector that nothing else needs. */
  alert_id: {
    absent: without('alt'),
    async make(kit) {
      const { client, id } = await kit.charger()
      await client.call('StatusNotification', { connectorId: 3, errorCode: 'GroundFailure', status: 'Faulted' })
      const path = `/api/v1/alerts?charge_point_id=${id}`
      return until(async () => (await kit.tenant.make('GET', path)).body.alerts[0]?.alert_id)
    },
  },
  /** Any id; one's own session stands for all that a search finds. */
  'search.q': {
    absent: without('ses'),
    make: (kit) => kit.id('session_id'),
  },
  console_session_id: {
    absent: without('cse'),
    async make({ tenant }) {
      const ofPage = { 'sec-fetch-site': 'same-origin', 'x-ampshard': 'console' }
      return (await tenant.request('POST', '/api/v1/console/session', { api_key: tenant.key }, ofPage)).body.session.id
    },
  },
  passkey_id: { absent: without('pky'), make: async () => `pky_${'1'.repeat(26)}` },
  request_id: {
    absent: without('req'),
    async make({ tenant }) {
      const body = { type: 'roaming_hub', partner_name: tenant.mark }
      return (await tenant.make('POST', '/api/v1/integration-requests', body)).body.id
    },
  },
  executed_by: {
    absent: without('api_key:key'),
    async make(kit) {
      const { id } = await kit.charger()
      return (await kit.tenant.make('POST', `/api/v1/cpo/commands/${id}`, { command: 'soft_reset' })).body.executed_by
    },
  },
}

/** Other names of them, and what lists of them are called. */
export const aliases: Readonly<Record<string, string>> = {
  charge_point_ids: 'charge_point_id',
  rule_ids: 'rule_id',
  default_tariff_id: 'tariff_id',
}

/** What the operator of the installation sees and sets of every organization, with keys of its own one. */
export const operatorOperations: ReadonlySet<string> = new Set([
  'listOrganizations',
  'setOrganizationPlan',
  'createOrganizationApiKey',
  'answerIntegrationRequest',
])

export interface Declared {
  /** The name by which a kit has it. */
  readonly kind: string
  readonly identifier: Identifier
  readonly exception: Exception | undefined
}

/** Undefined for what is no identifier. */
export function declaredAt({ operationId, name }: Place): Declared | undefined {
  const names = [`${operationId}.${name}`, name]
  if (names.some((known) => known in notIdentifiers)) return undefined
  const kind = [...names, aliases[name] ?? ''].find((known) => known in identifiers)
  const identifier = kind === undefined ? undefined : identifiers[kind]
  if (kind === undefined || identifier === undefined) return undefined
  return { kind, identifier, exception: exceptions[`${operationId}.${name}`] }
}

export function isDeclared(place: Place): boolean {
  const { operationId, name } = place
  return declaredAt(place) !== undefined || `${operationId}.${name}` in notIdentifiers || name in notIdentifiers
}

/** Of everything that a route takes. */
export function kindsOf(route: Route): string[] {
  return placesOf(route).flatMap((place) => declaredAt(place)?.kind ?? [])
}
