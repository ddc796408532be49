// A roaming partner on node:http that does what its test says: it keeps every request, and answers as a partner of OCPI 2.2.1 unless told otherwise.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer, Service, Teardowns } from './service.js'

export interface PartnerRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
  readonly json: any
}

/** Undefined where it answers as partners do. */
export type Misbehaviour = (request: PartnerRequest, response: ServerResponse) => true | undefined

export interface OcpiPartnerStub {
  readonly url: string
  readonly versionsUrl: string
  readonly requests: readonly PartnerRequest[]
  misbehave(how: Misbehaviour | undefined): void
  /** The tokens that it takes; any, until it is told. */
  takes(...tokens: string[]): void
}

const role = { role: 'EMSP', party_id: 'EMP', country_code: 'NL', business_details: { name: 'Example Mobility' } }

export const envelope = (data: unknown, status_code = 1000) => ({
  data,
  status_code,
  timestamp: new Date().toISOString(),
})

export function sendJson(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  return true
}

export const credentialsOf = (partner: Pick<OcpiPartnerStub, 'versionsUrl'>, token: string, roles = [role]) => ({
  token,
  url: partner.versionsUrl,
  roles,
})

export async function startPartner(t: Teardowns): Promise<OcpiPartnerStub> {
  const requests: PartnerRequest[] = []
  let misbehaviour: Misbehaviour | undefined
  let tokens: readonly string[] | undefined
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { url: path = '', headers, method = '' } = request
      const one = { method, path, headers, json: text === '' ? undefined : JSON.parse(text) }
      // Its tokens are pulled at a time of the service's own: kept where a test looks at it.
      if (misbehaviour !== undefined || !path.startsWith('/tokens?')) requests.push(one)
      if (misbehaviour?.(one, response) !== undefined) return
      const presented = headers.authorization?.replace(/^Token /, '') ?? ''
      const isTaken = tokens?.some((token) => Buffer.from(token).toString('base64') === presented) ?? true
      if (!isTaken) sendJson(response, 401, envelope(undefined, 2000))
      else if (path === '/versions')
        sendJson(
          response,
          200,
          envelope([
            { version: '2.1.1', url: `${base}/2.1.1` },
            { version: '2.2.1', url: `${base}/2.2.1` },
          ]),
        )
      else if (path === '/2.2.1') sendJson(response, 200, envelope({ version: '2.2.1', endpoints: endpointsOf(base) }))
      else if (path === '/credentials')
        sendJson(
          response,
          200,
          envelope(credentialsOf({ versionsUrl: `${base}/versions` }, `of-${method}-${requests.length}`)),
        )
      else sendJson(response, 200, envelope([]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.teardown(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  })
  return {
    url: base,
    versionsUrl: `${base}/versions`,
    requests,
    misbehave(how) {
      misbehaviour = how
    },
    takes(...taken) {
      tokens = taken
    },
  }
}

const receivers = ['cdrs', 'locations', 'sessions', 'tariffs']

function endpointsOf(base: string) {
  return [
    { identifier: 'credentials', role: 'SENDER', url: `${base}/credentials` },
    { identifier: 'tokens', role: 'SENDER', url: `${base}/tokens` },
    { identifier: 'chargingprofiles', role: 'SENDER', url: `${base}/chargingprofiles` },
    ...receivers.map((identifier) => ({ identifier, role: 'RECEIVER', url: `${base}/${identifier}` })),
  ]
}

export const party = { country_code: 'NL', party_id: 'AMP', business_details: { name: 'Ampshard Charging' } }

/** A partner of the organization that has a registration token. */
export async function invitePartner(
  service: Pick<Service, 'request'>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string; readonly token: string; readonly versionsUrl: string }> {
  const { status, body } = await service.request('POST', '/api/v1/ocpi/partners', {
    name: 'Example Mobility',
    ...fields,
  })
  if (status !== 201) throw new Error(`the partner was not invited: ${JSON.stringify(body)}`)
  return { id: body.id, token: body.token, versionsUrl: body.own_versions_url }
}

/** The service as a partner sees it, with one of its tokens. */
export function asPartner(service: Pick<Service, 'request'>, token: string) {
  return (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    service.request(method, path, body, { authorization: `Token ${Buffer.from(token).toString('base64')}`, ...headers })
}
