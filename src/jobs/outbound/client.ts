// The one way in which the service calls an address that somebody else chose: checked, bounded in time and size, never redirected.

import { Agent } from 'undici'
import type { Clock } from '../../runtime/clock.js'
import type { OutboundOutcome, OutboundRequest } from '../../runtime/outbound-jobs.js'
import { createConnector } from './connections.js'
import { exchange } from './exchange.js'
import { type CallFailure, callFailure, failureOf } from './failure.js'
import { limits } from './limits.js'
import { type Resolve, safeAddresses } from './resolver.js'
import { createTurns } from './turns.js'
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
  const turns = createTurns(clock)

  async function send(request: OutboundRequest): Promise<OutboundOutcome> {
    let startedAt = clock.monotonic()
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
    const turn = await turns.take(url.origin, request.timeoutMs)
    // The other side has its time from here: until now it was not asked for anything.
    startedAt = clock.monotonic()
    try {
      const headers = { 'user-agent': options.userAgent, ...request.headers }
      const answer = await exchange(agent, url, { ...request, headers }, turn.connected)
      return { type: 'answered', ...answer, milliseconds: milliseconds() }
    } catch (error) {
      return failed(failureOf(error))
    } finally {
      turn.end()
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
