// Three tenants of one built service, each with what no caller can make: an invoice of a month that is over, a site and a member.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chargePointsTable } from '../../src/actors/records/charge-point.js'
import { schemaVersion, tables } from '../../src/actors/records/index.js'
import { type Member, membersTable } from '../../src/actors/records/member.js'
import { installationTable } from '../../src/actors/records/organization.js'
import { putRow } from '../../src/api/changes.js'
import { openWriter } from '../../src/runtime/lmdb-store.js'
import { unowned } from '../../src/runtime/store.js'
import { billedSession } from '../api/billed-sessions.js'
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
  { flags = [], environment = {} }: Pick<ServiceOptions, 'flags' | 'environment'> = {},
): Promise<[Tenant, Tenant, Tenant]> {
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
  const tenants: [Tenant, Tenant, Tenant] = [
    tenantOf(service, receiver, marks[0], installation, key),
    tenantOf(service, receiver, marks[1], second.id, second.key),
    tenantOf(service, receiver, marks[2], third.id, third.key),
  ]
  for (const { isOperator, organizationId, mark, make } of tenants) {
    const named = { name: mark, country: 'NL', contact_email: 'operations@example.com' }
    // The operator's is on everybody's invoices.
    if (!isOperator) await make('PUT', `/api/v1/organizations/${organizationId}`, named)
  }
  for (const tenant of tenants)
    await until(async () => (await tenant.request('GET', '/api/v1/billing/invoices')).body.total > 0)
  return tenants
}

/** What no caller can make today: sessions of a month that is over, a site and a member. Returns the installation's own organization. */
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
    const member: Member = {
      organization_id: organizationId,
      user_id: memberOf({ mark }),
      version: 1,
      email: `${mark}@example.com`,
      name: mark,
      role: 'admin',
      joined_at: time,
    }
    return [
      putRow(chargePointsTable, site),
      putRow(membersTable, member),
      ...billedSession({ organizationId, endedAt, siteId, chargePointId: charge_point_id }).changes,
    ]
  })
  await store.commit(unowned(changes))
  await store.close()
  return own
}

export function siteOf(mark: string): string {
  return `site_${mark}`
}

export function memberOf({ mark }: Pick<Tenant, 'mark'>): string {
  return `usr_${mark}`
}

function tenantOf(service: Service, receiver: Receiver, mark: string, organizationId: string, key: string): Tenant {
  const request: Tenant['request'] = (method, path, body, headers = {}) =>
    service.request(method, path, body, { authorization: `Bearer ${key}`, ...headers })
  return {
    mark,
    organizationId,
    key,
    isOperator: mark === marks[0],
    receiverUrl: `${receiver.url}/${mark}`,
    received: () => receiver.received.filter(({ path }) => path === `/${mark}`),
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
