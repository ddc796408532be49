// Calls to the operator as OCPI 2.2.1 has them (4.1), one at a time. Every answer is held to the standard: its envelope, its headers, and whose they are.

import { randomUUID } from 'node:crypto'
import { isSameParty, keyOfParty, type Party, routingHeaders } from '../../src/ocpi/headers.js'
import type { Journal } from './journal.js'
import { instantOf } from './times.js'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly token: string
  readonly body?: unknown
  /** The operator, for functional modules; never for versions and credentials (4.1.9). */
  readonly to?: Party
}

export interface Answer {
  readonly httpStatus: number
  readonly statusCode: number
  readonly data: unknown
  readonly headers: Headers
}

/** Nobody answered, or what answered broke off. */
export class NoAnswer extends Error {}

/** The operator says no, or what cannot be read. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly httpStatus: number,
    readonly statusCode: number | undefined,
  ) {
    super(message)
  }
}

export interface Client {
  /** Resolves with an answer of success alone: rejects with NoAnswer and Refused. */
  call(request: Request): Promise<Answer>
}

interface Envelope {
  readonly data?: unknown
  readonly status_code: number
  readonly status_message?: unknown
  readonly timestamp?: unknown
}

function readEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isEnvelope =
      typeof value === 'object' && value !== null && Number.isInteger((value as { status_code?: unknown }).status_code)
    return isEnvelope ? (value as Envelope) : undefined
  } catch {
    return undefined
  }
}

function partyOf(headers: Headers, direction: 'to' | 'from'): Party | undefined {
  const country_code = headers.get(`OCPI-${direction}-country-code`)
  const party_id = headers.get(`OCPI-${direction}-party-id`)
  return country_code === null || party_id === null ? undefined : { country_code, party_id }
}

const isParty = (one: Party | undefined, other: Party): boolean => one !== undefined && isSameParty(one, other)

export function createClient(journal: Journal, own: Party, timeoutMs: number): Client {
  function headersOf({ token, body, to }: Request, requestId: string, correlationId: string): Record<string, string> {
    return {
      authorization: `Token ${Buffer.from(token).toString('base64')}`,
      'x-request-id': requestId,
      'x-correlation-id': correlationId,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(to !== undefined && routingHeaders(own, to)),
    }
  }

  function checkHeaders(
    { to }: Request,
    headers: Headers,
    sent: Record<string, string>,
    fault: (words: string) => void,
  ) {
    for (const name of ['X-Request-ID', 'X-Correlation-ID'])
      if (headers.get(name) !== sent[name.toLowerCase()])
        fault(`${name} is ${headers.get(name) ?? 'missing'}, and not that of the request`)
    const [from, receiver] = [partyOf(headers, 'from'), partyOf(headers, 'to')]
    if (to === undefined) {
      if (from !== undefined || receiver !== undefined)
        fault('has headers OCPI-from and OCPI-to, which this module never has')
      return
    }
    if (!isParty(from, to))
      fault(`OCPI-from is ${from === undefined ? 'missing' : keyOfParty(from)}, and not ${keyOfParty(to)}`)
    if (!isParty(receiver, own))
      fault(`OCPI-to is ${receiver === undefined ? 'missing' : keyOfParty(receiver)}, and not ${keyOfParty(own)}`)
  }

  return {
    async call(request) {
      const { method, url, body } = request
      const about = `${method} ${url}`
      const fault = (words: string): void => journal.fault(`the answer to ${about}`, words)
      const headers = headersOf(request, randomUUID(), randomUUID())
      let response: Response
      let text: string
      try {
        response = await fetch(url, {
          method,
          headers,
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        text = await response.text()
      } catch (error) {
        const { message, cause } = error as Error
        throw new NoAnswer(`${about} was not answered: ${cause instanceof Error ? cause.message : message}`)
      }
      const { status } = response
      checkHeaders(request, response.headers, headers, fault)
      const envelope = readEnvelope(text)
      if (envelope === undefined) {
        fault(`HTTP ${status} without the envelope of OCPI`)
        throw new Refused(`${about} was answered with HTTP ${status} and no envelope of OCPI`, status, undefined)
      }
      const { status_code: statusCode, status_message, timestamp, data } = envelope
      if (!/^application\/json\b/i.test(response.headers.get('content-type') ?? ''))
        fault(`its Content-Type is ${response.headers.get('content-type') ?? 'missing'}, and not application/json`)
      if (typeof timestamp !== 'string' || instantOf(timestamp) === undefined)
        fault('its timestamp is no DateTime of OCPI')
      if (statusCode < 1000 || statusCode > 4999) fault(`its status_code is ${statusCode}`)
      if (status !== 200 && status !== 201 && statusCode < 2000)
        fault(`HTTP ${status} with the status_code ${statusCode}`)
      const isSuccess = status >= 200 && status < 300 && statusCode < 2000
      if (!isSuccess) {
        const words = typeof status_message === 'string' ? `: ${status_message}` : ''
        throw new Refused(
          `${about} was answered with HTTP ${status}, status_code ${statusCode}${words}`,
          status,
          statusCode,
        )
      }
      return { httpStatus: status, statusCode, data, headers: response.headers }
    },
  }
}
