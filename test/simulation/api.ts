// The API of a simulated front as callers use it: the real pipeline with every route, authentication, idempotency, commit and audit log
// included. There is no transport: a request is a call.

import { createHmac } from 'node:crypto'
import { makeKey } from '../../src/api/pipeline/make-key.js'
import type { Api } from '../../src/api/pipeline/pipeline.js'
import { type ApiKey, scopes } from '../../src/records/api-key.js'
import { installerIdOf } from './boxes.js'
import { organizations } from './organizations.js'

export interface Answered {
  readonly status: number
  readonly text: string
}

export interface SimulatedApi {
  /** A request of the operators of an organization. */
  call(
    organization: number,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>
  /** A request of an installer, at this time of the wall clock. */
  callAsInstaller(installer: number, nowMs: number, method: string, path: string, body?: unknown): Promise<Answered>
}

export function createSimulatedApi(api: Api): SimulatedApi {
  async function call(
    credential: string,
    method: string,
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered> {
    const response = await api.handle({
      method,
      path,
      query: '',
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      remoteAddress: '192.0.2.2',
    })
    return { status: response.status, text: Buffer.from(response.body).toString() }
  }
  return {
    call: (organization, method, path, body, headers) => call(keyOf(organization), method, path, body, headers),
    callAsInstaller: (installer, nowMs, method, path, body) => call(tokenOf(installer, nowMs), method, path, body),
  }
}

/** The secret of the installation, under which its access tokens are signed. */
export const tokenSecret = Buffer.alloc(32, 7)

/** An access token as the login gives out: made here, because a promise of the machine has no place in simulated time. */
function tokenOf(installer: number, nowMs: number): string {
  const id = installerIdOf(installer)
  const iat = Math.floor(nowMs / 1000)
  const claims = { gen: 1, sub: id, aud: 'installer', jti: `jti_${installer}_${iat}`, iat, exp: iat + 3_600 }
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signature = createHmac('sha256', tokenSecret).update(signed.join('.')).digest('base64url')
  return [...signed, signature].join('.')
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
