// What partners ask goes into the log of the partner: beside the answer, and never waited for.

import { createExchangeLog } from '../../ocpi/exchange-log.js'
import { ocpiExchangesTable } from '../../records/ocpi-exchange.js'
import { ocpiPartnersTable } from '../../records/ocpi-partner.js'
import { putRow } from '../pipeline/changes.js'
import type { Services } from '../pipeline/services.js'
import type { Exchange } from '../pipeline/surface.js'
import type { OcpiPrincipal } from './ocpi-token.js'

/** Of this front. */
const log = createExchangeLog()

export function noteExchange(
  { principal, request, response, milliseconds }: Exchange<OcpiPrincipal>,
  services: Services,
): void {
  const { partner_id } = principal.partner
  const { method, path, query, headers, body } = request
  const answer = typeof response.body === 'string' ? response.body : undefined
  const { status_code: statusCode, status_message: message } = envelopeOf(answer)
  const failed = response.status >= 400 || (statusCode ?? 0) >= 2_000
  const row = log.note(
    {
      partnerId: partner_id,
      direction: 'in',
      module: moduleOf(path),
      method,
      url: query === '' ? path : `${path}?${query}`,
      at: services.clock.now() - milliseconds,
      milliseconds: Math.round(milliseconds),
      request: { headers, ...(Buffer.isBuffer(body) && { body: body.subarray(0, shownBytes).toString('utf8') }) },
      answer: {
        status: response.status,
        headers: response.headers,
        ...(statusCode !== undefined && { statusCode }),
        ...(answer !== undefined && { body: answer.slice(0, shownBytes) }),
      },
      ...(failed && { error: message ?? `the service answered HTTP ${response.status}` }),
    },
    services.view(),
    services.clock.monotonic(),
  )
  if (row === undefined) return
  const condition = { table: ocpiPartnersTable.name, key: [partner_id], is: 'present' } as const
  // What the store cannot take now is missing in the log.
  services.commit([putRow(ocpiExchangesTable, row)], [condition]).catch(() => undefined)
}

/** More than is shown of a body. */
const shownBytes = 16_384

/** The end of an answer, where the status is. */
function envelopeOf(answer: string | undefined): { readonly status_code?: number; readonly status_message?: string } {
  const tail = answer?.slice(-1_024) ?? ''
  const [, code] = /"status_code":(\d+)/.exec(tail) ?? []
  const [, message] = /"status_message":("(?:[^"\\]|\\.)*")/.exec(tail) ?? []
  return {
    ...(code !== undefined && { status_code: Number(code) }),
    ...(message !== undefined && { status_message: JSON.parse(message) as string }),
  }
}

/** `/ocpi/cpo/2.2.1/locations/...` and `/ocpi/versions`. */
function moduleOf(path: string): string {
  const [, , first = '', , module = ''] = path.split('/')
  return first === 'versions' ? first : module
}
