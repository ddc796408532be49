// A call to a partner that has ended, as the partner's log takes it.

import type { OcpiCall, OcpiOutcome } from './call.js'
import type { EndedExchange } from './exchange-log.js'

/** `now`: wall ms. */
export function endedCall(
  { owner, method, url }: Pick<OcpiCall, 'owner' | 'method' | 'url'>,
  module: string,
  outcome: OcpiOutcome,
  now: number,
): EndedExchange {
  const { milliseconds, shown } = outcome
  const { request, answer } = shown
  const statusCode = 'statusCode' in outcome ? outcome.statusCode : undefined
  return {
    partnerId: owner,
    direction: 'out',
    module,
    method,
    url,
    at: now - milliseconds,
    milliseconds,
    request,
    ...(answer !== undefined && { answer: { ...answer, ...(statusCode !== undefined && { statusCode }) } }),
    ...('message' in outcome && { error: outcome.message }),
  }
}
