// Why an upgrade is refused, and the answer that says so.

import type { HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import type { RefusalReason } from './refusal-reasons.js'

export interface Refused {
  readonly status: number
  readonly reason: RefusalReason
  readonly advice: string
  readonly retryAfterSeconds?: number
  /** It is counted and answered, and nothing more: there may be very many of it. */
  readonly unlisted?: true
  /** It stands for very many that are not listed, and comes once in a long while: it is listed, however much else is. */
  readonly rare?: true
}

/** An upgrade that is refused: whose it was, as far as that is known. */
export interface Away {
  readonly ok: false
  readonly refused: Refused
  /** The id as it was sent, shortened. */
  readonly shown: string
  readonly organizationId?: string
}

export const unknownChargePoint: Refused = {
  status: 404,
  reason: 'unknown_charge_point',
  advice: 'Register this id first: POST /api/v1/chargepoints.',
}

/** Registering would be refused, too. */
export const reservedIdentity: Refused = {
  status: 404,
  reason: 'reserved_identity',
  advice: 'This id is reserved for the API: give the charge point another one.',
}

/** A proxy in front may have looked at the other one. */
export const twoAuthorizations: Refused = {
  status: 400,
  reason: 'two_authorizations',
  advice: 'Send the header Authorization once: with two of them, it is not clear who connects.',
}

export const foreignOrigin: Refused = {
  status: 403,
  reason: 'foreign_origin',
  advice: 'A web page may not be a charge point without a password: set one, or allow the page with --allowed-origins.',
}

export function away(shown: string, refused: Refused, organizationId?: string): Away {
  return { ok: false, refused, shown, ...(organizationId !== undefined && { organizationId }) }
}

export function answerRefusal(response: HttpResponse, refused: Refused): void {
  response.cork(() => {
    response.writeStatus(`${refused.status} ${STATUS_CODES[refused.status] ?? 'Refused'}`)
    if (refused.status === 401) response.writeHeader('WWW-Authenticate', 'Basic realm="ocpp"')
    if (refused.retryAfterSeconds !== undefined) response.writeHeader('Retry-After', String(refused.retryAfterSeconds))
    response.writeHeader('Content-Type', 'text/plain; charset=utf-8')
    response.end(`${refused.reason}: ${refused.advice}\n`, true)
  })
}
