// Three tenants of one built service, each with what no caller can make: an invoice of a month that is over, and a site. Its key acts for a
// site owner of its own.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { putRow } from '../../src/api/pipeline/changes.js'
import { mailFolder } from '../../src/jobs/mail/settings.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../src/records/charge-point-state.js'
import { conformanceTable } from '../../src/records/conformance.js'
import { connectionAttemptsTable } from '../../src/records/connection-attempt.js'
import { deviationsTable, kindOfDeviation } from '../../src/records/deviation.js'
import { schemaVersion, tables } from '../../src/records/index.js'
import { installationTable } from '../../src/records/organization.js'
import { makeId } from '../../src/runtime/ids.js'
import { openWriter } from '../../src/runtime/store/lmdb-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { billedSession, type Charge, tariff } from '../api/billed-sessions.js'
import { headersOf, tokenIn } from '../support/mail-server.js'
import { makeOrganization } from '../support/organization.js'
import { type Received, type Receiver, startReceiver } from '../support/receiver.js'
import { type Answer, type Service, type ServiceOptions, startService, type Teardowns } from '../support/service.js'
import { until } from '../support/until.js'

export interface Tenant {
  /** Stands in every text of its things: wherever it turns up, something of this tenant is shown. */
  readonly mark: string
  readonly organizationId: string
  readonly key: string
  /** Of the installation, too. */
  readonly isOperator: boolean
  /** Where it receives webhooks. */
  readonly receiverUrl: string
  readonly received: () => readonly Received[]
  /** Every mail that the service has sent. */
  readonly mails: () => readonly string[]
  readonly service: Service
  request(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** As `request`; throws unless it is answered as wished. */
  make(method: string, path: string, body?: unknown): Promise<Answer>
}

let made = 0

/** A text that no other thing has; of letters, digits and hyphens, at most 20 of them. */
export function unique(tenant: Tenant): string {
  return `${tenant.mark}-${++made}`
}

const marks = ['ALDERGROVE', 'BIRCHWOOD', 'CEDARHILL'] as const

/** The installation's own organization and two others, each with an invoice. */
export async function startTenants(
  t: Teardowns,
  options: Pick<ServiceOptions, 'flags' | 'environment'> & { readonly mails?: () => readonly string[] } = {},
): Promise<[Tenant, Tenant, Tenant]> {
  const { flags = [], environment = {} } = options
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  const given = environment.AMPSHARD_BOOTSTRAP_API_KEY
  const first = await startService(t, { data, environment, ...(given !== undefined && { key: given }) })
  const { key } = first
  const second = await makeOrganization(first)
  const third = await makeOrganization(first)
  await first.stop()
  const installation = await seed(data, [second.id, third.id])
  const receiver = await startReceiver(t)
  const allowed = { ...environment, AMPSHARD_ALLOW_INSECURE_WEBHOOKS: 'true' }
  const service = await startService(t, { data, key, flags, environment: allowed })
  t.teardown(async () => {
    await service.stop('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  })
  const world = { service, receiver, mails: options.mails ?? (() => mailsIn(data)) }
  const tenants: [Tenant, Tenant, Tenant] = [
    tenantOf(world, marks[0], installation, key),
    tenantOf(world, marks[1], second.id, second.key),
    tenantOf(world, marks[2], third.id, third.key),
  ]
  await Promise.all(tenants.map(settle))
  return tenants
}

/** What every tenant has before anything is tried. */
async function settle(tenant: Tenant): Promise<void> {
  const { isOperator, organizationId, mark, make } = tenant
  const path = `/api/v1/organizations/${organizationId}`
  // The operator's name is on everybody's invoices.
  if (!isOperator) await make('PUT', path, { name: mark, country: 'NL', contact_email: 'operations@example.com' })
  await make('PUT', `${path}/settings`, { alert_thresholds: { connector_faulted_minutes: 0 } })
  const { token } = await invite(tenant, 'site owner')
  await make('POST', `/api/v1/site-owner/accept-invitation/${token}`)
  await until(async () => (await make('GET', '/api/v1/billing/invoices')).body.total > 0)
}

/** What no caller can make today, or at once: sessions of a month that is over, a site with a charge point that has booted, and a rule that it has broken, and that is refused. Returns the installation's own organization. */
async function seed(data: string, others: readonly string[]): Promise<string> {
  const store = openWriter(data, tables, { schemaVersion })
  const own = store.view().get(installationTable, ['installation'])?.default_organization_id ?? ''
  const now = new Date()
  const endedAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 15)).toISOString()
  const changes = [own, ...others].flatMap((organizationId, at) => {
    const [mark, siteId] = [marks[at] as string, siteOf(marks[at] as string)]
    const charge_point_id = `${mark}-SITE`
    const time = now.toISOString()
    const site = {
      charge_point_id,
      organization_id: organizationId,
      version: 1,
      name: mark,
      latitude: 52.5,
      longitude: 13.4,
      address: mark,
      connector_count: 1,
      max_power_kw: 22,
      site_id: siteId,
      created_at: time,
      updated_at: time,
    }
    const broken = { 'unknown-field': { count: 1, first_at: 0, last_at: 0, frame: mark } }
    const said = { vendor: mark, model: mark, firmware_version: mark, since: 0, rules: broken }
    const did = { rule: 'unknown-field', action: mark, path: `/${mark}` } as const
    const deviation = {
      charge_point_id,
      place: 0,
      organization_id: organizationId,
      vendor: mark,
      model: mark,
      firmware_version: mark,
      kind: kindOfDeviation(did),
      ...did,
      count: 1,
      first_at: 0,
      last_at: 0,
      example: { at: 0, frame: mark },
    }
    const state: ChargePointState = {
      charge_point_id,
      organization_id: organizationId,
      run: 0,
      connected: false,
      registration: 'Accepted',
      boot: { vendor: mark, model: mark, firmware_version: mark, booted_at: time },
      connectors: [],
      power_watts: 0,
    }
    const refused = {
      attempt_id: makeId('att', now.getTime(), Math.random),
      organization_id: organizationId,
      charge_point_id,
      remote_address: '192.0.2.1',
      reason: 'wrong_subprotocol',
      advice: mark,
      http_status: 400,
      attempted_at: time,
    }
    return [
      putRow(chargePointsTable, site),
      putRow(connectionAttemptsTable, refused),
      putRow(chargePointStatesTable, state),
      putRow(conformanceTable, { charge_point_id, organization_id: organizationId, ...said }),
      putRow(deviationsTable, deviation),
      ...billedSession(atSite(mark, organizationId, endedAt)).changes,
    ]
  })
  await store.commit(unowned(changes))
  await store.close()
  return own
}

/** A session that has a value for each filter of lists of sessions. */
function atSite(mark: string, organizationId: string, endedAt: string): Charge {
  return {
    organizationId,
    endedAt,
    siteId: siteOf(mark),
    chargePointId: `${mark}-SITE`,
    idTag: mark,
    tariff: { ...tariff, tariff_id: `trf_${mark}` },
  }
}

/** One that nothing is linked to. */
export async function makeSite(tenant: Tenant): Promise<{ readonly site_id: string }> {
  const place = { address: tenant.mark, latitude: 52.5, longitude: 13.4 }
  return (await tenant.make('POST', '/api/v1/sites', { name: tenant.mark, max_grid_power_kw: 50, ...place })).body
}

/** Of the charge point that the tenant began with. */
export function siteOf(mark: string): string {
  return `site_${mark}`
}

const turns = new Map<string, Promise<unknown>>()

/** One after the other: of two changes of a team at the same time, one would be refused. */
export function inTurn<Made>({ organizationId }: Tenant, work: () => Promise<Made>): Promise<Made> {
  const made = (turns.get(organizationId) ?? Promise.resolve()).then(work)
  turns.set(organizationId, made)
  return made
}

/** Somebody else each time. */
export async function invite(
  tenant: Tenant,
  as: 'member' | 'site owner',
): Promise<{ readonly id: string; readonly token: string }> {
  const email = `${unique(tenant)}@example.com`
  const [path, body] =
    as === 'member'
      ? [`/api/v1/organizations/${tenant.organizationId}/invitations`, { email, role: 'admin' }]
      : ['/api/v1/site-owner/invitations', { email, name: tenant.mark, project_id: siteOf(tenant.mark) }]
  const { id } = (await inTurn(tenant, () => tenant.make('POST', path, body))).body
  const raw = await until(() => tenant.mails().find((mail) => headersOf(mail).get('to')?.includes(email)))
  return { id, token: tokenIn(raw) }
}

/** What is in the folder of a service without a mail server. */
function mailsIn(data: string): string[] {
  const folder = join(data, mailFolder)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

interface World extends Pick<Tenant, 'service' | 'mails'> {
  readonly receiver: Receiver
}

function tenantOf({ service, receiver, mails }: World, mark: string, organizationId: string, key: string): Tenant {
  const request: Tenant['request'] = (method, path, body, headers = {}) =>
    service.request(method, path, body, { authorization: `Bearer ${key}`, ...headers })
  return {
    mark,
    organizationId,
    key,
    isOperator: mark === marks[0],
    receiverUrl: `${receiver.url}/${mark}`,
    received: () => receiver.received.filter(({ path }) => path === `/${mark}`),
    mails,
    service,
    request,
    async make(method, path, body) {
      const answer = await request(method, path, body)
      if (answer.status >= 300)
        throw new Error(`${method} ${path} is answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      return answer
    },
  }
}
