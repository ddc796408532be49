// A second tenant of a service under test, and requests with its key.

import type { Answer, Service } from './service.js'

export interface Organization {
  readonly id: string
  readonly key: string
  request(method: string, path: string, body?: unknown): Promise<Answer>
}

export async function makeOrganization(
  service: Service,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Organization> {
  const wanted = { name: 'Another', country: 'NL', contact_email: 'operations@example.com', plan: 'enterprise' }
  const { body } = await service.request('POST', '/api/v1/organizations', { ...wanted, ...fields })
  const key: string = body.api_key
  return {
    id: body.id,
    key,
    request: (method, path, sent) => service.request(method, path, sent, { authorization: `Bearer ${key}` }),
  }
}
