// The API of a simulated front as callers use it: the real pipeline with every route, authentication, idempotency, commit and audit log
// included. There is no transport: a request is a call.

import { makeKey } from '../../src/api/pipeline/make-key.js'
import type { Api } from '../../src/api/pipeline/pipeline.js'
import { type ApiKey, scopes } from '../../src/records/api-key.js'
import { organizations } from './organizations.js'

export interface Answered {
  readonly status: number
  readonly text: string
}

/** Requests of the operators of an organization. */
export interface SimulatedApi {
  call(
    organization: number,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>
}

export function createSimulatedApi(api: Api): SimulatedApi {
  return {
    async call(organization, method, path, body, headers) {
      const response = await api.handle({
        method,
        path,
        query: '',
        headers: {
          authorization: `Bearer ${keyOf(organization)}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
        remoteAddress: '192.0.2.2',
      })
      return { status: response.status, text: Buffer.from(response.body).toString() }
    },
  }
}

const keyOf = (organization: number): string =>
  `the key of the operators of ${organizations[organization]?.id}`.replaceAll(' ', '-')

/** One for each organization, which may do everything. */
export function operatorKeys(now: number): ApiKey[] {
  return organizations.map(
    ({ id }, organization) =>
      makeKey({
        organizationId: id,
        name: 'operators',
        scopes,
        now,
        newId: (prefix) => `${prefix}_${organization}`,
        randomBytes: () => Buffer.alloc(0),
        key: keyOf(organization),
      }).row,
  )
}
