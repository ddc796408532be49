// Chooses the WebSocket subprotocol (OCPP-J 1.6, 3.1.2), with the leniency that chargers in the field need.

import type { RefusalReason } from './refusal-reasons.js'

export type SubprotocolChoice =
  | { readonly ok: true; readonly echo: string }
  | { readonly ok: false; readonly reason: RefusalReason; readonly advice: string }

/** `offered` is the header as sent, '' when there is none. A protocol is echoed exactly as it was offered, or not at all. */
export function chooseSubprotocol(offered: string, required: boolean): SubprotocolChoice {
  const tokens = offered
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '')
  const match = tokens.find((token) => token.toLowerCase() === 'ocpp1.6')
  if (match !== undefined) return { ok: true, echo: match }
  if (tokens.length === 0 && !required) return { ok: true, echo: '' }
  if (tokens.length === 0) {
    return { ok: false, reason: 'no_subprotocol', advice: 'Send the header Sec-WebSocket-Protocol: ocpp1.6.' }
  }
  return {
    ok: false,
    reason: 'wrong_subprotocol',
    advice: `Offer ocpp1.6; the charge point offered only ${tokens.join(', ')}.`,
  }
}
