// The one way in which the service calls an address that somebody else chose: checked, bounded in time and size, never redirected.

import { Agent } from 'undici'
import type { Clock } from '../runtime/clock.js'
import { limits } from '../runtime/limits.js'
import type { OutboundOutcome, OutboundRequest } from '../runtime/outbound-jobs.js'
import { createConnector } from './connections.js'
import { exchange } from './exchange.js'
import { type CallFailure, callFailure, failureOf } from './failure.js'
import { type Resolve, safeAddresses } from './resolver.js'
import { checkUrl, hostOf } from './url-rule.js'

export interface OutboundClientOptions {
  /** A laboratory: http as well as https, and private and loopback addresses. */
  readonly allowInsecure: boolean
  readonly resolve: Resolve
  readonly clock: Clock
  /** Sent where a request names none. */
  readonly userAgent: string
}

export interface OutboundClient {
  /** Whatever the other side does is an outcome. Rejects when this process has no room for the call: nothing was sent. */
  request(request: OutboundRequest): Promise<OutboundOutcome>
  /** Why the URL would be refused now; a name that has no address now is not. */
  checkUrl(url: string): Promise<string | undefined>
  /** Drops every connection. */
  close(): Promise<void>
}

/** How long an idle connection is kept: shorter than the patience of common servers, or they close it under a request. */
const idleConnectionMs = 4_000
const longestIdleConnectionMs = 10_000

export function createOutboundClient(options: OutboundClientOptions): OutboundClient {
  const { clock } = options
  const agent = new Agent({
    connect: createConnector(options),
    pipelining: 1,
    maxHeaderSize: limits.outboundHeaderBytes,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: longestIdleConnectionMs,
    // A request has one time for everything: exchange.ts.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  /** Calls under way, by origin. */
  const running = new Map<string, number>()

  async function send(request: OutboundRequest): Promise<OutboundOutcome> {
    const startedAt = clock.monotonic()
    const milliseconds = (): number => Math.round(clock.monotonic() - startedAt)
    const failed = ({ outbound: reason, message }: CallFailure): OutboundOutcome => ({
      type: 'failed',
      reason,
      message,
      milliseconds: milliseconds(),
    })
    const refused = refusal(request)
    if (refused !== undefined) return failed(refused)
    const url = new URL(request.url)
    const calls = running.get(url.origin) ?? 0
    if (calls >= limits.outboundRequestsPerOrigin) throw new Error(`too many calls to ${url.origin} are under way`)
    running.set(url.origin, calls + 1)
    try {
      const headers = { 'user-agent': options.userAgent, ...request.headers }
      const answer = await exchange(agent, url, { ...request, headers })
      return { type: 'answered', ...answer, milliseconds: milliseconds() }
    } catch (error) {
      return failed(failureOf(error))
    } finally {
      const left = (running.get(url.origin) ?? 1) - 1
      if (left === 0) running.delete(url.origin)
      else running.set(url.origin, left)
    }
  }

  function refusal({ url, body }: OutboundRequest): CallFailure | undefined {
    const reason = checkUrl(url, options)
    if (reason !== undefined) return callFailure('unsafe_address', reason)
    if (body === undefined || body.length <= limits.outboundBodyCharacters) return undefined
    return callFailure('protocol', `the request is longer than ${limits.outboundBodyCharacters} characters`)
  }

  return {
    request: send,
    async checkUrl(url) {
      const reason = checkUrl(url, options)
      if (reason !== undefined) return reason
      try {
        await safeAddresses(hostOf(new URL(url).hostname), options)
        return undefined
      } catch (error) {
        const { outbound, message } = error as CallFailure
        return outbound === 'unsafe_address' ? message : undefined
      }
    },
    close: () => agent.destroy(),
  }
}
