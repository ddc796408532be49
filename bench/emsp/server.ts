// The partner's own HTTP server, as OCPI 2.2.1 has it (4.1): who may call, the envelope, and the headers of every answer. What is asked is answered by
// the handler of its module. Requests are held to the standard before they are handled.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Headers, isSameParty, keyOfParty, type Party, receiverOf, senderOf } from '../../src/ocpi/headers.js'
import type { Journal, SeenRequest } from './journal.js'
import type { Keys, Stage } from './keys.js'
import { type Misbehaviour, misbehave, misbehaviours } from './misbehaviour.js'

export interface Incoming {
  readonly method: string
  /** What follows `/ocpi/`, decoded. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly json: unknown
  readonly stage: Stage
  /** With which it came. */
  readonly token: string
}

export interface Reply {
  /** 200 if left out. */
  readonly httpStatus?: number
  /** 1000 if left out. */
  readonly statusCode?: number
  readonly message?: string
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const notFound = (message: string): Reply => ({ httpStatus: 404, statusCode: 2000, message })
export const wrongMethod = (message: string): Reply => ({ httpStatus: 405, statusCode: 2000, message })
export const invalid = (message: string): Reply => ({ statusCode: 2001, message })

/** Undefined where it answers as it should. */
export type Mood = (request: SeenRequest) => Misbehaviour | undefined

export interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly journal: Journal
  readonly keys: Keys
  readonly own: Party
  /** The operator, once it is known. */
  readonly operator: () => Party | undefined
  readonly mood: Mood
  readonly handle: (incoming: Incoming) => Promise<Reply>
}

export interface Server {
  /** `http://127.0.0.1:9100` */
  readonly address: string
  close(): Promise<void>
}

const mostBytes = 4_194_304

function textOf(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= mostBytes) chunks.push(chunk)
    })
    request.on('end', () => resolve(bytes > mostBytes ? undefined : Buffer.concat(chunks).toString()))
    request.on('error', () => resolve(undefined))
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of modules alone that are neither versions nor credentials. */
const isFunctional = (path: readonly string[]): boolean =>
  path[0] === 'emsp' && path[2] !== undefined && path[2] !== 'credentials'

/** Each name once, as Node.js has them. */
function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const { host, port, journal, keys, own, operator, mood, handle } = options
  const requestIds = new Set<string>()

  function checkRequest(about: string, headers: Headers, body: string, path: readonly string[]): void {
    const fault = (words: string): void => journal.fault(about, words)
    const requestId = headers['x-request-id']
    if (requestId === undefined || requestId === '') fault('X-Request-ID is missing')
    else if (requestIds.has(requestId)) fault(`X-Request-ID ${requestId} came before: each request has one of its own`)
    else requestIds.add(requestId)
    if (headers['x-correlation-id'] === undefined) fault('X-Correlation-ID is missing')
    if (body !== '' && !/^application\/json\b/i.test(headers['content-type'] ?? ''))
      fault(`its Content-Type is ${headers['content-type'] ?? 'missing'}, and not application/json`)
    if (body !== '' && parsed(body) === undefined) fault('its body is not JSON')
    const [from, to, other] = [senderOf(headers), receiverOf(headers), operator()]
    if (!isFunctional(path)) {
      if (from !== undefined || to !== undefined)
        fault('has headers OCPI-from and OCPI-to, which this module never has')
      return
    }
    if (to !== undefined && !isSameParty(to, own)) fault(`OCPI-to is ${keyOfParty(to)}, and not ${keyOfParty(own)}`)
    if (from !== undefined && other !== undefined && !isSameParty(from, other))
      fault(`OCPI-from is ${keyOfParty(from)}, and not ${keyOfParty(other)}`)
  }

  function answerHeaders(headers: Headers, path: readonly string[]): Record<string, string> {
    const answered: Record<string, string> = { 'content-type': 'application/json' }
    for (const name of ['x-request-id', 'x-correlation-id']) {
      const value = headers[name]
      if (value !== undefined) answered[name] = value
    }
    if (!isFunctional(path)) return answered
    for (const [from, to] of [
      ['from', 'to'],
      ['to', 'from'],
    ])
      for (const code of ['party-id', 'country-code']) {
        const value = headers[`ocpi-${from}-${code}`]
        if (value !== undefined) answered[`OCPI-${to}-${code}`] = value
      }
    return answered
  }

  function send(response: ServerResponse, reply: Reply, headers: Record<string, string>): void {
    const { httpStatus = 200, statusCode = 1000, message, data } = reply
    const body = {
      ...(data !== undefined && { data }),
      status_code: statusCode,
      ...(message !== undefined && { status_message: message.slice(0, 255) }),
      timestamp: new Date().toISOString(),
    }
    response.writeHead(httpStatus, { ...headers, ...reply.headers }).end(JSON.stringify(body))
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request)
    if (text === undefined) return void response.destroy()
    const { url = '/', method = 'GET' } = request
    const headers = plainHeaders(request)
    const { pathname, searchParams: query } = new URL(url, 'http://partner')
    const [root, ...path] = pathname.split('/').slice(1).map(decodeURIComponent)
    const seen: SeenRequest = { type: 'request', method, path: url, headers, json: parsed(text) }
    journal.note(seen)
    const how = mood(seen)
    if (how !== undefined && !misbehaviours[how].takes) return misbehave(how, response)
    const about = `${method} ${url}`
    checkRequest(about, headers, text, path)
    const reply = await replyTo({ method, path: root === 'ocpi' ? path : [], query, json: seen.json }, text, headers)
    if (how !== undefined) misbehave(how, response)
    else send(response, reply, answerHeaders(headers, path))
  }

  async function replyTo(asked: Omit<Incoming, 'stage' | 'token'>, text: string, headers: Headers): Promise<Reply> {
    const about = `${asked.method} /${asked.path.join('/')}`
    const stage = keys.stageOf(headers.authorization)
    if (stage === undefined || (stage === 'registration' && isFunctional(asked.path))) {
      if (operator() !== undefined) journal.fault(about, 'its token is none that the partner has given')
      return { httpStatus: 401, statusCode: 2000, message: 'the credentials token is not valid' }
    }
    if (isFunctional(asked.path)) keys.used(headers.authorization)
    if (text !== '' && asked.json === undefined)
      return { httpStatus: 400, statusCode: 2000, message: 'the body is not JSON' }
    try {
      const token = Buffer.from(headers.authorization?.slice('Token '.length) ?? '', 'base64').toString()
      return await handle({ ...asked, stage, token })
    } catch (error) {
      journal.fault(about, `the sandbox itself has failed: ${error instanceof Error ? error.message : String(error)}`)
      return { statusCode: 3000, message: 'the server failed' }
    }
  }

  const server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
  const bound = server.address() as AddressInfo
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
