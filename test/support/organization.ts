// Organizations of a service under test: a second tenant, with requests by its key, and the settings of the first.

import { registrationOf } from './registration.js'
import type { Answer, Service } from './service.js'

export interface Organization {
  readonly id: string
  readonly key: string
  readonly request: Service['request']
  /** Registers a charge point as its own. */
  register(chargePointId: string, fields?: Readonly<Record<string, unknown>>): Promise<Answer>
}

/** Of the installation's own organization, which the first key is of. */
export async function changeOwnSettings(
  service: Service,
  settings: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { body } = await service.request('GET', '/api/v1/organizations')
  const answer = await service.request('PUT', `/api/v1/organizations/${body.data[0].id}/settings`, settings)
  if (answer.status !== 200) throw new Error(`the settings were not changed: ${JSON.stringify(answer.body)}`)
  return answer
}

/** The service as one organization sees it. */
export type Tenant = Service & Organization

/**
 * The service as a new organization sees it, or as one that was made before a restart: what one test does concerns no other that
 * shares the service. Only ids of charge points are those of the installation.
 */
export async function tenantOf(service: Service, known?: Tenant): Promise<Tenant> {
  const organization =
    known === undefined ? await makeOrganization(service) : organizationOf(service, known.id, known.key)
  return { ...service, ...organization }
}

export async function makeOrganization(
  service: Service,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Organization> {
  const wanted = { name: 'Another', country: 'NL', contact_email: 'operations@example.com', plan: 'enterprise' }
  const { body } = await service.request('POST', '/api/v1/organizations', { ...wanted, ...fields })
  return organizationOf(service, body.id, body.api_key)
}

/** One that was made before, perhaps in an earlier run of the service. */
export function organizationOf(service: Service, id: string, key: string): Organization {
  const request: Organization['request'] = (method, path, sent, headers) =>
    service.request(method, path, sent, { authorization: `Bearer ${key}`, ...headers })
  return {
    id,
    key,
    request,
    register: (chargePointId, fields = {}) =>
      request('POST', '/api/v1/chargepoints', registrationOf(chargePointId, fields)),
  }
}
