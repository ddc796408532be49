// Finds the handler of a request by its action.

import * as handlers from './handlers.js'
import type { RequestHandler } from './request-handler.js'

const byAction: ReadonlyMap<string, RequestHandler> = new Map(
  (Object.values(handlers) as unknown as readonly RequestHandler[]).map((handler) => [handler.message.action, handler]),
)

/** Undefined for an action that is handled by nobody here. */
export function handlerOf(action: string): RequestHandler | undefined {
  return byAction.get(action)
}
