// An operator on node:http, as a roaming partner sees it: it answers as OCPI 2.2.1 says, unless its test has it answer otherwise, and sends what its
// test says.

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Teardowns } from './service.js'

export interface OperatorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** An envelope, or text as it is. */
  readonly body: Readonly<Record<string, unknown>> | string
}

export interface OperatorStub {
  readonly versionsUrl: string
  readonly token: string
  /** What its lists have. */
  readonly lists: Record<string, readonly unknown[]>
  /** Changes what would be answered. */
  alter(how: (answer: OperatorAnswer, path: string) => OperatorAnswer): void
  /** To the partner that has registered; the headers are those of the standard but for what is said. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string | undefined>>,
  ): Promise<{ readonly status: number; readonly code: number | undefined }>
}

const own = { country_code: 'NL', party_id: 'CPO' }
const role = { role: 'CPO', ...own, business_details: { name: 'Operator' } }
const modules = ['locations', 'tariffs', 'sessions', 'cdrs'] as const

export async function startOperator(t: Teardowns): Promise<OperatorStub> {
  const token = 'token-of-the-operator'
  const lists: Record<string, readonly unknown[]> = {}
  let altered = (answer: OperatorAnswer, _path: string): OperatorAnswer => answer
  let partner: { readonly url: string; readonly token: string } | undefined
  let base = ''

  const endpoints = () => [
    { identifier: 'credentials', role: 'SENDER', url: `${base}/credentials` },
    { identifier: 'commands', role: 'RECEIVER', url: `${base}/commands` },
    { identifier: 'tokens', role: 'RECEIVER', url: `${base}/tokens` },
    ...modules.map((identifier) => ({ identifier, role: 'SENDER', url: `${base}/${identifier}` })),
  ]

  function answerTo({ method = 'GET', url = '' }: IncomingMessage, json: unknown): { data?: unknown; list?: boolean } {
    const [, first = '', second] = new URL(url, base).pathname.split('/')
    if (first === 'versions') return { data: [{ version: '2.2.1', url: `${base}/2.2.1` }] }
    if (first === '2.2.1') return { data: { version: '2.2.1', endpoints: endpoints() } }
    if (first === 'credentials') {
      if (method !== 'GET') partner = json as typeof partner
      return { data: { token, url: `${base}/versions`, roles: [role] } }
    }
    if (first === 'commands') return { data: { result: 'ACCEPTED', timeout: 30 } }
    if (method === 'GET' && second === undefined) return { data: lists[first] ?? [], list: true }
    return {}
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { data, list } = answerTo(request, text === '' ? undefined : JSON.parse(text))
      const turned = Object.entries({ from: 'to', to: 'from' }).flatMap(([from, to]) =>
        ['party-id', 'country-code'].map((code) => [`ocpi-${to}-${code}`, request.headers[`ocpi-${from}-${code}`]]),
      )
      const answer: OperatorAnswer = {
        status: 200,
        headers: {
          'content-type': 'application/json',
          'x-request-id': String(request.headers['x-request-id']),
          'x-correlation-id': String(request.headers['x-correlation-id']),
          ...Object.fromEntries(turned.filter(([, value]) => value !== undefined)),
          ...(list === true && { 'x-total-count': String((data as unknown[]).length), 'x-limit': '100' }),
        },
        body: { ...(data !== undefined && { data }), status_code: 1000, timestamp: new Date().toISOString() },
      }
      const { status, headers, body } = altered(answer, request.url ?? '')
      response.writeHead(status, { ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  return {
    versionsUrl: `${base}/versions`,
    token,
    lists,
    alter(how) {
      altered = how
    },
    async send(method, path, body, headers = {}) {
      if (partner === undefined) throw new Error('no partner has registered')
      const all = {
        authorization: `Token ${Buffer.from(partner.token).toString('base64')}`,
        'x-request-id': randomUUID(),
        'x-correlation-id': randomUUID(),
        'ocpi-from-country-code': own.country_code,
        'ocpi-from-party-id': own.party_id,
        'ocpi-to-country-code': 'NL',
        'ocpi-to-party-id': 'EMP',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      }
      const said = Object.entries(all).filter(([, value]) => value !== undefined) as [string, string][]
      const response = await fetch(new URL(`/ocpi/emsp/2.2.1${path}`, partner.url), {
        method,
        headers: said,
        redirect: 'manual',
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') === true
      return { status: response.status, code: isJson ? JSON.parse(text).status_code : undefined }
    },
  }
}
