// The shape of a handler of one request: a file of the message's name holds one, and `handlers.ts` lists it.

import type { Static, TObject } from 'typebox'
import type { MessageDefinition } from '../../ocpp16/index.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import type { AnswerTo, State } from './state.js'

export interface Answer<Response> {
  readonly response: Response
  readonly effects?: readonly Effect[]
}

/** The answer leaves with what a later message brings. */
export interface LaterAnswer {
  readonly later: (to: AnswerTo) => readonly Effect[]
}

export interface RequestHandler<Request extends TObject = TObject, Response extends TObject = TObject> {
  readonly message: MessageDefinition<string, Request, Response>
  /** The registration status from which the message is taken: transactions need Accepted (OCPP 1.6, 4.2). */
  readonly needs: 'nothing' | 'Pending' | 'Accepted'
  handle(
    state: State,
    request: Static<Request>,
    context: Context,
    receivedAt: number,
  ): Answer<Static<Response>> | LaterAnswer
  /** What is answered while the disk takes no writes; only where the answer promises nothing. Undefined: try again later. */
  withoutStore?(request: Static<Request>, context: Context): Static<Response> | undefined
}

export function defineHandler<Request extends TObject, Response extends TObject>(
  handler: RequestHandler<Request, Response>,
): RequestHandler<Request, Response> {
  return handler
}
