// One call to a roaming partner, over the client that calls addresses which others chose: headers, token and envelope of OCPI 2.2.1 (4.1).
// Whatever the partner does is an outcome, with a sentence that says what went wrong.

import { randomUUID } from 'node:crypto'
import { headerOfToken } from '../../ocpi/authorization.js'
import type { OcpiCall, OcpiOutcome } from '../../ocpi/call.js'
import type { CallToken } from '../../ocpi/call-token.js'
import { correlationIdHeader, requestIdHeader, routingHeaders } from '../../ocpi/headers.js'
import { hiderOf, shownBody, shownHeaders } from '../../ocpi/shown.js'
import type { OutboundOutcome } from '../../runtime/outbound-jobs.js'
import type { OutboundClient } from '../outbound/client.js'
import { boundsOf, outcomeOf } from './outcome.js'

/** `open`: the token of a partner; undefined where the key is not there that it was sealed with. */
export async function callPartner(
  client: Pick<OutboundClient, 'request'>,
  call: OcpiCall,
  open: (partnerId: string, token: CallToken) => string | undefined,
): Promise<OcpiOutcome> {
  const { method, url, timeoutMs } = call
  const token = open(call.owner, call.token)
  if (token === undefined) return notOpened
  const headers = headersOf(call, token)
  const body = call.body === undefined ? undefined : JSON.stringify(call.body)
  const outcome: OutboundOutcome = await client.request({
    method,
    url,
    headers,
    timeoutMs,
    readBody: true,
    answerBytes: boundsOf(call.wants).bytes,
    ...(body !== undefined && { body }),
  })
  const request = { headers: shownHeaders(headers), ...(body !== undefined && { body: shownBody(body) }) }
  return outcomeOf(outcome, request, { wants: call.wants, hide: hiderOf(token) })
}

/** As after a restore without the key: only another token helps. */
const notOpened: OcpiOutcome = {
  type: 'failed',
  reason: 'sealed',
  message: 'the token for this partner cannot be read: the key that it was sealed with is missing',
  milliseconds: 0,
  shown: { request: { headers: {} } },
}

function headersOf({ tokenEncoding, routing, correlationId, body }: OcpiCall, token: string): Record<string, string> {
  return {
    authorization: headerOfToken(token, tokenEncoding),
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    [requestIdHeader]: randomUUID(),
    [correlationIdHeader]: correlationId ?? randomUUID(),
    ...(routing !== undefined && routingHeaders(routing.from, routing.to)),
  }
}
