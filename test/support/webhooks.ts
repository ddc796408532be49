// What tests of webhooks ask of the service: endpoints, and what became of their deliveries. Calls to this machine are allowed.

import { type Answer, type Service, startService, type Teardowns } from './service.js'

export const webhooksPath = '/api/v1/webhooks/endpoints'

/** A service that may call receivers on this machine, without TLS. */
export function startLaboratory(t: Teardowns, data?: string, key?: string): Promise<Service> {
  return startService(t, {
    environment: { AMPSHARD_ALLOW_INSECURE_WEBHOOKS: 'true' },
    ...(data !== undefined && { data }),
    ...(key !== undefined && { key }),
  })
}

export interface Endpoint {
  readonly id: string
  readonly secret: string
}

type Asking = Pick<Service, 'request'>

export async function makeEndpoint(
  service: Asking,
  url: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Endpoint> {
  const { status, body }: Answer = await service.request('POST', webhooksPath, { url, events: ['*'], ...fields })
  if (status !== 201) throw new Error(`the endpoint could not be made: ${status} ${JSON.stringify(body)}`)
  return { id: body.id, secret: body.secret ?? fields.secret }
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
export async function deliveriesOf(service: Asking, endpointId: string, query = ''): Promise<any[]> {
  const { body } = await service.request('GET', `${webhooksPath}/${endpointId}/deliveries?limit=100${query}`)
  return body.deliveries
}
