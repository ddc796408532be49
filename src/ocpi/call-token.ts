// The token by which the service calls a partner: stored sealed, and opened by the thread that makes the call.

import type { OcpiConnection } from '../records/ocpi-partner.js'
import type { Sealer } from '../runtime/sealing.js'

/** As it is, which it is for as long as a handshake takes, or as it is stored. */
export type CallToken = { readonly plain: string } | { readonly sealed: string }

const purposeOf = (partnerId: string): string => `the token of the partner ${partnerId}`

/** As it is stored. */
export function sealToken(sealer: Pick<Sealer, 'seal'>, partnerId: string, token: string): string {
  return sealer.seal(token, purposeOf(partnerId))
}

/** Undefined where the key is not there that it was sealed with. */
export function openToken(sealer: Pick<Sealer, 'open'>, partnerId: string, token: CallToken): string | undefined {
  return 'plain' in token ? token.plain : sealer.open(token.sealed, purposeOf(partnerId))
}

/** Of a stored connection. */
export function callTokenOf({ sealed_token, token = '' }: OcpiConnection): CallToken {
  return sealed_token === undefined ? { plain: token } : { sealed: sealed_token }
}
