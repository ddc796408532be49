// A call of the central system, before it has an id: an action and its payload.

import type { Static, TObject } from 'typebox'
import type { MessageDefinition } from './schemas/define-message.js'

export interface OcppCall {
  readonly action: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** The payload fits the schema of the message by its type. */
export function callOf<Request extends TObject>(
  message: MessageDefinition<string, Request>,
  payload: Static<Request>,
): OcppCall {
  return { action: message.action, payload: payload as OcppCall['payload'] }
}
